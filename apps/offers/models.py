"""What a supplier offers for an approved assessment. There is no price, on purpose."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from apps.accounts.models import User
from apps.requisitions.models import Revision

SHORT_MAX_CHARS: Final = 120
TEXT_MAX_CHARS: Final = 500


class Condition(models.TextChoices):
    NEW = "new", pgettext_lazy("offer", "new")
    REFURBISHED = "refurbished", pgettext_lazy("offer", "refurbished by the maker")
    USED = "used", pgettext_lazy("offer", "used")


class Confirmation(models.TextChoices):
    """How sure the part number and what is in it are."""

    STATED = "stated", pgettext_lazy("offer", "named by the supplier")
    DOCUMENT = "document", pgettext_lazy("offer", "confirmed by a specification")


class Workload(models.TextChoices):
    """What ran when the step was measured."""

    PROTOCOL = "protocol", pgettext_lazy("offer", "our pilot's protocol, unchanged")
    OTHER = "other", pgettext_lazy("offer", "another load")


class Quality(models.TextChoices):
    """Whether the held-out criterion was reached in the measured run."""

    REACHED = "reached", pgettext_lazy("offer", "reached")
    MISSED = "missed", pgettext_lazy("offer", "not reached")


class Offer(models.Model):
    """One supplier's offer. An empty field was not said; `removed_at` keeps it for bringing back."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="offers")
    supplier = models.CharField(max_length=SHORT_MAX_CHARS)
    part_number = models.CharField(max_length=SHORT_MAX_CHARS, default="", blank=True)
    confirmation = models.CharField(
        max_length=10, choices=Confirmation.choices, default="", blank=True
    )
    composition = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    condition = models.CharField(max_length=12, choices=Condition.choices, default="", blank=True)
    warranty = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    network = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    storage = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    placement = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    step_s = models.FloatField(null=True, blank=True)
    workload = models.CharField(max_length=10, choices=Workload.choices, default="", blank=True)
    workload_words = models.CharField(max_length=TEXT_MAX_CHARS, default="", blank=True)
    quality = models.CharField(max_length=10, choices=Quality.choices, default="", blank=True)
    version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(supplier=""), name="offer_has_supplier"),
            models.CheckConstraint(
                condition=Q(step_s__isnull=True) | Q(step_s__gt=0), name="offer_step_is_positive"
            ),
        ]

    def __str__(self) -> str:
        return self.supplier
