"""Who has a workspace open now: a hint to the others, no lock."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from apps.accounts.models import Role, User
from apps.requisitions.models import Presence, Revision

LOOKED_AT: Final = timedelta(minutes=5)


def presence_note(*, revision: Revision, user: User) -> list[User]:
    """Note that an engineer looks at a revision. Returns the other engineers who just did."""
    now = timezone.now()
    if user.has_role(Role.ENGINEER):
        Presence.objects.update_or_create(revision=revision, user=user, defaults={"seen_at": now})
    rows = revision.presences.filter(seen_at__gte=now - LOOKED_AT).exclude(user=user)
    return [row.user for row in rows.select_related("user").order_by("seen_at")]
