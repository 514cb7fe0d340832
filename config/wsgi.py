"""The WSGI entry point of the web processes."""

import os

from django.core.wsgi import get_wsgi_application

# Imported for its effect: a web process that sends a message needs the configured application.
from config.celery import app as celery

__all__ = ["application", "celery"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
application = get_wsgi_application()
