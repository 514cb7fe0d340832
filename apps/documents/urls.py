"""Addresses of documents."""

from django.urls import path

from apps.documents import views

app_name = "documents"
urlpatterns = [
    path("<uuid:document_id>/", views.download, name="download"),
    path("<uuid:document_id>/data/", views.data, name="data"),
    path("<uuid:document_id>/print/", views.print_part, name="print"),
    path("<uuid:document_id>/state/", views.state, name="state"),
]
