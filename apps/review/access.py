"""Who may open these screens at all: staff, by role. What they may do there is `policy`'s."""

from __future__ import annotations

from apps.accounts.access import for_roles, person
from apps.accounts.models import Role

__all__ = ["READERS", "for_roles", "person"]

READERS = (Role.ENGINEER, Role.APPROVER, Role.MANAGER)
