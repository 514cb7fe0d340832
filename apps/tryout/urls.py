"""Addresses that need no account."""

from django.urls import path

from apps.tryout import views

app_name = "tryout"
urlpatterns = [
    path("try/", views.tryout, name="try"),
    path("try/requisition/", views.requisition, name="requisition"),
    path("accuracy/", views.accuracy, name="accuracy"),
]
