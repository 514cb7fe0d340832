"""What the engine said about a revision."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.requisitions.models import Revision


class Calculation(models.Model):
    """One run of all estimators over one frozen input.

    A revision has several when an engineer overrides a value; the highest number counts.
    `pending_count` goes down as estimators finish; whoever brings it to zero queues the assembly.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("being calculated")
        DONE = "done", _("calculated")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="calculations")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    input_text = models.TextField()  # canonical JSON: {"task": podbor.task/1, "context": {…}}
    input_sha256 = models.CharField(max_length=64)
    catalog_sha256 = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=20)
    pending_count = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200, default="", blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["revision", "number"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "number"], name="one_calculation_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.revision} #{self.number}"


class EstimateResult(models.Model):
    """What one estimator said, or why it could not."""

    calculation = models.ForeignKey(Calculation, on_delete=models.CASCADE, related_name="results")
    estimator = models.CharField(max_length=30)
    version = models.PositiveSmallIntegerField(default=1)
    failed = models.BooleanField(default=False)
    output_text = models.TextField(default="", blank=True)
    reason = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["calculation", "estimator"], name="one_result_an_estimator"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.calculation_id} {self.estimator}"


class Assessment(models.Model):
    """The assembled result document of a calculation, frozen."""

    calculation = models.OneToOneField(
        Calculation, on_delete=models.CASCADE, related_name="assessment"
    )
    result_text = models.TextField()  # canonical JSON, podbor.result/1
    result_sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.calculation} {self.result_sha256[:8]}"
