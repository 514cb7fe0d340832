from django.urls import path

from apps.notices import views

app_name = "notices"
urlpatterns = [
    path("", views.notices, name="list"),
    path("mails/", views.mails, name="mails"),
    path("read/", views.read_all, name="read-all"),
    path("<uuid:notice_id>/open/", views.notice_open, name="open"),
]
