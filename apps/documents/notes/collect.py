"""Freezing the facts of an outcome: the only code that reads rows for a short document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.documents.notes.effort import effort_of, load_of
from apps.documents.notes.snapshot import Happening, Note
from apps.estimation.selectors import latest_assessment, result_of
from apps.questionnaire.answers import evaluate, raw_answers
from apps.questionnaire.to_task import to_task
from apps.requisitions.models import Decision, Revision
from apps.requisitions.outcomes import OtherWay
from apps.sizing import ENGINE_VERSION

# Whom to ask stands in the requisition; paper and files travel.
PRIVATE: Final = frozenset({"contact_name", "contact_email"})
SENT: Final = "sent"
# Steps that the client knows of; what passes between engineer and approver stays inside.
_SHOWN: Final = (
    Decision.Kind.REQUEST_CHANGES,
    Decision.Kind.APPROVE,
    Decision.Kind.REJECT,
    Decision.Kind.REDIRECT,
)


def note_of(decision: Decision, result: Mapping[str, Any] | None = None) -> Note:
    """The facts of a redirect or a rejection.

    Args:
        result: the engine's result for answers that have no calculation of their own.
    """
    revision = decision.revision
    frozen = json.loads(revision.answers_text)
    answers = {k: a for k, a in frozen["answers"].items() if k not in PRIVATE}
    number = revision.requisition.display_number
    evaluated = evaluate(raw_answers(frozen["answers"]))
    task = to_task(evaluated, f"{number} {revision.letter}")
    stored = latest_assessment(revision)
    figures = result if stored is None else result_of(stored)
    return Note(
        number=number,
        letter=revision.letter,
        client=revision.requisition.company.name,
        kind=decision.kind,
        category=decision.category,
        reason=decision.comment,
        by=str(decision.by),
        at=decision.at.isoformat(),
        at_gate=revision.submitted_at is None,
        answers=answers,
        answers_sha256=revision.answers_sha256,
        attachments=tuple(frozen["attachments"]),
        task=task,
        effort=effort_of(figures, task) if decision.category == OtherWay.PILOT else None,
        load=load_of(figures) if decision.category == OtherWay.CLOUD else None,
        engine_version=ENGINE_VERSION,
        history=tuple(_history(revision)),
    )


def _history(revision: Revision) -> Iterator[Happening]:
    earlier = revision.requisition.revisions.filter(index__lte=revision.index)
    for row in earlier.select_related("submitted_by").order_by("index"):
        if row.submitted_at is not None:
            yield Happening(
                letter=row.letter,
                what=SENT,
                by=str(row.submitted_by or ""),
                at=row.submitted_at.isoformat(),
            )
        for decision in row.decisions.filter(kind__in=_SHOWN).select_related("by").order_by("at"):
            yield Happening(
                letter=row.letter,
                what=decision.kind,
                by=str(decision.by),
                at=decision.at.isoformat(),
            )
