"""A pilot that was run for a revision, and what it measured."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.requisitions.models import Revision


class PilotRun(models.Model):
    """One measured run of the protocol.

    `record` is a document `podbor.pilot/1` (see `apps.pilots.records`), kept also while it is
    incomplete. `workload_sha256` is the hash of what ran, `record_sha256` of the seven fields of
    the whole verification record; both stand empty in a draft. `quality_delta` is the held-out
    metric beside its baseline, positive where training helped: nothing is closed without it.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("incomplete")
        ENTERED = "entered", _("entered")
        CLOSED = "closed", _("closed")

    class Origin(models.TextChoices):
        FORM = "form", _("typed")
        FILE = "file", _("from the file of the kit")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="pilots")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.FORM)
    variant = models.CharField(max_length=20, default="", blank=True)
    record = models.JSONField(default=dict)
    workload_sha256 = models.CharField(max_length=64, default="", blank=True)
    record_sha256 = models.CharField(max_length=64, default="", blank=True)
    quality_delta = models.FloatField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    closed_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["revision", "number"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "number"], name="one_pilot_a_number"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "entered", "closed"]), name="pilot_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="draft") | (~Q(workload_sha256="") & ~Q(record_sha256="")),
                name="entered_pilot_has_fingerprint",
            ),
            models.CheckConstraint(
                condition=~Q(state="closed")
                | Q(quality_delta__isnull=False, closed_by__isnull=False, closed_at__isnull=False),
                name="closed_pilot_has_quality",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision} pilot {self.number}"
