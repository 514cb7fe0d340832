"""What the client said: task, five parameters, recipe, purchase, rack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, answer_label, clipped, in_two
from apps.questionnaire.question import Kind
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import SectionSummary, SummaryRow, summarise
from apps.requisitions.authors import AuthorName, hands_of
from apps.requisitions.models import Attachment

# Contacts stay out of a paper that travels.
# Characters that fit into a line, to balance two stacks.
_LINE_CHARS: Final = 48
_LABEL_CHARS: Final = 25
_VALUE_CHARS: Final = 30
# Its answers stand under the question whether training is needed.
_GOAL: Final = "goal"
_PRIVATE: Final = frozenset({"contact_name", "contact_email"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A long answer in the client's own words."""

    label: str
    text: str


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
class Inputs:
    conclusion: str
    quotations: tuple[tuple[Quotation, ...], ...]
    stacks: tuple[tuple[AnswerGroup, ...], ...]
    attachments: tuple[str, ...]
    most: str


def inputs_of(reading: Reading) -> Inputs:
    """Everything the client said, as typed and understood; what was not asked is not there."""
    summaries = tuple(s for s in summarise(reading.evaluated) if s.section.key != _GOAL)
    return Inputs(
        conclusion=_conclusion(reading),
        quotations=in_two(tuple(_quotations(summaries)), _quotation_lines),
        stacks=_stacks(reading, summaries),
        attachments=tuple(_attachments(reading)),
        most=hands_of(_authors(reading)).most,
    )


def _quotation_lines(quotation: Quotation) -> float:
    return 2 + len(quotation.text) / _LINE_CHARS


def _stacks(
    reading: Reading, summaries: tuple[SectionSummary, ...]
) -> tuple[tuple[AnswerGroup, ...], ...]:
    """All rows in two stacks; a section that falls into both has its name over each part."""
    named = [(str(s.section.name), row) for s in summaries for row in _rows(reading, s)]
    first = dict(reversed(named))
    return tuple(
        tuple(_groups(stack))
        for stack in in_two(named, lambda one: _row_lines(one[1]) + (first[one[0]] is one[1]))
    )


def _row_lines(row: AnswerRow) -> float:
    """Lines a row takes; the more of label and value counts."""
    label, value = ceil(len(row.label) / _LABEL_CHARS), ceil(len(row.value) / _VALUE_CHARS)
    return max(label, value + bool(row.detail) + bool(row.by), 1)


def _groups(named: Sequence[tuple[str, AnswerRow]]) -> Iterator[AnswerGroup]:
    for name, members in groupby(named, key=itemgetter(0)):
        yield AnswerGroup(name=name, rows=tuple(row for _name, row in members))


def _conclusion(reading: Reading) -> str:
    known = len(reading.evaluated.effective)
    unknown = len(reading.evaluated.unknown)
    text = ngettext("%(shown)s answer", "%(shown)s answers", known) % {
        "shown": formatting.number(known)
    }
    if not unknown:
        return _("%(answers)s, none of them “I do not know”.") % {"answers": text}
    return _("%(answers)s and “I do not know” %(unknown)s.") % {
        "answers": text,
        "unknown": ngettext("%(shown)s time", "%(shown)s times", unknown)
        % {"shown": formatting.number(unknown)},
    }


def _is_quotation(row: SummaryRow) -> bool:
    return QUESTIONS[row.key].kind is Kind.LONG and bool(row.value)


def _quotations(summaries: tuple[SectionSummary, ...]) -> Iterator[Quotation]:
    for summary in summaries:
        for row in summary.rows:
            if _is_quotation(row):
                yield Quotation(label=str(row.label), text=clipped(row.value))


def _rows(reading: Reading, summary: SectionSummary) -> Iterator[AnswerRow]:
    changed = {override.field: override for override in reading.snapshot.overrides}
    names = hands_of(_authors(reading)).beside
    for row in summary.rows:
        if _is_quotation(row) or row.key in _PRIVATE:
            continue
        field = QUESTIONS[row.key].field
        override = changed.get(field) if field else None
        if override is not None:
            yield AnswerRow(
                label=answer_label(row.key),
                value=reading.override_text(override),
                struck=_value(row),
                provenance="engineer",
            )
            continue
        yield AnswerRow(
            label=answer_label(row.key),
            value=_value(row),
            provenance=row.provenance if row.value or row.unknown else "",
            detail="" if row.unknown else clipped(row.note, LINE_MAX_CHARS),
            by=clipped(names.get(row.key, ""), LINE_MAX_CHARS),
            ball=reading.balls.get(row.key) if row.unknown else None,
        )


def _authors(reading: Reading) -> dict[str, str]:
    """Who gave which answer of the paper."""
    named = reading.snapshot.authors.items()
    return {k: str(AuthorName(**author)) for k, author in named if k not in _PRIVATE}


def _value(row: SummaryRow) -> str:
    if row.unknown:
        return _("I do not know")
    if QUESTIONS[row.key].kind is Kind.MONEY and row.value:
        return _("“%(text)s” (the client's words)") % {"text": clipped(row.value, LINE_MAX_CHARS)}
    return clipped(row.value, LINE_MAX_CHARS) or formatting.not_given()


def _attachments(reading: Reading) -> Iterator[str]:
    for one in reading.snapshot.attachments:
        # Letters sent before files had a kind name none.
        kind = one.get("kind")
        pattern = (
            _("%(name)s (%(kind)s, %(size)s, sha256 %(hash)s)")
            if kind
            else _("%(name)s (%(size)s, sha256 %(hash)s)")
        )
        yield pattern % {
            "name": clipped(one["name"], LINE_MAX_CHARS),
            "kind": Attachment.Kind(kind).label if kind else "",
            "size": formatting.byte_size(one["size_bytes"]),
            "hash": one["sha256"][:12],
        }
