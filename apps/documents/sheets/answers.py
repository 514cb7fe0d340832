"""The appendix: every answer, in the order of a technical specification of eleven fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, answer_label, clipped, in_two
from apps.phrases.sentence import request_sentence
from apps.phrases.specification import CONTACTS, PARTS, questions_of
from apps.questionnaire.question import Kind
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import SummaryRow, summarise
from apps.requisitions.authors import AuthorName, hands_of

# Characters that fit into a line, to balance two stacks.
_LABEL_CHARS: Final = 25
_VALUE_CHARS: Final = 30
# Contacts stay out of a paper that travels.
PRIVATE: Final = frozenset(CONTACTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One answer. `ball` is the number of its open question; `struck` a value the engineer
    replaced, `value` then being the engineer's. Nobody answered: no `provenance`. `by` gave the
    answer, where that is not who gave most of them."""

    label: str
    value: str
    provenance: str
    struck: str = ""
    detail: str = ""
    by: str = ""
    ball: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGroup:
    name: str
    rows: tuple[AnswerRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersSheet:
    """`request` is the whole task in one sentence, `most` who gave most of the answers."""

    conclusion: str
    request: str
    stacks: tuple[tuple[AnswerGroup, ...], ...]
    most: str


def answers_of(reading: Reading) -> AnswersSheet:
    """Everything the client said, as typed and understood, without the contacts."""
    return AnswersSheet(
        conclusion=_("All answers in eleven fields: it can be sent to a supplier as it stands."),
        request=clipped(request_sentence(reading.evaluated)),
        stacks=_stacks(reading),
        most=hands_of(_authors(reading)).most,
    )


def is_quotation(row: SummaryRow) -> bool:
    """A long answer in the client's own words."""
    return QUESTIONS[row.key].kind is Kind.LONG and bool(row.value)


def rows_by_key(reading: Reading) -> dict[str, AnswerRow]:
    """Every answer of the paper as a row, by its question."""
    return {
        row.key: _row(reading, row)
        for section in summarise(reading.evaluated)
        for row in section.rows
        if row.key not in PRIVATE
    }


def _stacks(reading: Reading) -> tuple[tuple[AnswerGroup, ...], ...]:
    """All rows in two stacks; a field that falls into both has its name over each part."""
    rows, named = rows_by_key(reading), []
    for number, part in enumerate(PARTS, start=1):
        name = f"{formatting.number(number)}. {part.title}"
        found = [rows[key] for key in questions_of(part) if key in rows]
        named += [(name, row) for row in found or [_nothing()]]
    first = dict(reversed(named))
    return tuple(
        tuple(_groups(stack))
        for stack in in_two(named, lambda one: _lines(one[1]) + (first[one[0]] is one[1]))
    )


def _nothing() -> AnswerRow:
    """A field of which nothing was asked."""
    return AnswerRow(
        label=_("All of it"), value=_("not asked: it does not concern this task"), provenance=""
    )


def _lines(row: AnswerRow) -> float:
    """Lines a row takes; the more of label and value counts."""
    label, value = ceil(len(row.label) / _LABEL_CHARS), ceil(len(row.value) / _VALUE_CHARS)
    return max(label, value + bool(row.detail) + bool(row.by), 1)


def _groups(named: Sequence[tuple[str, AnswerRow]]) -> Iterator[AnswerGroup]:
    for name, members in groupby(named, key=itemgetter(0)):
        yield AnswerGroup(name=name, rows=tuple(row for _name, row in members))


def _row(reading: Reading, row: SummaryRow) -> AnswerRow:
    field = QUESTIONS[row.key].field
    override = next((o for o in reading.snapshot.overrides if o.field == field), None)
    if field and override is not None:
        return AnswerRow(
            label=answer_label(row.key),
            value=reading.override_text(override),
            struck=_value(row),
            provenance="engineer",
        )
    by = hands_of(_authors(reading)).beside.get(row.key, "")
    return AnswerRow(
        label=answer_label(row.key),
        value=_value(row),
        provenance=row.provenance if row.value or row.unknown else "",
        detail="" if row.unknown else clipped(row.note, LINE_MAX_CHARS),
        by=clipped(by, LINE_MAX_CHARS),
        ball=reading.balls.get(row.key) if row.unknown else None,
    )


def _authors(reading: Reading) -> dict[str, str]:
    """Who gave which answer of the paper."""
    named = reading.snapshot.authors.items()
    return {k: str(AuthorName(**author)) for k, author in named if k not in PRIVATE}


def _value(row: SummaryRow) -> str:
    if row.unknown:
        return _("I do not know")
    if QUESTIONS[row.key].kind is Kind.MONEY and row.value:
        return _("“%(text)s” (the client's words)") % {"text": clipped(row.value, LINE_MAX_CHARS)}
    return clipped(row.value, LINE_MAX_CHARS) or formatting.not_given()
