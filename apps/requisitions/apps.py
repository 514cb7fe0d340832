"""Django's entry for this app."""

from django.apps import AppConfig


class RequisitionsConfig(AppConfig):
    name = "apps.requisitions"
    label = "requisitions"
