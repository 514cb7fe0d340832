from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "apps.talk"
