"""Who is told that a pilot was measured: the engineer by mail, the managers on their page."""

from __future__ import annotations

from django.urls import reverse

from apps.accounts.models import Role, User
from apps.notices.services import announce
from apps.pilots.models import PilotRun


def announce_pilot(*, run: PilotRun, actor: User) -> None:
    """Tell of a complete record, once; whoever wrote it down is not told."""
    revision = run.revision
    engineer = revision.engineer
    managers = User.objects.filter(is_active=True, grants__role=Role.MANAGER).order_by("pk")
    told = [engineer] if engineer is not None and engineer.is_active else []
    rest = [person for person in managers if person not in told]
    for people, by_mail in ((told, True), (rest, False)):
        announce(
            event="pilot-data",
            recipients=people,
            actor=actor,
            subject=revision,
            params={"number": revision.requisition.display_number, "letter": revision.letter},
            path=reverse("pilots:pilot", args=[revision.pk]),
            by_mail=by_mail,
            occurrence=str(run.pk),
        )
