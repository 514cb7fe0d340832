"""Reading estimates. The caller has got the revision through `revision_get_for`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from apps.estimation.edited import with_edits
from apps.estimation.edits import edits_of
from apps.estimation.magnitude import as_shown
from apps.estimation.models import Assessment, Calculation, EstimateResult
from apps.estimation.services import assemble_key, estimate_key
from apps.jobs.models import Job
from apps.jobs.selectors import jobs_with_keys, run_state
from apps.requisitions.models import Revision
from apps.sizing.estimators.registry import ESTIMATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorRun:
    """How far one estimator is. `state` is queued, running, done, lacking or failed."""

    key: str
    state: str
    took_s: float | None
    reason: str


def latest_calculation(revision: Revision) -> Calculation | None:
    return revision.calculations.order_by("number").last()


def latest_assessment(revision: Revision) -> Assessment | None:
    """The newest assessment, which may be older than a calculation that still runs."""
    return (
        Assessment.objects.filter(calculation__revision=revision)
        .select_related("calculation")
        .order_by("calculation__number")
        .last()
    )


def result_of(assessment: Assessment) -> dict[str, Any]:
    """The result document `podbor.result/1`."""
    document: dict[str, Any] = json.loads(assessment.result_text)
    return document


def shown_result(assessment: Assessment) -> dict[str, Any]:
    """The result as people read it: rounded where it says a magnitude, with what engineers added."""
    return with_edits(as_shown(result_of(assessment)), edits_of(assessment.calculation.revision))


def task_of(calculation: Calculation) -> dict[str, Any]:
    """The task document the engine was given."""
    document: dict[str, Any] = json.loads(calculation.input_text)["task"]
    return document


def runs_of(calculation: Calculation) -> list[EstimatorRun]:
    """The estimators' states in the order of the pipeline, the assembly last."""
    keys = {e.key: estimate_key(calculation, e.key) for e in ESTIMATORS}
    keys["assemble"] = assemble_key(calculation)
    jobs = jobs_with_keys(list(keys.values()))
    results = {row.estimator: row for row in calculation.results.all()}
    return [_run(name, jobs.get(key), results.get(name)) for name, key in keys.items()]


def _run(name: str, job: Job | None, result: EstimateResult | None) -> EstimatorRun:
    if job is None:
        return EstimatorRun(key=name, state=run_state(job), took_s=None, reason="")
    took = None
    if job.finished_at and job.started_at:
        took = (job.finished_at - job.started_at).total_seconds()
    reason = result.reason if result else job.last_error
    return EstimatorRun(key=name, state=run_state(job), took_s=took, reason=reason)
