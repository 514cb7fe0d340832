"""Django's entry for this app."""

from django.apps import AppConfig


class PilotsConfig(AppConfig):
    name = "apps.pilots"
    label = "pilots"
