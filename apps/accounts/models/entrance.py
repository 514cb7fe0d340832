"""What stands between an address and an account: sign-ups, invitations, changes of address.

None of these rows holds a token. A link is the signature of a row's id, made when the mail is
sent; whether it still opens anything is for the row to say.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models.people import Company, Role, User

# Where somebody goes on once they have an account; what is longer leads nowhere.
PATH_MAX_CHARS = 500


class SignUp(models.Model):
    """Somebody wants an account at an address; person and company are made once it is confirmed.

    Several may wait for one address: whoever confirms it shows by the password which is theirs, so
    that nobody can prepare an account with a password of their own for somebody else's address.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(db_index=True)
    full_name = models.CharField(max_length=150)
    company_name = models.CharField(max_length=200)
    password = models.CharField(max_length=128)  # a hash; empty once the address has an account
    language = models.CharField(max_length=2)
    next_path = models.CharField(max_length=PATH_MAX_CHARS, default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"sign-up {self.pk}"

    @property
    def is_open(self) -> bool:
        return bool(self.password) and self.expires_at > timezone.now()


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> InvitationQuerySet:
        """Neither accepted nor revoked; the time of some may be over."""
        return self.filter(accepted_at__isnull=True, revoked_at__isnull=True)

    def acceptable(self) -> InvitationQuerySet:
        return self.open().filter(expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A way into a company (`company` is set, the role is client) or into the house's staff.

    `person` is the contact that the invitation is for, or who accepted it. `next_path` leads to a
    requisition that waits for them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    company = models.ForeignKey(
        Company, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    email = models.EmailField(db_index=True)
    full_name = models.CharField(max_length=150, default="", blank=True)
    roles = models.JSONField(default=list)
    language = models.CharField(max_length=2)
    person = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="invitations_made")
    created_at = models.DateTimeField(auto_now_add=True)
    next_path = models.CharField(max_length=PATH_MAX_CHARS, default="", blank=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Invitation]] = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["company", "email"],
                condition=Q(accepted_at__isnull=True, revoked_at__isnull=True),
                name="one_open_invitation_a_company",
            ),
            models.UniqueConstraint(
                fields=["email"],
                condition=Q(
                    company__isnull=True, accepted_at__isnull=True, revoked_at__isnull=True
                ),
                name="one_open_invitation_to_staff",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk}"

    @property
    def is_open(self) -> bool:
        """Can it still be accepted?"""
        return not (self.accepted_at or self.revoked_at or self.is_expired)

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def role_set(self) -> frozenset[Role]:
        return frozenset(Role(role) for role in self.roles)


class EmailChange(models.Model):
    """A person wants to be known by another address; it is theirs once they confirm it there."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="email_changes"
    )
    email = models.EmailField()
    old_email = models.EmailField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"change of address {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.done_at is None and self.expires_at > timezone.now()


class Attempt(models.Model):
    """One try of what is slowed down, kept for an hour. `key` is a hash: no address, no e-mail."""

    key = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.key[:8]} at {self.at}"
