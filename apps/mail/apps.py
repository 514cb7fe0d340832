"""Django's entry for this app."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "apps.mail"
    label = "mail"
