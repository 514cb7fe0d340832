"""Open questions as rows: on the workspace, to ask the client, before approval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from apps.core.formatting import percent
from apps.estimation.presenters import InfluenceView, influence_of
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import OpenQuestion
from apps.review.dossier import Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestionRow:
    """One open question. `lines` say who asked, who answers and how far it moves the result."""

    id: UUID
    ball: int
    key: str
    text: str
    who: str
    due: str
    lines: tuple[str, ...]


def open_question_rows(
    questions: Iterable[OpenQuestion], influence: InfluenceView | None = None
) -> list[OpenQuestionRow]:
    """In the order given: the place is the number of the balloon. With `influence` a question says
    in figures what its answer changes."""
    return [_row(place, question, influence) for place, question in enumerate(questions, start=1)]


def rows_with_figures(dossier: Dossier) -> list[OpenQuestionRow]:
    """Those of a revision with what the calculation in force says of them."""
    result = dossier.result
    return open_question_rows(dossier.questions, influence_of(result) if result else None)


def question_text(question: OpenQuestion) -> str:
    """The engineer's words, else the short name: without its page “What is in it?” says nothing."""
    if question.text:
        return question.text
    asked = QUESTIONS.get(question.key)
    return str(asked.name) if asked else question.key


def _row(place: int, question: OpenQuestion, influence: InfluenceView | None) -> OpenQuestionRow:
    return OpenQuestionRow(
        id=question.pk,
        ball=place,
        key=question.key,
        text=question_text(question),
        who=question.owner_name,
        due=question.due_text,
        lines=tuple(_lines(question, influence)),
    )


def _lines(question: OpenQuestion, influence: InfluenceView | None) -> Iterable[str]:
    yield str(OpenQuestion.Origin(question.origin).label)
    if question.owner_name or question.due_text:
        yield ", ".join(part for part in (question.owner_name, question.due_text) if part)
    asked = QUESTIONS.get(question.key)
    moves = influence.words_of(asked.field) if influence and asked and asked.field else ""
    if moves:
        yield moves
    elif question.influence is not None:
        yield _("moves the result by up to %(share)s") % {"share": percent(question.influence)}
