"""A story under way: its requisition as it is now, and who acts on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.accounts.models import Role, User
from apps.demo.stories import Told
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.selectors import current_revision
from apps.requisitions.workflow import State

Words = Mapping[str, Any]


class Scene:
    """A requisition of a story, and the people who act on it."""

    def __init__(self, told: Told, requisition: Requisition) -> None:
        self.told = told
        self.client = requisition.owner
        self._requisition_id = requisition.pk

    @property
    def requisition(self) -> Requisition:
        """As it is now: it gets its number on the way."""
        return Requisition.objects.select_related("owner", "company").get(pk=self._requisition_id)

    @property
    def revision(self) -> Revision:
        return current_revision(self.requisition)

    @property
    def sent(self) -> Revision:
        """The latest revision that is not a draft."""
        found = self.requisition.revisions.exclude(state=State.DRAFT).last()
        assert found is not None, "the story has sent something by now"
        return found

    def staff(self, role: Role) -> User:
        return User.objects.filter(grants__role=role).order_by("pk")[0]
