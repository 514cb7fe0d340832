"""What changed from one letter to another, as its client may see it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.estimation.comparison import Comparison, comparison_of
from apps.estimation.presenters.changes import answer_groups, result_change
from apps.intake import progress
from apps.intake.access import person, signed_in
from apps.intake.selectors import client_requisition_for, draft_of
from apps.intake.views.common import stamp_of
from apps.questionnaire.summary import headline
from apps.requisitions.models import Revision
from apps.requisitions.selectors import letter_get


@require_GET
@signed_in
def changes(request: HttpRequest, requisition_id: UUID, old: str, new: str) -> HttpResponse:
    """Answers always; figures and hardware only between two letters that were approved."""
    requisition = client_requisition_for(person(request), requisition_id)
    before, after = letter_get(requisition, old), letter_get(requisition, new)
    if before.index >= after.index or before.is_draft:
        raise Http404
    return render(request, "intake/changes.html", _context(comparison_of(before, after)))


def _context(comparison: Comparison) -> dict[str, Any]:
    before, after = comparison.old, comparison.new
    shown = before.was_approved and after.was_approved and comparison.result is not None
    return {
        "revision": after,
        "stamp": stamp_of(after, headline(draft_of(after).evaluated)),
        "since": before.letter,
        "letter": after.letter,
        "groups": answer_groups(comparison.answers, comparison.who),
        "answer_count": len(comparison.answers),
        "change": result_change(comparison.result) if shown and comparison.result else None,
        "bands": [] if shown else _bands(before, after),
    }


def _bands(before: Revision, after: Revision) -> list[dict[str, str]]:
    """The rough figures of both, without a server or an accelerator."""
    then = {band.label: band.value for band in progress.rough_bands(before)}
    now = {band.label: band.value for band in progress.rough_bands(after)}
    return [
        {"label": label, "old": then.get(label, ""), "new": now.get(label, "")}
        for label in dict.fromkeys([*then, *now])
    ]
