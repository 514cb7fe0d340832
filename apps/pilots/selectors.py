"""Reading pilots: always for somebody."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.accounts.models import User
from apps.estimation.selectors import latest_assessment, result_of
from apps.pilots.facts import protocol_facts
from apps.pilots.models import PilotRun
from apps.pilots.policy import may_see
from apps.requisitions.models import Revision
from apps.requisitions.selectors import revision_get_for


def piloted_revision_for(user: User, revision_id: UUID) -> Revision:
    """A revision whose pilot the user may look at, or Http404."""
    revision = revision_get_for(user, revision_id)
    if not may_see(user, revision):
        raise Http404
    return revision


def runs_of(revision: Revision) -> QuerySet[PilotRun]:
    """The caller has got the revision for somebody."""
    return revision.pilots.select_related("entered_by", "closed_by")


def run_get(revision: Revision, run_id: UUID) -> PilotRun:
    return get_object_or_404(runs_of(revision), pk=run_id)


def facts_of(revision: Revision, key: str = "") -> dict[str, Any] | None:
    """The facts of the protocol as the latest assessment has them; None without a variant."""
    assessment = latest_assessment(revision)
    if assessment is None:
        return None
    return protocol_facts(assessment.calculation, result_of(assessment), key)
