"""What the engine said about a revision."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.requisitions.models import Attachment, Revision


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
        # The queue looks for the few that failed among thousands.
        indexes = [models.Index(fields=["state", "revision"], name="calculation_by_state")]

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
        indexes = [
            models.Index(fields=["calculation"], condition=Q(failed=True), name="failed_result")
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


class OfABuild:
    """A row about what a variant is built of: see `edited.build_of`."""

    server: str
    accelerator: str
    gpu_count: int
    node_count: int

    @property
    def build(self) -> list[str | int]:
        return [self.server, self.accelerator, self.gpu_count, self.node_count]


class PartConfirmation(OfABuild, models.Model):
    """An engineer's word that the supplier's document stands behind a variant's part number.

    It is about a build, not about a place in the list: the same server with the same accelerators
    in the same number keeps it in the letters that follow.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="part_confirmations"
    )
    server = models.CharField(max_length=80)
    accelerator = models.CharField(max_length=80)
    gpu_count = models.PositiveIntegerField()
    node_count = models.PositiveIntegerField()
    part_number = models.CharField(max_length=200)
    attachment = models.ForeignKey(Attachment, on_delete=models.RESTRICT, related_name="+")
    says = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_reason = models.TextField(default="", blank=True)

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "server", "accelerator", "gpu_count", "node_count"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_confirmation_a_build",
            ),
            models.CheckConstraint(
                condition=~Q(part_number="") & ~Q(says=""), name="confirmation_says_what"
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | (
                    Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False)
                    & ~Q(withdrawn_reason="")
                ),
                name="withdrawn_confirmation_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.part_number}"


class VariantRemark(OfABuild, models.Model):
    """What an engineer adds to a variant beside what was computed; the result is never edited.

    `text` is the line itself, or the reason of hiding a computed line (`line` is its digest) or of
    recommending the variant. It is about the variant `key` as long as that is the same build.
    """

    class Kind(models.TextChoices):
        PRO = "pro", _("in favour")
        CON = "con", _("against")
        WHEN = "when", _("when to choose")
        HIDE = "hide", _("a computed line is hidden")
        PICK = "pick", _("recommended by the engineer")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="variant_remarks")
    key = models.CharField(max_length=20)
    server = models.CharField(max_length=80, default="", blank=True)
    accelerator = models.CharField(max_length=80, default="", blank=True)
    gpu_count = models.PositiveIntegerField()
    node_count = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    line = models.CharField(max_length=64, default="", blank=True)
    text = models.TextField()
    position = models.PositiveIntegerField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    replaces = models.ForeignKey("self", on_delete=models.RESTRICT, null=True, related_name="+")

    class Meta:
        ordering = ["position", "created_at", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="variant_remark_says_something"),
            models.CheckConstraint(
                condition=Q(kind="hide") & ~Q(line="") | ~Q(kind="hide") & Q(line=""),
                name="hidden_line_is_named",
            ),
            models.UniqueConstraint(
                fields=["revision"],
                condition=Q(kind="pick", removed_at__isnull=True),
                name="one_pick_a_revision",
            ),
            models.UniqueConstraint(
                fields=["revision", "key", "line"],
                condition=Q(kind="hide", removed_at__isnull=True),
                name="one_hiding_a_line",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.kind}: {self.text[:60]}"
