"""Addresses of pilots."""

from django.urls import path

from apps.pilots import views

app_name = "pilots"
_P = "pilot/<uuid:revision_id>/"
_RUN = f"{_P}runs/<uuid:run_id>/"

urlpatterns = [
    path(_P, views.pilot, name="pilot"),
    path(f"{_P}protocol.csv", views.protocol_csv, name="protocol-csv"),
    path(f"{_P}kit.zip", views.kit, name="kit"),
    path(f"{_P}enter/", views.enter, name="enter"),
    path(f"{_P}upload/", views.upload, name="upload"),
    path(f"{_RUN}change/", views.change, name="change"),
    path(f"{_RUN}close/", views.close, name="close"),
    path(f"{_RUN}carry/", views.carry, name="carry"),
]
