"""Ending a requisition on another way, or with a refusal."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.requisitions.announcements import announce_redirected_at_once
from apps.requisitions.models import Decision, Revision
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.services.requisition import (
    Title,
    answers_freeze,
    requisition_name,
    supersede_under_way,
)
from apps.requisitions.services.transition import revision_transition
from apps.requisitions.workflow import Action


@transaction.atomic
def draft_redirect(
    *,
    revision: Revision,
    actor: User,
    way: OtherWay,
    effective: dict[str, dict[str, Any]],
    title: Title,
) -> Decision:
    """End a draft on the way that its own answers lead to.

    The answers are frozen and the requisition gets its number, as when it is sent: there will be a
    document that quotes both.

    Args:
        effective, title: as in `revision_submit`.

    Raises:
        Conflict: it is no draft any more.
        NotAllowed: the wrong person.
    """
    answers_freeze(revision=revision, effective=effective)
    revision_transition(revision=revision, action=Action.REDIRECT, actor=actor, category=way.value)
    requisition_name(requisition=revision.requisition, title=title)
    supersede_under_way(revision)
    announce_redirected_at_once(revision=revision, actor=actor)
    return revision.decisions.get(kind=Decision.Kind.REDIRECT)


@transaction.atomic
def revision_redirect(
    *, revision: Revision, actor: User, way: OtherWay, reason: str, expected_version: int
) -> Decision:
    """End a revision in review with the engineer's advice that another way comes first.

    Raises:
        Conflict: the wrong moment, or it changed since the page was shown.
        NotAllowed: the wrong person.
    """
    revision_transition(
        revision=revision,
        action=Action.REDIRECT,
        actor=actor,
        comment=reason,
        category=way.value,
        expected_version=expected_version,
    )
    return revision.decisions.get(kind=Decision.Kind.REDIRECT)


@transaction.atomic
def revision_reject(
    *, revision: Revision, actor: User, refusal: Refusal, reason: str, expected_version: int
) -> Decision:
    """Refuse a revision for good.

    Raises:
        Conflict: the wrong moment, or it changed since the page was shown.
        NotAllowed: the wrong person.
    """
    revision_transition(
        revision=revision,
        action=Action.REJECT,
        actor=actor,
        comment=reason,
        category=refusal.value,
        expected_version=expected_version,
    )
    return revision.decisions.get(kind=Decision.Kind.REJECT)
