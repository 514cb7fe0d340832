from django.urls import path

from apps.offers import views

app_name = "offers"
_ONE = "offers/<uuid:revision_id>/"

urlpatterns = [
    path(_ONE, views.offers, name="list"),
    path(f"{_ONE}offers.csv", views.offers_csv, name="csv"),
    path(f"{_ONE}new/", views.add, name="add"),
    path(f"{_ONE}<uuid:offer_id>/", views.change, name="change"),
    path(f"{_ONE}<uuid:offer_id>/remove/", views.remove, name="remove"),
    path(f"{_ONE}<uuid:offer_id>/restore/", views.restore, name="restore"),
]
