"""A requisition in review for the tests of these screens: answers, calculation, people."""

import json
from functools import cache
from typing import Any

from apps.accounts.models import Role, User
from apps.catalog.facts import fixture_catalog
from apps.core.canonical import canonical_json, sha256_of
from apps.documents.models import Document
from apps.estimation.inputs import context_of
from apps.estimation.models import Assessment, Calculation, EstimateResult
from apps.estimation.services import calculation_start, estimate_key
from apps.jobs.models import Job, JobState
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.summary import headline
from apps.questionnaire.to_task import to_task
from apps.requisitions.models import Revision
from apps.requisitions.services import (
    requisition_create,
    revision_submit,
    revision_take,
    revision_transition,
)
from apps.requisitions.workflow import Action, State
from apps.review.services import approval_request
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.measured import measured_catalog, runs_from
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from tests.factories import make_client, make_user

ANSWERS: dict[str, RawAnswer] = {
    "purpose": RawAnswer("domain"),
    "weights_change": RawAnswer("yes"),
    "alternatives": RawAnswer("not-enough"),
    "evidence": RawAnswer("Готовая модель с поиском: 61 % верных ответов, нужно 85 %"),
    "business_task": RawAnswer(
        "Операторы поддержки получают черновик ответа в стиле компании, 400 обращений в день"
    ),
    "success_criterion": RawAnswer("Не меньше 85 % верных ответов на 200 отложенных вопросах"),
    "held_out_set": RawAnswer("yes"),
    "contact_name": RawAnswer("Анна Верещагина"),
    "contact_email": RawAnswer("anna@ladoga.example"),
    "strategy": RawAnswer("finetune"),
    "method": RawAnswer("full"),
    "stage": RawAnswer("sft"),
    "model_source": RawAnswer("published"),
    "model_name": RawAnswer("Llama-3.1-8B"),
    "dataset_bytes": RawAnswer("46 ГБ"),
    "data_kind": RawAnswer("text"),
    "tokens": RawAnswer("1,2 млрд"),
    "data_location": RawAnswer("local"),
    "preprocessing": RawAnswer("light"),
    "target_time": RawAnswer("72 ч"),
    "time_scope": RawAnswer("run"),
    "runs_per_quarter": RawAnswer("6"),
    "parallel_runs": RawAnswer("1"),
    "experiments": RawAnswer("8"),
    "stop_criteria": RawAnswer("Если прирост меньше 1 % за три прогона"),
    "use": RawAnswer("3-5y"),
    "growth": RawAnswer("1,5"),
    "sharing": RawAnswer("team"),
    "framework": RawAnswer("torchtune"),
    "precision": RawAnswer("bf16-mixed"),
    "optimizer": RawAnswer("adamw"),
    "sequence_length": RawAnswer("8192", provenance="file", note="train.yaml:14"),
    "micro_batch": RawAnswer("2", provenance="file", note="train.yaml:22"),
    "grad_accumulation": RawAnswer("8"),
    "activation_checkpointing": RawAnswer("full"),
    "attention": RawAnswer("flash"),
    "fused_cross_entropy": RawAnswer(unknown=True, who="Анна", when="4 декабря"),
    "offload": RawAnswer("none"),
    "epochs": RawAnswer("3"),
    "saves_kept": RawAnswer("5"),
    "acquisition": RawAnswer("buy"),
    "wanted_date": RawAnswer("15 декабря 2026"),
    "power_known_as": RawAnswer("kilowatts"),
    "kw_usable": RawAnswer("5 кВт"),
    "feeds": RawAnswer("2"),
    "cooling": RawAnswer("air"),
    "rack_units": RawAnswer("12"),
    "depth_mm": RawAnswer(unknown=True),
}


def make_estimating(owner: User | None = None, **answers: RawAnswer) -> Revision:
    """A sent revision whose calculation waits for a worker."""
    owner = owner or make_client()
    assert owner.company is not None
    draft = requisition_create(company=owner.company, owner=owner, actor=owner)
    evaluated = evaluate(ANSWERS | answers)
    effective = {k: a.raw.as_dict() for k, a in evaluated.answers.items() if not a.blank}
    revision = revision_submit(
        revision=draft, actor=owner, effective=effective, title=headline(evaluated)
    )
    task = to_task(evaluated, task_id=revision.requisition.display_number)
    calculation_start(revision=revision, task=task, context=context_of(evaluated, {}), actor=owner)
    return revision


@cache
def _said(input_text: str, failed: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the estimators and the assembly say of an input: worked out once for all tests."""
    given = json.loads(input_text)
    task = parse_task(given["task"])
    runs = runs_from(given["context"].get("measured") or ())
    catalog = measured_catalog(fixture_catalog(), task, runs)
    platforms = candidate_platforms(task, catalog)
    outputs = estimate_all(task, catalog, platforms) | dict.fromkeys(failed)
    return outputs, assemble(task, catalog, platforms, outputs, {"explore": True})


def finish_calculation(calculation: Calculation, failed: tuple[str, ...] = ()) -> None:
    """Store what the workers would, without computing it again for every test.

    Args:
        failed: estimators to have failed instead.
    """
    given = json.loads(calculation.input_text)
    given["task"]["id"] = None
    outputs, result = _said(canonical_json(given), failed)
    for key, output in outputs.items():
        if key in failed:
            EstimateResult.objects.create(
                calculation=calculation, estimator=key, failed=True, reason=f"{key} broke"
            )
            Job.objects.filter(key=estimate_key(calculation, key)).update(
                state=JobState.FAILED, last_error=f"{key} broke"
            )
            continue
        EstimateResult.objects.create(
            calculation=calculation, estimator=key, output_text=canonical_json(output)
        )
    text = canonical_json(result)
    Assessment.objects.create(
        calculation=calculation, result_text=text, result_sha256=sha256_of(text)
    )
    Job.objects.exclude(state=JobState.FAILED).update(state=JobState.DONE)
    Calculation.objects.filter(pk=calculation.pk).update(
        state=Calculation.State.DONE, pending_count=0
    )
    revision = calculation.revision
    revision.refresh_from_db()
    if revision.state == State.ESTIMATING:
        revision_transition(revision=revision, action=Action.FINISH_ESTIMATES, actor=None)


def make_in_review(
    engineer: User | None = None,
    owner: User | None = None,
    failed: tuple[str, ...] = (),
    **answers: RawAnswer,
) -> Revision:
    """Calculated, and taken by `engineer` when one is given."""
    revision = make_estimating(owner, **answers)
    finish_calculation(revision.calculations.get(), failed)
    revision.refresh_from_db()
    if engineer is not None:
        revision_take(revision=revision, actor=engineer)
    return revision


def print_documents(revision: Revision) -> None:
    """Let every document that waits be printed, without printing it."""
    for document in Document.objects.filter(revision=revision, sha256=""):
        digest = sha256_of(f"{document.pk} {document.snapshot_text}")
        Document.objects.filter(pk=document.pk).update(
            sha256=digest, size_bytes=1000, page_count=10
        )


def make_in_approval(engineer: User, owner: User | None = None) -> Revision:
    """With the approver, its drafts printed."""
    revision = make_in_review(engineer, owner)
    approval_request(
        revision=revision, actor=engineer, comment="", expected_version=revision.version
    )
    print_documents(revision)
    revision.refresh_from_db()
    return revision


def draft_sha256(revision: Revision, language: str = "ru") -> str:
    return Document.objects.get(revision=revision, kind="draft", language=language).sha256


def make_engineer() -> User:
    return make_user(Role.ENGINEER)


def make_approver() -> User:
    return make_user(Role.APPROVER)


def make_manager() -> User:
    return make_user(Role.MANAGER)
