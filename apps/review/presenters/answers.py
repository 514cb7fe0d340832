"""The client's answers as the engineer reads them, with the engineer's values beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from apps.estimation.inputs import value_in
from apps.estimation.texts import field_label, value_text
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import SummaryRow, summarise
from apps.requisitions.authors import authors_of, hands_of
from apps.requisitions.models import OpenQuestion, Override
from apps.requisitions.services import reply_of
from apps.review.dossier import Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideView:
    """The engineer's value of a field. `was` is the client's, in words; `carried` the earlier
    letter that the value was set in, "" for this one; `answer` what the client says of it, accepted,
    declined or "", in `words`."""

    field: str
    label: str
    was: str
    now: str
    reason: str
    author: str
    at: datetime
    carried: str
    answer: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One answer. `field` is the task field it feeds, "" when the engine has no use for it.

    The label is the field's short noun where there is one, else the question as it was asked.
    """

    key: str
    label: str
    value: str
    provenance: str
    unknown: bool
    ball: int | None
    ask_who: str
    note: str
    by: str
    doubt: str
    field: str
    override: OverrideView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGroup:
    title: str
    rows: tuple[AnswerRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSheet:
    """All answers by section, the engineer's values of fields nobody was asked about, counts.

    `most` gave every answer without a name; empty when one person gave all.
    """

    groups: tuple[AnswerGroup, ...]
    others: tuple[OverrideView, ...]
    answer_count: int
    unknown_count: int
    most: str


def answer_sheet(dossier: Dossier) -> AnswerSheet:
    overrides = {o.field: override_view(dossier, o) for o in dossier.overrides}
    balls = balls_of(dossier.questions)
    given = {k for k, a in dossier.evaluated.answers.items() if not a.blank}
    authors = authors_of(dossier.revision)
    hands = hands_of({key: str(author) for key, author in authors.items() if key in given})
    groups = tuple(
        AnswerGroup(
            title=str(summary.section.name),
            rows=tuple(_row(row, balls, overrides, hands.beside) for row in summary.rows),
        )
        for summary in summarise(dossier.evaluated)
    )
    rows = [row for group in groups for row in group.rows]
    shown = {row.field for row in rows}
    return AnswerSheet(
        groups=groups,
        others=tuple(view for field, view in overrides.items() if field not in shown),
        answer_count=len(rows),
        unknown_count=sum(row.unknown for row in rows),
        most=hands.most,
    )


def balls_of(questions: tuple[OpenQuestion, ...]) -> dict[str, int]:
    """Question of the questionnaire -> number of its balloon, the most influential first."""
    return {q.key: place for place, q in enumerate(questions, start=1) if q.key}


def override_view(dossier: Dossier, override: Override) -> OverrideView:
    was = value_in(dossier.asked_task, override.field)
    reply = reply_of(override)
    return OverrideView(
        field=override.field,
        label=field_label(override.field),
        was=value_text(override.field, was),
        now=value_text(override.field, override.value),
        reason=override.reason,
        author=str(override.author),
        at=override.created_at,
        carried=override.carried_from.revision.letter if override.carried_from else "",
        answer="" if reply is None else "accepted" if reply.accepted else "declined",
        words=reply.words if reply else "",
    )


def _row(
    row: SummaryRow,
    balls: Mapping[str, int],
    overrides: Mapping[str, OverrideView],
    names: Mapping[str, str],
) -> AnswerRow:
    field = QUESTIONS[row.key].field or ""
    return AnswerRow(
        key=row.key,
        label=field_label(field) if field else str(row.label),
        value=row.value,
        provenance=row.provenance,
        unknown=row.unknown,
        ball=balls.get(row.key),
        ask_who=", ".join(part for part in (row.who, row.when) if part),
        note=row.note,
        by=names.get(row.key, ""),
        doubt=str(row.error or row.warning or ""),
        field=field,
        override=overrides.get(field) if field else None,
    )
