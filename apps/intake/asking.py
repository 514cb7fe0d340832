"""Open questions and the people who may know: late ones first, a colleague asked in one press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from apps.intake.guests import Asking, invited_for, wanted_for
from apps.intake.questions import QuestionRow
from apps.intake.selectors import Draft
from apps.questionnaire.due import due_day


def with_asking(draft: Draft, rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """The same rows with the way to ask somebody; those that are late come first."""
    invited, today = invited_for(draft.revision), timezone.localdate()
    asked = [replace(row, asking=_asking(draft, row, invited, today)) for row in rows]
    return sorted(asked, key=lambda row: not (row.asking and row.asking.overdue))


def _asking(draft: Draft, row: QuestionRow, invited: set[str], today: date) -> Asking | None:
    if not row.key:
        return None
    due = due_day(row.when, today)
    wanted = wanted_for(draft, row.key, due)
    late = due is not None and due < today
    if wanted is None:
        return Asking(overdue=late, invited=False, url="")
    guests = reverse("intake:guests", args=[draft.requisition.pk])
    return Asking(
        overdue=late,
        invited=row.key in invited,
        url=f"{guests}?{urlencode({'question': row.key})}#invite",
        section=wanted.section,
        name=wanted.name,
        email=wanted.email,
        due=None if late else due,
    )
