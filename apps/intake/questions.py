"""Open questions as rows: those the client marked, those the engineer asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.intake.navigation import question_url
from apps.intake.selectors import Draft, asked_by_engineer
from apps.questionnaire.influences import influence_names
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import open_questions

# A question in the engineer's words that is about no question of the form is answered here.
_FREE_ANSWERS: Final = "business_task"


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """`ball` is the number in the balloon, None for a question that is not one of the client's own
    and has no number in the document; without `href` there is nowhere to answer."""

    ball: int | None
    text: str
    sub: str
    href: str
    link: str


def client_questions(draft: Draft, *, most: int | None = None) -> list[QuestionRow]:
    """What is marked unknown, first what moves the result most."""
    rows = []
    for number, row in enumerate(open_questions(draft.evaluated)[:most], 1):
        moves = pgettext("open question", "Moves: %(what)s") % {
            "what": influence_names(QUESTIONS[row.key])
        }
        sub = ". ".join(part for part in (moves, _who_and_when(row.who, row.when)) if part)
        rows.append(
            QuestionRow(number, str(row.label), sub, question_url(draft, row.key), _("Answer"))
        )
    return rows


def _who_and_when(who: str, when: str) -> str:
    return ", ".join(part for part in (who, when) if part)


def engineer_questions(draft: Draft) -> list[QuestionRow]:
    """What the engineer wants to know before going on."""
    rows = []
    for question in asked_by_engineer(draft.revision):
        known = QUESTIONS.get(question.key)
        asked = known is not None and known.key in draft.evaluated.answers
        text = question.text or str(known.name if known else question.key)
        sub = str(known.name) if known and question.text else ""
        key = question.key if asked else "" if known else _FREE_ANSWERS
        if key == _FREE_ANSWERS and not known:
            sub = _("Add the answer to the description of the task.")
        href = question_url(draft, key) if key else ""
        rows.append(QuestionRow(None, text, sub, href, _("Answer") if key else ""))
    return rows
