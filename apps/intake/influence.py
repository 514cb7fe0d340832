"""Which open question of a draft moves the result most, measured on one bare GPU.

The figures are the engine's own for the two plausible answers of each question; no server and no
accelerator is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.estimation.presenters import InfluenceView, influence_view
from apps.intake.rough import RoughInput, rough_input
from apps.intake.selectors import Draft
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import SummaryRow, open_questions
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing.errors import TaskError
from apps.sizing.sensitivity import Sensitivity, sensitivity_at

# Where the engine has no figure, a question stands by its weight among those that have one.
_BY_WEIGHT: Final[Mapping[int, float]] = {3: 0.5, 2: 0.2, 1: 0.05}


@dataclass(frozen=True, slots=True)
class DraftInfluence:
    """`questions` are the open ones, first what moves the result most; the place of each is the
    number of its balloon. `view` is None while nothing can be computed."""

    questions: tuple[SummaryRow, ...]
    view: InfluenceView | None

    def words_of(self, key: str) -> str:
        """What the answer to a question would change, in figures; empty where none are known."""
        rows = self.view.rows if self.view else ()
        return next((row.words for row in rows if row.question_key == key), "")


def influence_of_draft(draft: Draft) -> DraftInfluence:
    """The open questions of a draft with what each of them moves."""
    measured = _measured(rough_input(draft))
    swings = {TASK_FIELDS.get(m.field, ""): m.swing for m in measured.moved} if measured else {}
    ranked = sorted(
        open_questions(draft.evaluated),
        key=lambda row: -swings.get(row.key, _BY_WEIGHT[QUESTIONS[row.key].weight]),
    )
    return DraftInfluence(tuple(ranked), _view(measured, ranked) if measured else None)


def _view(measured: Sensitivity, ranked: list[SummaryRow]) -> InfluenceView:
    """Of the questions that the client has marked; what is still unanswered is asked elsewhere."""
    fields = {row.key: QUESTIONS[row.key].field for row in ranked}
    balls = {field: number for number, field in enumerate(fields.values(), 1) if field}
    block = {
        "now": measured.now.as_dict(),
        "fields": [m.as_dict() for m in measured.moved if m.field in balls],
    }
    return influence_view(block, balls=balls, on_platform=False)


@lru_cache(maxsize=64)
def _measured(given: RoughInput | None) -> Sensitivity | None:
    """Kept per set of answers: one page asks for it after another."""
    if given is None:
        return None
    try:
        return sensitivity_at(given.task, given.catalog, given.place)
    except TaskError:
        return None
