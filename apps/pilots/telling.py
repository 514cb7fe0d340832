"""Who is told that a pilot was measured: the engineer by mail, the managers on their page."""

from __future__ import annotations

from django.urls import reverse

from apps.accounts.models import Role, User
from apps.notices.services import announce
from apps.pilots.models import PilotRun
from apps.requisitions.announcements import engineer_of, params_of, with_role


def announce_pilot(*, run: PilotRun, actor: User) -> None:
    """Tell of a complete record, once; whoever wrote it down is not told."""
    revision = run.revision
    engineer = engineer_of(revision)
    told = [engineer] if engineer else []
    rest = [person for person in with_role(Role.MANAGER) if person not in told]
    for people, by_mail in ((told, True), (rest, False)):
        announce(
            event="pilot-data",
            recipients=people,
            actor=actor,
            subject=revision,
            params=params_of(revision),
            path=reverse("pilots:pilot", args=[revision.pk]),
            by_mail=by_mail,
            occurrence=str(run.pk),
        )
