"""Everything known about one revision in review, read once for a page or a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.estimation.inputs import evaluated_of, task_of_answers, with_values
from apps.estimation.models import Assessment, Calculation
from apps.estimation.presenters import VariantView, variants_of
from apps.estimation.selectors import latest_assessment, latest_calculation, shown_result
from apps.pilots.standing import held_back, stop_of
from apps.questionnaire.answers import Evaluated
from apps.requisitions.models import OpenQuestion, Override, Revision
from apps.requisitions.selectors import open_questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """`asked_task` is what the client's answers say, `task` with the engineer's values in it.

    `assessment` and `result` belong to the newest calculation that came to an end, which may be
    older than `calculation`; the result is as people see it (see `shown_result`, `held_back`).
    """

    revision: Revision
    evaluated: Evaluated
    asked_task: Mapping[str, Any]
    task: Mapping[str, Any]
    overrides: tuple[Override, ...]
    questions: tuple[OpenQuestion, ...]
    calculation: Calculation | None
    assessment: Assessment | None
    result: Mapping[str, Any] | None
    variants: tuple[VariantView, ...]

    @property
    def recommended(self) -> VariantView | None:
        """The variant that the conclusion speaks of."""
        return next((v for v in self.variants if v.recommended), None)

    @property
    def running(self) -> bool:
        return self.calculation is not None and self.calculation.state == Calculation.State.RUNNING

    @property
    def stale(self) -> bool:
        """The figures are of an earlier calculation than the latest one."""
        if self.assessment is None or self.calculation is None:
            return False
        return self.assessment.calculation_id != self.calculation.pk


def dossier_of(revision: Revision) -> Dossier:
    """Read it all. The caller has got the revision through a `*_for` selector."""
    evaluated = evaluated_of(revision)
    asked = task_of_answers(revision, evaluated)
    standing = revision.overrides.filter(removed_at__isnull=True)
    overrides = tuple(
        standing.select_related("author", "carried_from__revision").prefetch_related("replies__by")
    )
    assessment = latest_assessment(revision)
    result = None
    if assessment is not None:
        result = held_back(shown_result(assessment), stop_of(revision))
    return Dossier(
        revision=revision,
        evaluated=evaluated,
        asked_task=asked,
        task=with_values(asked, {o.field: o.value for o in overrides}),
        overrides=overrides,
        questions=tuple(open_questions_of(revision)),
        calculation=latest_calculation(revision),
        assessment=assessment,
        result=result,
        variants=tuple(variants_of(result)) if result else (),
    )
