"""What a person was told, and whether they have read it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Notice(models.Model):
    """One event for one person. The words are in `wording`, so both languages show every notice.

    `params` fill the words: number and letters, never answers. `occurrence` tells the second time
    that the same thing happens to the same subject from the first time told twice.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    event = models.CharField(max_length=40)
    subject = models.CharField(max_length=100)
    occurrence = models.CharField(max_length=64, default="", blank=True)
    params = models.JSONField(default=dict)
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "event", "subject", "occurrence"], name="told_once"
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="notices_of_person"),
            models.Index(fields=["user"], condition=Q(read_at=None), name="unread_of_person"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.subject} for {self.user_id}"


class MailChoice(models.Model):
    """Which mails a person does without. Notices on the page come anyway; `wording.TOPICS` names
    the topics, and those that nobody can do without are not among them.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_choice"
    )
    off = models.JSONField(default=list, blank=True)
    quiet = models.BooleanField(default=True)  # what can wait comes in working hours only

    def __str__(self) -> str:
        return f"mail choice of {self.user_id}"
