from django.urls import path

from apps.worktime import views

app_name = "worktime"
urlpatterns = [path("", views.calendar, name="calendar")]
