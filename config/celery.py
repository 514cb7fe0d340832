"""The Celery application. The database row is the truth; messages carry job ids only."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

app = Celery("podbor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.jobs"])
