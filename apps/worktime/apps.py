from django.apps import AppConfig


class WorktimeConfig(AppConfig):
    name = "apps.worktime"
    label = "worktime"
