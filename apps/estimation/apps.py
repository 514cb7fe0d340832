"""Django's entry for this app."""

from django.apps import AppConfig


class EstimationConfig(AppConfig):
    name = "apps.estimation"
    label = "estimation"
