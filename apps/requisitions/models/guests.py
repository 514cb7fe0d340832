"""Colleagues of the client who answer one section by a link, without an account."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.requisitions.models.requisition import Revision
from apps.requisitions.workflow import State

NAME_MAX_CHARS = 120
NOTE_MAX_CHARS = 1000


class GuestInvitationQuerySet(models.QuerySet["GuestInvitation"]):
    def usable(self) -> GuestInvitationQuerySet:
        """Those whose link lets somebody answer now: `GuestInvitation.is_usable` as a query."""
        return self.filter(
            revoked_at__isnull=True,
            expires_at__gt=timezone.now(),
            revision__state=State.DRAFT,
        )


class GuestInvitation(models.Model):
    """Whoever has the link may answer one section of one draft, and nothing else.

    `name` is who it is for: the inviter writes it, or the guest once, when they begin. `question`
    is the open question that it was made for, if it was. `verdict` is the guest's own word on the
    section. The link ends with the draft: a revision that was sent takes no more answers.
    """

    class Verdict(models.TextChoices):
        DONE = "done", gettext_lazy("answered")
        LACKING = "lacking", gettext_lazy("looked, data is missing")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="guest_invitations"
    )
    section = models.CharField(max_length=40)
    question = models.CharField(max_length=60, default="", blank=True)
    name = models.CharField(max_length=NAME_MAX_CHARS, default="", blank=True)
    email = models.EmailField(default="", blank=True)
    language = models.CharField(max_length=2)
    due = models.DateField(null=True, blank=True)
    tell_by_mail = models.BooleanField(default=True)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    begun_at = models.DateTimeField(null=True, blank=True)
    asked_again_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict.choices, default="", blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=NOTE_MAX_CHARS, default="", blank=True)

    objects: ClassVar[models.Manager[GuestInvitation]] = GuestInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict="", answered_at__isnull=True)
                | (~Q(verdict="") & Q(answered_at__isnull=False)),
                name="guest_verdict_has_its_moment",
            ),
        ]

    def __str__(self) -> str:
        """As an author of answers; the words keep a name from passing for an account."""
        return _("%(name)s, by a link") % {"name": self.name or _("a guest")}

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def is_usable(self) -> bool:
        return not self.revoked_at and not self.is_expired and self.revision.is_draft

    @property
    def is_overdue(self) -> bool:
        """The day has passed, and nobody has answered."""
        return bool(self.due and self.due < timezone.localdate() and not self.answered_at)


class GuestKey(models.Model):
    """One link that was handed out, with the code that can be typed instead of it.

    Only hashes are kept, so nobody who reads the database can open a link. A letter that has to be
    sent twice holds another link each time; all of them work until the invitation ends.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    invitation = models.ForeignKey(GuestInvitation, on_delete=models.CASCADE, related_name="keys")
    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"key {self.pk}"
