"""Django's entry for this app."""

from django.apps import AppConfig


class QuestionnaireConfig(AppConfig):
    name = "apps.questionnaire"
    label = "questionnaire"
