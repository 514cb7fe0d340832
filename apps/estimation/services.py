"""Starting a calculation, storing what estimators say, assembling the whole."""

from __future__ import annotations

import json
import threading
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from apps.accounts.models import User
from apps.catalog import releases
from apps.catalog.evidence import with_comparison
from apps.catalog.services import uses_store
from apps.core.canonical import canonical_json, sha256_of
from apps.estimation.models import Assessment, Calculation, EstimateResult
from apps.jobs import broker
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.questionnaire.to_task import TASK_FIELDS
from apps.requisitions import services as requisitions
from apps.requisitions.announcements import announce_estimation_failed
from apps.requisitions.models import Revision
from apps.requisitions.workflow import Action, State
from apps.sizing import ENGINE_VERSION
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import ESTIMATORS
from apps.sizing.facts import Catalog
from apps.sizing.measured import measured_catalog, runs_from
from apps.sizing.platforms import Platform, candidate_platforms
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task

_BY_KEY = {estimator.key: estimator for estimator in ESTIMATORS}


def estimate_key(calculation: Calculation, estimator: str) -> str:
    """The job's key: queueing the same estimate twice is one job."""
    return f"estimate:{calculation.pk}:{estimator}"


def assemble_key(calculation: Calculation) -> str:
    return f"assemble:{calculation.pk}"


@transaction.atomic
def calculation_start(
    *,
    revision: Revision,
    task: dict[str, Any],
    context: dict[str, Any],
    actor: User | None,
    reason: str = "",
) -> Calculation:
    """Freeze the engine's input and queue one job an estimator.

    Args:
        task: `podbor.task/1`. It must be readable by `parse_task`.
        context: what the assembly needs beside the task (acquisition, SKU in hand, …).

    Raises:
        TaskError: the task document holds an impossible value.
    """
    parse_task(task)
    text = canonical_json({"task": task, "context": context})
    last = revision.calculations.aggregate(last=Max("number"))["last"] or 0
    calculation = Calculation.objects.create(
        revision=revision,
        number=last + 1,
        input_text=text,
        input_sha256=sha256_of(text),
        catalog_sha256=releases.present_sha256(),
        engine_version=ENGINE_VERSION,
        pending_count=len(ESTIMATORS),
        reason=reason,
        created_by=actor,
    )
    queued = [
        jobs.enqueue(
            kind=f"estimate:{estimator.key}",
            key=estimate_key(calculation, estimator.key),
            payload={"calculation": str(calculation.pk), "estimator": estimator.key},
        )
        for estimator in ESTIMATORS
    ]
    broker.poke_on_commit(*queued)
    return calculation


_settling = threading.Lock()


def engine_input(calculation: Calculation) -> tuple[Task, Catalog, tuple[Platform, ...]]:
    """Everything an estimator takes, from the frozen text and the catalog that it began with; the
    client's own measured runs are in the catalog.

    The estimators of a calculation run at the same time and want the same candidates: the lock
    lets one thread of the worker find them and the others wait for its answer.
    """
    with _settling:
        return _engine_input(calculation.input_text, calculation.catalog_sha256)


@lru_cache(maxsize=16)
def _engine_input(
    input_text: str, catalog_sha256: str
) -> tuple[Task, Catalog, tuple[Platform, ...]]:
    given = json.loads(input_text)
    task = parse_task(given["task"])
    runs = runs_from(given["context"].get("measured") or ())
    catalog = measured_catalog(releases.contents_for(catalog_sha256).catalog, task, runs)
    return task, catalog, candidate_platforms(task, catalog)


def estimate_run(calculation: Calculation, estimator: str) -> dict[str, Any]:
    """Compute, outside any transaction."""
    return _BY_KEY[estimator].run(*engine_input(calculation))


@transaction.atomic
def estimate_store(
    *, calculation: Calculation, estimator: str, held: jobs.Claim, output: dict[str, Any]
) -> None:
    """Store an estimate and finish its job, or nothing if the claim was lost."""
    held.finish()
    EstimateResult.objects.create(
        calculation=calculation,
        estimator=estimator,
        version=_BY_KEY[estimator].version,
        output_text=canonical_json(output),
    )
    _count_down(calculation)


@transaction.atomic
def estimate_missing(*, calculation: Calculation, estimator: str, reason: str) -> None:
    """Note that an estimate will not come: its cell stays empty with the reason."""
    EstimateResult.objects.create(
        calculation=calculation,
        estimator=estimator,
        version=_BY_KEY[estimator].version,
        failed=True,
        reason=reason,
    )
    _tell_failure(calculation)
    _count_down(calculation)


def _tell_failure(calculation: Calculation) -> None:
    """Not of what a later letter has replaced: nobody waits for it."""
    if calculation.revision.state == State.SUPERSEDED:
        return
    announce_estimation_failed(revision=calculation.revision, calculation_id=calculation.pk)


def _count_down(calculation: Calculation) -> None:
    """Whoever brings the counter to zero queues the assembly."""
    rows = Calculation.objects.filter(pk=calculation.pk)
    rows.update(pending_count=F("pending_count") - 1)  # holds the row until commit
    if rows.get().pending_count == 0:
        job = jobs.enqueue(
            kind="assemble",
            key=assemble_key(calculation),
            payload={"calculation": str(calculation.pk)},
        )
        broker.poke_on_commit(job)


def assessment_build(calculation: Calculation) -> dict[str, Any]:
    """Assemble the result document from what the estimators said."""
    rows = {row.estimator: row for row in calculation.results.all()}
    # In the pipeline's order, not in that of finishing: the same input gives the same text.
    outputs = {
        key: None if rows[key].failed else json.loads(rows[key].output_text)
        for key in _BY_KEY
        if key in rows
    }
    task, catalog, platforms = engine_input(calculation)
    context = json.loads(calculation.input_text)["context"]
    result = assemble(task, catalog, platforms, outputs, context_around(context))
    published = releases.contents_for(calculation.catalog_sha256).catalog
    return with_comparison(result, task, platforms, published)


def context_around(context: dict[str, Any]) -> dict[str, Any]:
    """What the assembly wants to know of the wishes around the task, flat."""
    wish, series = context.get("acquisition", {}), context.get("series", {})
    cycles = context.get("cycles", {})
    return {
        "acquisition": wish.get("acquisition"),
        "offer": wish.get("sku"),
        "own_rack": wish.get("own_rack"),
        "agreed": context.get("site", {}).get("site_agreed"),
        "busy_ratio": _ratio(context.get("horizon", {}).get("busy_share")),
        "rent_hours": wish.get("rent_hours"),
        "experiments": series.get("experiments"),
        "stop_stated": bool(series.get("stop_criteria")),
        "cap_gpu_hours": series.get("series_cap"),
        "months_acceptable": series.get("months_acceptable"),
        "cycle_every_hours": cycles.get("cycle_every"),
        "cycle_share_ratio": _ratio(cycles.get("cycle_share")),
        "explore": True,
    }


def _ratio(percent: float | None) -> float | None:
    return None if percent is None else percent / 100


@transaction.atomic
def assessment_store(
    *, calculation: Calculation, held: jobs.Claim, result: dict[str, Any]
) -> Assessment:
    """Store the assessment, rank the open questions, hand the revision to review."""
    held.finish()
    text = canonical_json(result)
    assessment = Assessment.objects.create(
        calculation=calculation, result_text=text, result_sha256=sha256_of(text)
    )
    Calculation.objects.filter(pk=calculation.pk).update(
        state=Calculation.State.DONE, finished_at=timezone.now()
    )
    uses_store(calculation=calculation.pk, slugs=_hardware_named(result))
    requisitions.questions_rank(revision=calculation.revision, influence=_influence(result))
    _to_review(calculation.revision)
    return assessment


def _hardware_named(result: dict[str, Any]) -> set[str]:
    """Servers and accelerators of the variants."""
    variants = result.get("variants") or ()
    return {v[part] for v in variants for part in ("server", "accelerator") if v.get(part)}


def _influence(result: dict[str, Any]) -> dict[str, float]:
    """By how much each unknown moves the result: question of the questionnaire -> ratio."""
    asked = result["open_questions"]
    return {TASK_FIELDS[q["field"]]: q["influence"] for q in asked if q["field"] in TASK_FIELDS}


def _to_review(revision: Revision) -> None:
    """Held, because its client may be sending the next letter, which ends this one."""
    held = Revision.objects.select_for_update(of=("self",)).select_related("requisition")
    row = held.get(pk=revision.pk)
    if row.state == State.ESTIMATING:
        requisitions.revision_transition(revision=row, action=Action.FINISH_ESTIMATES, actor=None)


@transaction.atomic
def calculation_fail(calculation: Calculation) -> None:
    """The assembly could not be made: people take over with what there is."""
    Calculation.objects.filter(pk=calculation.pk).update(
        state=Calculation.State.FAILED, finished_at=timezone.now()
    )
    _tell_failure(calculation)
    _to_review(calculation.revision)


def calculation_of(job: Job) -> Calculation:
    return Calculation.objects.select_related("revision__requisition").get(
        pk=job.payload["calculation"]
    )
