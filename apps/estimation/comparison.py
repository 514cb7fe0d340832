"""Two revisions of a requisition compared: what the client changed and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.estimation.inputs import evaluated_of
from apps.estimation.magnitude import as_shown
from apps.estimation.selectors import latest_assessment, result_of
from apps.questionnaire.changes import AnswerChange, answer_changes
from apps.requisitions.models import Revision
from apps.sizing.changes import changes_between


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`result` is what `changes_between` says of the two, None while either has no result; `who`
    names who typed the answer that stands now, by question."""

    old: Revision
    new: Revision
    answers: tuple[AnswerChange, ...]
    result: Mapping[str, Any] | None
    who: Mapping[str, str]


def comparison_of(old: Revision, new: Revision) -> Comparison:
    """The caller has got both revisions through a `*_for` selector."""
    answers = answer_changes(evaluated_of(old), evaluated_of(new))
    return Comparison(
        old=old,
        new=new,
        answers=answers,
        result=_results(old, new),
        who=_who(new, [change.key for change in answers]),
    )


def _results(old: Revision, new: Revision) -> Mapping[str, Any] | None:
    before, after = latest_assessment(old), latest_assessment(new)
    if before is None or after is None:
        return None
    return changes_between(as_shown(result_of(before)), as_shown(result_of(after)))


def _who(revision: Revision, keys: list[str]) -> dict[str, str]:
    rows = revision.answers.filter(key__in=keys).select_related("updated_by", "guest")
    return {row.key: str(row.author) for row in rows}
