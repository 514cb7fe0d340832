"""What changed since the revision that the client has: answers, conclusions, figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core import formatting
from apps.documents.sheets.reading import LINE_MAX_CHARS, Reading, clipped
from apps.documents.snapshot import Changes
from apps.estimation.presenters.changes import (
    AnswerChangeRow,
    ResultChange,
    VariantChange,
    answer_groups,
    result_change,
)
from apps.questionnaire.changes import AnswerChange

_MOST_ANSWERS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesSheet:
    """`conclusion` is empty for a first revision: the section is left out.

    `rest` says how many answers are not shown, "" when all are.
    """

    title: str
    conclusion: str
    since: str = ""
    letter: str = ""
    rows: tuple[AnswerChangeRow, ...] = ()
    rest: str = ""
    result: ResultChange | None = None
    variants: tuple[VariantChange, ...] = ()


def changes_of(reading: Reading) -> ChangesSheet:
    changes = reading.snapshot.changes
    if changes is None:
        return ChangesSheet(title="", conclusion="")
    result = result_change(changes.result) if changes.result else None
    return ChangesSheet(
        title=_("Changes since revision %(letter)s") % {"letter": changes.since},
        conclusion=_conclusion(changes, result),
        since=changes.since,
        letter=reading.snapshot.letter,
        rows=_rows(changes)[:_MOST_ANSWERS],
        rest=_rest(len(changes.answers) - _MOST_ANSWERS),
        result=result,
        variants=_variants(result, reading.result.get("recommended")),
    )


def _variants(result: ResultChange | None, picked: str | None) -> tuple[VariantChange, ...]:
    """Of the recommended variant every figure, of the others those that left their range."""
    shown = (
        variant
        if variant.key == picked
        else replace(variant, figures=tuple(row for row in variant.figures if row.apart))
        for variant in (result.variants if result else ())
    )
    return tuple(v for v in shown if v.figures or v.verdicts or v.was or v.state != "same")


def _conclusion(changes: Changes, result: ResultChange | None) -> str:
    """The first of the conclusions; the sheet lists the others."""
    if result is not None:
        return result.conclusions[0]
    count = len(changes.answers)
    if not count:
        return _("No answer changed.")
    return ngettext("%(shown)s answer changed.", "%(shown)s answers changed.", count) % {
        "shown": formatting.number(count)
    }


def _rows(changes: Changes) -> tuple[AnswerChangeRow, ...]:
    groups = answer_groups([AnswerChange.from_dict(row) for row in changes.answers], {})
    return tuple(
        replace(row, old=clipped(row.old, LINE_MAX_CHARS), new=clipped(row.new, LINE_MAX_CHARS))
        for group in groups
        for row in group.rows
    )


def _rest(count: int) -> str:
    if count <= 0:
        return ""
    text = ngettext("%(shown)s more answer changed.", "%(shown)s more answers changed.", count)
    return text % {"shown": formatting.number(count)}
