"""Reminders, and drafts that nobody works on: hourly, from `settings.HOUSEKEEPING`.

Any number of workers may do this at once: a person is told once of each stage, see `announce`, and
a draft is put away by a conditional step of the workflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.core.errors import Conflict
from apps.notices.services import announce
from apps.requisitions.announcements import (
    client_side,
    engineer_of,
    page_of,
    params_of,
    with_role,
)
from apps.requisitions.models import Revision
from apps.requisitions.services.transition import revision_transition
from apps.requisitions.workflow import UNDER_WAY, Action, State
from apps.worktime.selectors import working_days_between

ANSWER_STAGES: Final = (3, 7, 14)
"""Working days without an answer after which its client is reminded."""

DRAFT_STAGES: Final = (7, 1)
"""Days before a draft is put away on which its owner is told."""


def remind() -> int:
    """Remind whoever is waited for, and put old drafts away. Returns how many drafts were."""
    for revision in Revision.objects.filter(state=State.CHANGES_REQUESTED).select_related(
        "requisition__owner", "requisition__company", "engineer", "submitted_by"
    ):
        _remind_of_questions(revision)
    return sum(_look_at_draft(draft, touched) for draft, touched in _drafts())


def _remind_of_questions(revision: Revision) -> None:
    """The latest stage only: a worker that was away for a week sends one mail."""
    days = working_days_between(revision.state_since, timezone.now())
    stage = max((stage for stage in ANSWER_STAGES if stage <= days), default=None)
    if stage is None:
        return
    occurrence = f"v{revision.version} {stage}"
    engineer = engineer_of(revision)
    _tell(revision, "no-answer", client_side(revision), occurrence, days=stage)
    _tell(revision, "no-answer-house", with_role(Role.MANAGER), occurrence, days=stage)
    if engineer:
        _tell(revision, "no-answer-house", [engineer], occurrence, by_mail=False, days=stage)


def _tell(
    revision: Revision,
    event: str,
    people: list[User],
    occurrence: str,
    *,
    by_mail: bool = True,
    **params: int,
) -> None:
    for person in people:
        announce(
            event=event,
            recipients=[person],
            actor=None,
            subject=revision,
            params=params_of(revision) | params,
            path=page_of(person, revision),
            by_mail=by_mail,
            occurrence=occurrence,
        )


def _drafts() -> Iterator[tuple[Revision, datetime]]:
    """Drafts that may be put away soon, with the moment of the last work on each.

    Not those whose client was asked to clarify or to confirm: they are reminded of that.
    """
    if settings.DRAFTS_KEPT_DAYS <= 0:
        return
    soon = timezone.now() - timedelta(days=settings.DRAFTS_KEPT_DAYS - max(DRAFT_STAGES))
    for draft in drafts_left_since(soon):
        yield draft, draft.touched_at  # type: ignore[attr-defined]  # annotated


def drafts_left_since(moment: datetime) -> QuerySet[Revision]:
    """Drafts on which nobody has worked since; `touched_at` says when somebody did."""
    under_way = Revision.objects.filter(
        requisition=OuterRef("requisition"), state__in=sorted(UNDER_WAY)
    )
    touched = Coalesce(
        Greatest(Max("answers__updated_at"), "created_at", "state_since"), "state_since"
    )
    drafts = Revision.objects.filter(state=State.DRAFT, confirmation_asked_at__isnull=True)
    return (
        drafts.exclude(Exists(under_way))
        .select_related("requisition__owner", "requisition__company")
        .annotate(touched_at=touched)
        .filter(touched_at__lt=moment)
    )


def _look_at_draft(draft: Revision, touched: datetime) -> bool:
    """Tell its owner, or put it away. True when it was put away."""
    left = touched + timedelta(days=settings.DRAFTS_KEPT_DAYS) - timezone.now()
    if left > timedelta(0):
        stage = min(days for days in DRAFT_STAGES if left <= timedelta(days=days))
        _tell_owner(draft, "draft-expiring", f"{touched.date()} {stage}")
        return False
    try:
        revision_transition(revision=draft, action=Action.WITHDRAW, actor=None)
    except Conflict:
        return False  # somebody was quicker
    _tell_owner(draft, "draft-away", str(touched.date()))
    return True


def _tell_owner(draft: Revision, event: str, occurrence: str) -> None:
    announce(
        event=event,
        recipients=[draft.requisition.owner],
        actor=None,
        subject=draft,
        params={},
        path=reverse("intake:hub", args=[draft.requisition_id]),
        by_mail=True,
        occurrence=occurrence,
    )
