"""Background work as rows. The row is the only truth; a message in the queue is a hint."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    READY = "ready", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


class Job(models.Model):
    """One unit of work. `payload` holds ids only; `key` makes queueing it twice the same as once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=50)
    key = models.CharField(max_length=150, unique=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.READY)
    token = models.CharField(max_length=32, default="", blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    postponed = models.PositiveSmallIntegerField(default=0)  # times that what it needs was away
    last_error = models.TextField(default="", blank=True)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    poked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=JobState.values), name="job_state_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False),
                name="running_job_has_lease",
            ),
        ]
        indexes = [models.Index(fields=["state", "run_after"], name="job_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.state} {self.id}"


class WorkerBeat(models.Model):
    """A worker's sign of life, written every few seconds."""

    name = models.CharField(max_length=150, unique=True)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
