"""The catalog as rows: items, their facts, and the releases that calculations name.

Items and facts are what people browse and correct. A release is the whole catalog frozen under
its hash: the engine builds its value from a release, so a calculation that has begun keeps the
catalog it began with, whatever is corrected meanwhile and in whatever process it runs.
"""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.catalog.schema import CONFIDENCES


class Kind(models.TextChoices):
    SERVER = "server", _("servers")
    ACCELERATOR = "accelerator", _("accelerators")
    CPU = "cpu", _("processors")
    NIC = "nic", _("network cards")
    DRIVE = "drive", _("drives")
    DIMM = "dimm", _("memory modules")
    CONSTANT = "constant", _("constants of the calculation")


# What is browsed, in this order.
HARDWARE = (Kind.SERVER, Kind.ACCELERATOR, Kind.CPU, Kind.NIC, Kind.DRIVE, Kind.DIMM)


class Item(models.Model):
    """One thing of the catalog. Columns after `position` are copies of facts, for lists."""

    kind = models.CharField(max_length=12, choices=Kind.choices)
    slug = models.CharField(max_length=100, unique=True)
    vendor = models.CharField(max_length=100, blank=True)
    name = models.CharField(max_length=200)
    family = models.CharField(max_length=50, blank=True)
    form_factor = models.CharField(max_length=50, blank=True)
    position = models.PositiveIntegerField()
    retired = models.BooleanField(default=False)  # not in force; old documents still name it
    added = models.BooleanField(default=False)  # brought in here, so not shipped with the product
    draft = models.BooleanField(default=False)  # proposed: the staff sees it, nothing counts it

    search_name = models.TextField(default="", blank=True)  # folded: SQLite folds ASCII only
    search_text = models.TextField(default="", blank=True)  # the same with the words of its facts
    gpu_memory_gb = models.FloatField(null=True)  # its own, or of the largest card it takes
    newest_fact = models.DateField(null=True)

    class Meta:
        ordering = ["kind", "position"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="item_kind_known"),
            models.CheckConstraint(condition=~Q(slug=""), name="item_has_slug"),
            models.CheckConstraint(
                condition=Q(draft=False) | Q(retired=True, added=True), name="draft_not_in_force"
            ),
        ]
        indexes = [models.Index(fields=["kind", "position"], name="item_kind_order")]

    def __str__(self) -> str:
        return self.slug


class Fact(models.Model):
    """One value with its source. `number` and `words` are copies of the value, for filters:
    a number, or the word or the words of a list between bars («|1|2|4|»)."""

    class Origin(models.TextChoices):
        SHIPPED = "shipped", _("shipped with the product")
        APPROVED = "approved", _("approved by an administrator")

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="facts")
    key = models.CharField(max_length=60)
    value = models.JSONField()
    value_ru = models.JSONField(null=True)  # a text in Russian, where the value is words
    unit = models.CharField(max_length=60)
    source = models.TextField()
    source_ref = models.TextField(blank=True)
    as_of = models.DateField()
    confidence = models.CharField(max_length=12)
    note = models.TextField(blank=True)
    note_ru = models.TextField(blank=True)
    superseded = models.BooleanField(default=False)  # another source says otherwise; only shown
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.SHIPPED)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    position = models.PositiveIntegerField()
    number = models.FloatField(null=True)
    words = models.TextField(default="", blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "key"], condition=Q(superseded=False), name="one_fact_in_force"
            ),
            models.CheckConstraint(
                condition=Q(confidence__in=sorted(CONFIDENCES)), name="fact_confidence_known"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="fact_has_source"),
            models.CheckConstraint(
                condition=~Q(origin="approved") | Q(confirmed_by__isnull=False),
                name="approved_fact_has_name",
            ),
        ]
        indexes = [models.Index(fields=["key", "words"], name="fact_words")]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.key}"


class Release(models.Model):
    """The whole catalog under its hash. `body` is its canonical JSON, deflated."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.sha256[:16]

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a release of the catalog is never changed")
        super().save(*args, **kwargs)


class Head(models.Model):
    """Which release is in force, and which fixtures the rows were last brought level with.

    One row, locked by whoever changes the catalog.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, null=True, related_name="+")
    fixtures_sha256 = models.CharField(max_length=64, default="", blank=True)

    def __str__(self) -> str:
        return str(self.release_id or "")[:16]


class Proposal(models.Model):
    """Somebody says that a fact is otherwise, or stands for it. Another person decides."""

    class State(models.TextChoices):
        OPEN = "open", _("waits for an administrator")
        APPROVED = "approved", pgettext_lazy("proposal", "approved")
        DECLINED = "declined", pgettext_lazy("proposal", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("proposal", "taken back")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="proposals")
    key = models.CharField(max_length=60)
    value = models.JSONField()
    unit = models.CharField(max_length=60)
    source = models.TextField()
    source_ref = models.TextField(blank=True)
    as_of = models.DateField()
    confidence = models.CharField(max_length=12)
    reason = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ["-proposed_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", decided_by__isnull=True, decided_at__isnull=True)
                | Q(
                    state__in=["approved", "declined", "withdrawn"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="proposal_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(state="approved") | ~Q(decided_by=models.F("proposed_by")),
                name="proposal_approved_by_another",
            ),
            models.CheckConstraint(condition=~Q(source=""), name="proposal_has_source"),
            models.CheckConstraint(condition=~Q(reason=""), name="proposal_has_reason"),
        ]
        indexes = [models.Index(fields=["state", "proposed_at"], name="proposal_waiting")]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.key} {self.state}"

    def as_fact(self) -> Fact:
        """The fact that it would be, not stored."""
        return Fact(
            item=self.item,
            key=self.key,
            value=self.value,
            unit=self.unit,
            source=self.source,
            source_ref=self.source_ref,
            as_of=self.as_of,
            confidence=self.confidence,
        )


class Use(models.Model):
    """The assessment of a calculation names an item. By their names: the apps above own them."""

    slug = models.CharField(max_length=100)
    calculation = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slug", "calculation"], name="one_use_a_calculation")
        ]

    def __str__(self) -> str:
        return f"{self.slug} in {self.calculation}"
