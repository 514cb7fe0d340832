"""Mails as rows: written with the step that causes them, sent by a worker."""

import uuid
from email.utils import parseaddr

from django.conf import settings
from django.db import models

from apps.jobs.models import Job


class Mail(models.Model):
    """One mail to one person. Its text exists only while it is sent: the row holds ids.

    `key` makes queueing it twice the same as once. How far it came is the state of its job.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=150, unique=True)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="mail")
    to = models.CharField(max_length=254)
    language = models.CharField(max_length=2)
    template = models.CharField(max_length=40)
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"mail {self.pk} ({self.template})"

    @property
    def message_id(self) -> str:
        """The same at every attempt, so that a mail delivered twice is recognised as one."""
        _name, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
        return f"<{self.pk}@{sender.rpartition('@')[2] or 'localhost'}>"
