"""The answers by section, as rows to read or to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.core.provenance import ORIGINS
from apps.intake.navigation import question_url
from apps.intake.selectors import Draft
from apps.questionnaire.sections import Section
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import SummaryRow, summarise
from apps.requisitions.authors import Hands, hands_of


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A row of the summary list; without `change_url` it is only read.

    `by` names who answered, where that is not who answered most; `origin` is where a value that
    was taken over came from.
    """

    label: Text
    value: str
    provenance: str
    unknown: bool
    ball: int | None
    error: Text | str
    change_url: str
    by: str = ""
    origin: str = ""
    origin_detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckSection:
    name: Text
    rows: tuple[CheckRow, ...]
    unknown_count: int


def check_sections(
    draft: Draft, open_questions: Sequence[SummaryRow] = (), *, editable: bool = True
) -> list[CheckSection]:
    """Every asked question with its answer; balloons number those of the list of open ones."""
    balls = {row.key: number for number, row in enumerate(open_questions, 1)}
    names = names_beside(draft)
    return [
        CheckSection(
            summary.section.name,
            tuple(_row(draft, row, balls, names, editable=editable) for row in summary.rows),
            summary.unknown_count,
        )
        for summary in summarise(draft.evaluated)
    ]


def check_section(draft: Draft, section: Section) -> tuple[CheckRow, ...]:
    """The rows of one section, for whoever answers it alone."""
    shown = [s for s in summarise(draft.evaluated) if s.section.key == section.key]
    return tuple(_row(draft, row, {}, {}, editable=True) for s in shown for row in s.rows)


def hands(draft: Draft) -> Hands:
    """Who gave the answers of a draft; nobody is named when one person did."""
    given = {k: v for k, v in draft.raw.items() if k in draft.evaluated.answers and not v.blank}
    return hands_of({key: str(draft.authors.get(key, "")) for key in given})


def names_beside(draft: Draft) -> Mapping[str, str]:
    """Question -> who answered it. Of what a manager fills in for a client every answer is named."""
    if draft.revision.prepared_by_id is None:
        return hands(draft).beside
    return {key: str(author) for key, author in draft.authors.items()}


def _row(
    draft: Draft,
    row: SummaryRow,
    balls: Mapping[str, int],
    names: Mapping[str, str],
    *,
    editable: bool,
) -> CheckRow:
    return CheckRow(
        label=row.label,
        value=row.value,
        provenance=row.provenance,
        unknown=row.unknown,
        ball=balls.get(row.key),
        error=str(row.error) if row.error else "",
        change_url=question_url(draft, row.key) if editable else "",
        by=names.get(row.key, "") if row.value or row.unknown else "",
        origin=row.provenance if row.value and row.provenance in ORIGINS else "",
        origin_detail=row.note if draft.guest is None else "",
    )
