"""What engineers and approvers add. Results and answers themselves are never edited."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.requisitions.models.requisition import Revision
from apps.requisitions.outcomes import OtherWay, Refusal

OPEN_THREAD: Final = Q(parent__isnull=True, removed_at__isnull=True, resolved_at__isnull=True)
"""The first comment of a thread that nobody has resolved or taken back."""


class Annotation(models.Model):
    """A comment about an answer, a figure, a variant, a section of the document, or the whole.

    It opens a thread, or answers the one of its `parent`, whose target and visibility it has. A
    thread is open until somebody resolves it; an open one goes on in the next letter, where
    `carried_from` is its original. One taken back by its author keeps its row for a while.
    """

    class Visibility(models.TextChoices):
        INTERNAL = "internal", _("internal")
        CLIENT = "client", _("the client sees it")

    class Side(models.TextChoices):
        REVIEW = "review", _("engineers and approvers")
        MANAGER = "manager", _("manager")
        CLIENT = "client", _("client")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="annotations")
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="replies"
    )
    target = models.CharField(max_length=100, default="", blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.INTERNAL
    )
    side = models.CharField(max_length=10, choices=Side.choices, default=Side.REVIEW)
    text = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    edited_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    carried_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="carried_to"
    )

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="annotation_says_something"),
            models.CheckConstraint(
                condition=~Q(side="client") | Q(visibility="client"),
                name="client_writes_nothing_internal",
            ),
            models.CheckConstraint(
                condition=Q(resolved_at__isnull=True, resolved_by__isnull=True)
                | Q(resolved_at__isnull=False, resolved_by__isnull=False, parent__isnull=True),
                name="resolved_thread_has_somebody",
            ),
        ]
        indexes = [
            models.Index(
                fields=["revision"],
                condition=Q(parent=None, resolved_at=None, removed_at=None),
                name="open_threads_of_revision",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def thread_id(self) -> uuid.UUID:
        """The comment that opened the thread it stands in."""
        return self.parent_id or self.pk

    @property
    def is_internal(self) -> bool:
        return self.visibility == self.Visibility.INTERNAL

    @property
    def is_resolved(self) -> bool:
        return self.resolved_at is not None


class Override(models.Model):
    """The engineer's value beside the client's. `field` is a path of the task document.

    `carried_from` is the value of an earlier revision that stands here too, because the client's
    answer did not change; author and reason are the same. The client reads the reason of one
    with `reason_shown` before the approval already.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="overrides")
    field = models.CharField(max_length=80)
    value = models.JSONField()
    reason = models.TextField()
    reason_shown = models.BooleanField(default=False)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    carried_from = models.ForeignKey(
        "self", on_delete=models.RESTRICT, null=True, blank=True, related_name="carried_to"
    )

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "field"],
                condition=Q(removed_at__isnull=True),
                name="one_override_a_field",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="override_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.field} = {self.value}"


class OverrideReply(models.Model):
    """What the client says of an engineer's value. The latest of a value counts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    override = models.ForeignKey(Override, on_delete=models.CASCADE, related_name="replies")
    accepted = models.BooleanField()
    words = models.TextField(default="", blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.override_id} {'accepted' if self.accepted else 'declined'}"


class Recheck(models.Model):
    """The engineer's value of an earlier revision whose client's answer has changed since.

    It is not applied: an engineer sets it again, sets another, or says that none is needed.
    """

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="rechecks")
    override = models.ForeignKey(Override, on_delete=models.RESTRICT, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "override"], name="one_recheck_a_value"),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True, settled_by__isnull=True)
                | Q(settled_at__isnull=False, settled_by__isnull=False),
                name="settled_recheck_has_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.override}"


class Decision(models.Model):
    """What was decided about a revision, by whom and with which words.

    `category` is the `OtherWay` of a redirect or the `Refusal` of a rejection; empty elsewhere, and
    in decisions from before there were any.
    """

    class Kind(models.TextChoices):
        REQUEST_CHANGES = "request-changes", _("changes requested")
        SEND_TO_APPROVAL = "send-to-approval", _("sent to approval")
        RETURN = "return", _("returned")
        APPROVE = "approve", _("approved")
        REJECT = "reject", _("rejected")
        REDIRECT = "redirect", _("redirected")

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="decisions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    comment = models.TextField(default="", blank=True)
    category = models.CharField(max_length=20, default="", blank=True)
    document_sha256 = models.CharField(max_length=64, default="", blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision"], condition=Q(kind="approve"), name="one_approval_a_revision"
            ),
            models.CheckConstraint(
                condition=~Q(kind="approve") | ~Q(document_sha256=""),
                name="approval_names_the_document",
            ),
            models.CheckConstraint(
                condition=Q(category="")
                | Q(kind="redirect", category__in=OtherWay.values)
                | Q(kind="reject", category__in=Refusal.values),
                name="decision_category_fits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.kind}"
