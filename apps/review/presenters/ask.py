"""The page that returns a revision to the client with questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from apps.accounts.models import User
from apps.estimation.presenters import question_rows
from apps.questionnaire.answers import Evaluated
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.requisitions import policy
from apps.requisitions.workflow import Action
from apps.review.dossier import Dossier
from apps.review.forms import AskForm
from apps.review.presenters.questions import OpenQuestionRow, rows_with_figures


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedQuestion:
    """An open question that can be asked with one click."""

    row: OpenQuestionRow
    checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenQuestion:
    """A place for a question in the engineer's words; `about` leads to a question of the form."""

    number: str
    text: str
    about: str


def ask_page(user: User, dossier: Dossier, form: AskForm) -> dict[str, Any]:
    """Open questions of the questionnaire to choose from, places for words, what went wrong."""
    sent = form.data
    keys = sent.getlist("keys") if isinstance(sent, QueryDict) else []
    offered = [
        OfferedQuestion(row=row, checked=row.key in keys)
        for row in rows_with_figures(dossier)
        if row.key
    ]
    written = [
        WrittenQuestion(
            number=number,
            text=sent.get(f"text-{number}", ""),
            about=sent.get(f"about-{number}", ""),
        )
        for number in AskForm.FREE
    ]
    return {
        "offered": offered,
        "suggested": suggested_questions(dossier, keys),
        "written": written,
        "groups": asked_questions(dossier.evaluated),
        "comment": sent.get("comment", ""),
        "problems": _problems(form),
        "allowed": policy.can(user, Action.REQUEST_CHANGES, dossier.revision),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedQuestion:
    """A question whose answer the engine misses, though nobody marked it unknown."""

    key: str
    text: str
    influence: str
    checked: bool


def suggested_questions(dossier: Dossier, chosen: Sequence[str]) -> list[SuggestedQuestion]:
    """What the engine misses beside the open questions, as questions of the form."""
    if dossier.result is None:
        return []
    open_keys = {question.key for question in dossier.questions}
    missed = [
        row
        for row in question_rows(dossier.result)
        if row.question_key in dossier.evaluated.answers and row.question_key not in open_keys
    ]
    return [
        SuggestedQuestion(
            key=row.question_key,
            text=str(QUESTIONS[row.question_key].name),
            influence=row.influence,
            checked=row.question_key in chosen,
        )
        for row in missed
    ]


def asked_questions(evaluated: Evaluated) -> list[tuple[str, list[tuple[str, str]]]]:
    """The questions that the client was asked, by section, to link a written question to."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, answer in evaluated.answers.items():
        section = str(SECTION_OF[key].name)
        groups.setdefault(section, []).append((key, str(answer.question.name)))
    return list(groups.items())


def _problems(form: AskForm) -> list[dict[str, str]]:
    if not form.is_bound:
        return []
    shown = {name: texts for name, texts in form.errors.items() if name != "expected_version"}
    return [
        {"anchor": "ask-questions" if name == "keys" else name, "message": str(texts[0])}
        for name, texts in shown.items()
    ]
