"""Open questions as rows: those the client marked, those the engineer asks."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.intake.guests import Asking
from apps.intake.influence import DraftInfluence
from apps.intake.navigation import question_url
from apps.intake.replied import FREE_ANSWERS, comment_href, unreplied
from apps.intake.selectors import Draft, asked_by_engineer
from apps.questionnaire.influences import influence_names
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import SummaryRow


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """`ball` is the number in the balloon, None for a question that is not one of the client's own
    and has no number in the document; without `href` there is nowhere to answer. With a `key` who
    may know it and by when can be said beside it. `comment` leads to where a comment is written
    instead; `lacking` says that there is neither yet.
    """

    ball: int | None
    text: str
    sub: str
    href: str
    link: str
    moves: str = ""
    key: str = ""
    who: str = ""
    when: str = ""
    version: int = 0
    asking: Asking | None = None
    comment: str = ""
    lacking: bool = False


def client_questions(draft: Draft, influence: DraftInfluence) -> list[QuestionRow]:
    """What is marked unknown, first what moves the result most."""
    return [
        _own_row(draft, number, row, influence.words_of(row.key))
        for number, row in enumerate(influence.questions, 1)
    ]


def _own_row(draft: Draft, number: int, row: SummaryRow, measured: str) -> QuestionRow:
    moves = measured or pgettext("open question", "Moves: %(what)s") % {
        "what": influence_names(QUESTIONS[row.key])
    }
    return QuestionRow(
        ball=number,
        text=str(row.label),
        sub=_who_and_when(row.who, row.when),
        href=question_url(draft, row.key),
        link=_("Answer"),
        moves=moves,
        key=row.key,
        who=row.who,
        when=row.when,
        version=draft.version(row.key),
    )


def _who_and_when(who: str, when: str) -> str:
    """«Ilya, Friday»."""
    if who and when:
        return _("%(who)s will find out, by %(when)s") % {"who": who, "when": when}
    if who:
        return _("%(who)s will find out") % {"who": who}
    return _("by %(when)s") % {"when": when} if when else ""


def engineer_questions(draft: Draft) -> list[QuestionRow]:
    """What the engineer wants to know before going on."""
    rows = []
    questions = asked_by_engineer(draft.revision)
    lacking = {question.pk for question in unreplied(draft, questions)}
    for question in questions:
        known = QUESTIONS.get(question.key)
        asked = known is not None and known.key in draft.evaluated.answers
        text = question.text or str(known.name if known else question.key)
        sub = str(known.name) if known and question.text else ""
        key = question.key if asked else "" if known else FREE_ANSWERS
        if key == FREE_ANSWERS and not known:
            sub = _("Add the answer to the description of the task.")
        href = question_url(draft, key) if key else ""
        rows.append(
            QuestionRow(
                None,
                text,
                sub,
                href,
                _("Answer") if key else "",
                comment=comment_href(question) if draft.revision.is_draft else "",
                lacking=question.pk in lacking,
            )
        )
    return rows
