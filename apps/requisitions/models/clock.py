"""How long the house has had a requisition, without the time that it waited for the client."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from apps.requisitions.models.requisition import Requisition, Revision
from apps.worktime.sizes import SizeClass


class Clock(models.Model):
    """Runs from the sending of a letter until somebody ends it, across the letters that answer
    questions. `due_at` moves on with every pause; `target` and `first_look` are working time.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    requisition = models.ForeignKey(Requisition, on_delete=models.CASCADE, related_name="clocks")
    size_class = models.CharField(max_length=10, choices=SizeClass.choices, default=SizeClass.USUAL)
    started_at = models.DateTimeField()
    first_look = models.DurationField()
    target = models.DurationField()
    due_at = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["started_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["requisition"],
                condition=Q(stopped_at__isnull=True),
                name="one_clock_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.requisition} {self.due_at}"


class ClockPause(models.Model):
    """From a question of `revision` until the client's answer. `worked` is the working time in it,
    by the calendar of the day on which it ended.
    """

    clock = models.ForeignKey(Clock, on_delete=models.CASCADE, related_name="pauses")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    worked = models.DurationField(null=True, blank=True)

    class Meta:
        ordering = ["started_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["clock"], condition=Q(ended_at__isnull=True), name="one_pause_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, worked__isnull=True)
                | Q(ended_at__isnull=False, worked__isnull=False),
                name="ended_pause_is_counted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.started_at} - {self.ended_at}"


class Presence(models.Model):
    """Somebody has the workspace of a revision open. Old rows mean nothing and are swept."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["revision", "user"], name="one_presence_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.seen_at}"
