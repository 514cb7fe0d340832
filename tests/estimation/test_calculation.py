"""From a sent revision to its assessment, whatever fails on the way."""

import json

import pytest
from django.utils import timezone

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.estimation import selectors, services
from apps.estimation.models import Assessment, Calculation, EstimateResult
from apps.jobs.models import Job, JobState
from apps.requisitions.workflow import State
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import ESTIMATORS
from tests.factories import make_submitted, make_user
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db

TASK = {
    "schema": "podbor.task/1",
    "strategy": "finetune",
    "method": "lora",
    "model": {"name": "Llama-3.1-8B"},
    "recipe": {"sequence_length": 2048, "micro_batch": 4, "precision": "bf16-pure"},
    "data": {"bytes": 200e9},
}


def start(**overrides):
    revision = make_submitted()
    task = TASK | overrides
    return services.calculation_start(revision=revision, task=task, context={}, actor=None)


def refreshed(calculation: Calculation) -> Calculation:
    return Calculation.objects.select_related("revision").get(pk=calculation.pk)


def test_every_estimator_has_its_own_job_and_then_the_whole_is_assembled():
    calculation = start()
    assert Job.objects.filter(kind__startswith="estimate:").count() == len(ESTIMATORS)
    run_jobs("mail:")  # the receipt
    assert run_jobs() == len(ESTIMATORS) + 1
    calculation = refreshed(calculation)
    assert calculation.state == Calculation.State.DONE
    assert calculation.revision.state == State.IN_REVIEW
    result = selectors.result_of(Assessment.objects.get())
    assert result["schema"] == "podbor.result/1"
    assert result["memory"]["device_gib"]["typical"] > 15  # 16 GB of bf16 weights at the least
    assert [r.state for r in selectors.runs_of(calculation)] == ["done"] * (len(ESTIMATORS) + 1)


def test_the_same_input_gives_the_same_assessment():
    texts = []
    for _ in range(2):
        start()
        run_jobs()
        texts.append(Assessment.objects.latest("pk").result_text)
    assert texts[0] == texts[1]


def test_doing_every_job_twice_changes_nothing():
    calculation = start()
    run_jobs()
    before = list(EstimateResult.objects.values_list("pk", flat=True))
    for job in Job.objects.all():
        from apps.jobs.tasks import run

        assert run(str(job.pk)) is False
    assert list(EstimateResult.objects.values_list("pk", flat=True)) == before
    assert AuditEvent.objects.filter(action="requisition.finish-estimates").count() == 1
    assert refreshed(calculation).pending_count == 0


def test_a_failed_estimator_leaves_its_cell_empty_and_the_rest_stands(monkeypatch):
    broken = "storage"
    estimate_run = services.estimate_run

    def fail(calculation, estimator):
        if estimator == broken:
            raise RuntimeError("no such disk")
        return estimate_run(calculation, estimator)

    monkeypatch.setattr(services, "estimate_run", fail)
    calculation = start()
    for _ in range(3):
        run_jobs()
        Job.objects.filter(state=JobState.READY).update(run_after=timezone.now())
    run_jobs()
    calculation = refreshed(calculation)
    assert calculation.revision.state == State.IN_REVIEW
    result = selectors.result_of(Assessment.objects.get())
    assert result["storage"] is None
    assert result["memory"] is not None
    [failed] = [r for r in selectors.runs_of(calculation) if r.state == "failed"]
    assert failed.key == broken
    assert "no such disk" in failed.reason


def test_an_assembly_that_fails_still_brings_the_revision_to_people(monkeypatch):
    monkeypatch.setattr(services, "assessment_build", lambda calculation: 1 / 0)
    calculation = start()
    for _ in range(4):
        run_jobs()
        Job.objects.filter(state=JobState.READY).update(run_after=timezone.now())
    calculation = refreshed(calculation)
    assert calculation.state == Calculation.State.FAILED
    assert calculation.revision.state == State.IN_REVIEW
    assert not Assessment.objects.exists()


def test_an_impossible_task_is_refused_before_anything_is_queued():
    with pytest.raises(TaskError) as refusal:
        start(recipe={"micro_batch": -1})
    assert refusal.value.field == "recipe.micro_batch"
    assert not Job.objects.filter(kind__startswith="estimate:").exists()


def test_a_second_calculation_has_the_next_number_and_counts_from_then_on():
    first = start()
    run_jobs()
    engineer = make_user(Role.ENGINEER)
    second = services.calculation_start(
        revision=first.revision,
        task=TASK | {"recipe": TASK["recipe"] | {"micro_batch": 8}},
        context={},
        actor=engineer,
        reason="micro-batch 8",
    )
    assert selectors.latest_assessment(first.revision).calculation == first
    run_jobs()
    assert second.number == 2
    newest = selectors.latest_assessment(first.revision)
    assert newest.calculation == second
    small, large = (
        selectors.result_of(a)["memory"]["device_gib"]["typical"]
        for a in Assessment.objects.order_by("calculation__number")
    )
    assert small < large


def test_what_the_client_does_not_know_is_ranked_by_what_it_moves():
    calculation = start()
    run_jobs()
    question = calculation.revision.open_questions.get(key="lora_rank")
    result = selectors.result_of(Assessment.objects.get())
    [said] = [q for q in result["open_questions"] if q["field"] == "recipe.lora_rank"]
    assert question.influence == said["influence"] > 0


def test_a_client_who_rents_is_advised_to_rent_first():
    advice = {}
    for wish in ("rent", "buy"):
        revision = make_submitted()
        context = {"acquisition": {"acquisition": wish, "rent_days": 30}}
        services.calculation_start(revision=revision, task=TASK, context=context, actor=None)
        run_jobs()
        result = selectors.result_of(selectors.latest_assessment(revision))
        advice[wish] = result["recommended"]
    assert advice["rent"] == "V0"
    assert advice["buy"] != "V0"


def test_the_frozen_input_is_what_the_engine_is_given():
    calculation = start()
    assert json.loads(calculation.input_text)["task"] == TASK
    assert selectors.task_of(calculation) == TASK
