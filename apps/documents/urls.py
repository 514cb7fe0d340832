"""Addresses of documents."""

from django.urls import path

from apps.documents import views

app_name = "documents"
urlpatterns = [
    path("<uuid:document_id>/", views.download, name="download"),
    path("<uuid:document_id>/data/", views.data, name="data"),
]
