"""Whether a client has said something to each question of the engineer before sending again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode

from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.answers import raw_answers as read_raw
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import Annotation, OpenQuestion, Revision
from apps.requisitions.selectors import raw_answers
from apps.requisitions.workflow import State

FREE_ANSWERS: Final = "business_task"
"""Where a question in the engineer's words that is about no question of the form is answered."""


def unreplied(draft: Draft, asked: Iterable[OpenQuestion]) -> list[OpenQuestion]:
    """Of what the engineer asked (`asked_by_engineer`), the questions to which the draft has no
    changed answer and its client no comment.

    Nothing is waited for where nobody asked before this letter, or where the changed answers have
    made the question needless.
    """
    if not draft.revision.is_draft:
        return []
    waiting = [q for q in asked if q.revision.state == State.CHANGES_REQUESTED and _asked(draft, q)]
    if not waiting:
        return []
    earlier = waiting[0].revision
    before, written = read_raw(raw_answers(earlier)), _written(earlier)
    return [
        question
        for question in waiting
        if _same(before.get(_key(question)), draft.raw.get(_key(question)))
        and not any(_about(question) == target for target in written)
    ]


def comment_href(question: OpenQuestion) -> str:
    """Where the client writes a comment instead of changing the answer."""
    revision = question.revision
    status = reverse("intake:status", args=[revision.requisition_id])
    fields = {"letter": revision.letter} | ({"about": _about(question)} if _known(question) else {})
    return f"{status}?{urlencode(fields)}#comment-form"


def _known(question: OpenQuestion) -> bool:
    return question.key in QUESTIONS


def _key(question: OpenQuestion) -> str:
    return question.key if _known(question) else FREE_ANSWERS


def _about(question: OpenQuestion) -> str:
    return f"question:{question.key}" if _known(question) else ""


def _asked(draft: Draft, question: OpenQuestion) -> bool:
    return _key(question) in draft.evaluated.answers


def _written(earlier: Revision) -> set[str]:
    """What the client, or a manager for them, has written about since the questions came:
    `state_since` is that moment."""
    said = earlier.annotations.filter(
        visibility=Annotation.Visibility.CLIENT,
        removed_at__isnull=True,
        created_at__gte=earlier.state_since,
    ).exclude(side=Annotation.Side.REVIEW)
    return set(said.values_list("target", flat=True))


def _same(before: RawAnswer | None, now: RawAnswer | None) -> bool:
    return _said(before or RawAnswer()) == _said(now or RawAnswer())


def _said(answer: RawAnswer) -> tuple[object, ...]:
    """Without whose word it is: only what is said counts."""
    return (answer.value, answer.unknown, answer.who, answer.when, answer.note)
