"""Django's entry for this app."""

from django.apps import AppConfig


class TryoutConfig(AppConfig):
    name = "apps.tryout"
    label = "tryout"
