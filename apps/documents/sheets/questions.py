"""Open questions, ranked by how far each moves the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from apps.core import formatting
from apps.core.palette import ACCENT, SUNKEN
from apps.core.svg import Paint, document, rect
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, clipped, question_label
from apps.documents.snapshot import Question
from apps.estimation.presenters import InfluenceView, influence_of
from apps.questionnaire.sections import QUESTIONS

# What a share of the result means in words, from the strongest.
_WORDS: Final[tuple[tuple[float, Promise], ...]] = (
    (0.6, pgettext_lazy("influence", "strong")),
    (0.3, pgettext_lazy("influence", "noticeable")),
    (0.0, pgettext_lazy("influence", "weak")),
)
_EXPLAINED: Final = 6
_BAR_WIDTH: Final = 60
_BAR_HEIGHT: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """`why` says in figures what the answer changes, else why it is asked; it is empty for questions
    of little weight. `bar` is a drawing or empty."""

    number: int
    label: str
    why: str
    who: str
    influence: str
    bar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """`memory` and `time` are drawings of how far the questions move the recommended variant, or
    empty; the words of the rows hold their figures."""

    conclusion: str
    rows: tuple[QuestionRow, ...]
    memory: str = ""
    time: str = ""


def questions_of(reading: Reading) -> Questions:
    influence = influence_of(reading.result, balls=reading.balls) or InfluenceView()
    rows = tuple(
        _row(number, question, influence.words_of(question.field))
        for number, question in enumerate(reading.snapshot.questions, start=1)
    )
    ranked = any(question.influence is not None for question in reading.snapshot.questions)
    return Questions(
        conclusion=_conclusion(len(rows), ranked=ranked),
        rows=rows,
        memory=influence.memory.wide if influence.memory else "",
        time=influence.time.wide if influence.time else "",
    )


def _conclusion(count: int, *, ranked: bool) -> str:
    if not count:
        return _("Nothing is open: the figures stand on stated values.")
    if not ranked:
        return ngettext(
            "%(shown)s open question; how far it moves the result is not worked out.",
            "%(shown)s open questions; how far they move the result is not worked out.",
            count,
        ) % {"shown": formatting.number(count)}
    return ngettext(
        "%(shown)s open question. The answer narrows the ranges.",
        "%(shown)s open questions, the one that moves the result most comes first.",
        count,
    ) % {"shown": formatting.number(count)}


def _row(number: int, question: Question, moves: str) -> QuestionRow:
    known = QUESTIONS.get(question.key)
    ranked = question.influence is not None and number <= _EXPLAINED
    why = str(known.why) if known and ranked and not question.text else ""
    return QuestionRow(
        number=number,
        label=question_label(question),
        why=moves or why,
        who=who_and_when(question),
        influence=_influence_word(question.influence),
        bar=_bar(question.influence),
    )


def who_and_when(question: Question) -> str:
    """Who may know and by when, in the client's words."""
    parts = (clipped(question.owner, LINE_MAX_CHARS), clipped(question.due, LINE_MAX_CHARS))
    return ", ".join(part for part in parts if part) or _("nobody is named yet")


def _influence_word(influence: float | None) -> str:
    if influence is None:
        return _("not worked out")
    return next(str(word) for least, word in _WORDS if influence >= least)


def _bar(influence: float | None) -> str:
    if influence is None:
        return ""
    share = min(max(influence, 0.0), 1.0)
    body = rect(0, 0, _BAR_WIDTH, _BAR_HEIGHT, Paint("c-sunken", SUNKEN))
    body += rect(0, 0, _BAR_WIDTH * share, _BAR_HEIGHT, Paint("c-accent", ACCENT))
    return document(
        _BAR_WIDTH, _BAR_HEIGHT, body, title=formatting.percent(round(share, 2)), css="bar"
    )
