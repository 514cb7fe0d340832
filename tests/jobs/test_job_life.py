"""A job ends exactly once, whatever dies."""

from datetime import timedelta
from unittest import mock

import pytest
from django.db import transaction
from django.utils import timezone

from apps.jobs import services, tasks
from apps.jobs.models import Job, JobState, WorkerBeat
from apps.jobs.selectors import workers_alive
from tests.helpers import claim

pytestmark = pytest.mark.django_db

EFFECTS: list[str] = []


def good(job: Job, held: services.Claim) -> None:
    with transaction.atomic():
        held.finish()
        EFFECTS.append(str(job.pk))


def bad(job: Job, held: services.Claim) -> None:
    raise RuntimeError("the disk is on fire")


def hopeless(job: Job, held: services.Claim) -> None:
    raise services.Unrepeatable("the file is empty")


def slow(job: Job, held: services.Claim) -> None:
    """Loses its lease while it works; somebody else finishes first."""
    expire(job)
    other = claim(job)
    with transaction.atomic():
        other.finish()
    with transaction.atomic():
        held.finish()
        EFFECTS.append("void")


def given_up(job: Job, error: str) -> None:
    EFFECTS.append(f"{job.kind}: {error}")


@pytest.fixture(autouse=True)
def _handlers(settings):
    EFFECTS.clear()
    module = "tests.jobs.test_job_life"
    settings.JOB_HANDLERS = {
        name: f"{module}.{name}" for name in ("good", "bad", "hopeless", "slow")
    }
    settings.JOB_FAILURE_HANDLERS = {"bad": f"{module}.given_up"}


def make_job(kind: str = "good", key: str = "k") -> Job:
    return services.enqueue(kind=kind, key=key, payload={"id": 1})


def expire(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def make_due(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())


def state_of(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def test_the_same_key_twice_is_one_job():
    assert make_job().pk == make_job().pk
    assert Job.objects.count() == 1


def test_a_job_is_done_once_however_often_it_is_delivered():
    job = make_job()
    assert tasks.run(str(job.pk)) is True
    assert tasks.run(str(job.pk)) is False
    assert [str(job.pk)] == EFFECTS
    assert state_of(job) == JobState.DONE


def test_a_held_job_cannot_be_taken_until_its_lease_runs_out():
    job = make_job()
    claim(job)
    assert services.claim(job.pk) is None
    expire(job)
    assert services.claim(job.pk) is not None


def test_a_worker_that_lost_its_lease_writes_nothing():
    job = make_job("slow")
    tasks.run(str(job.pk))
    assert EFFECTS == []
    assert state_of(job) == JobState.DONE


def test_a_beat_extends_the_lease_of_its_holder_only():
    job = make_job()
    first = claim(job)
    expire(job)
    second = claim(job)
    assert first.beat() is False
    assert second.beat() is True
    assert Job.objects.get(pk=job.pk).lease_until > timezone.now()


def test_finish_outside_a_transaction_is_refused(transactional_db):
    held = claim(make_job())
    with pytest.raises(RuntimeError, match="inside the transaction"):
        held.finish()


def test_a_failing_job_is_tried_three_times_and_then_given_up_with_its_reason():
    job = make_job("bad")
    for attempt in (1, 2, 3):
        make_due(job)
        assert tasks.run(str(job.pk)) is True
        assert Job.objects.get(pk=job.pk).attempts == attempt
    assert state_of(job) == JobState.FAILED
    assert "the disk is on fire" in Job.objects.get(pk=job.pk).last_error
    assert EFFECTS == ["bad: RuntimeError: the disk is on fire"]


def test_between_attempts_there_is_a_pause():
    job = make_job("bad")
    tasks.run(str(job.pk))
    assert Job.objects.get(pk=job.pk).run_after > timezone.now()
    assert tasks.run(str(job.pk)) is False


def test_housekeeping_does_everything_that_the_settings_name(settings):
    """Run once: whatever is named exists, and may be run at any time."""
    WorkerBeat.objects.create(name="old:1", at=timezone.now() - timedelta(days=2))
    WorkerBeat.objects.create(name="new:1", at=timezone.now())
    assert len(settings.HOUSEKEEPING) == len(set(settings.HOUSEKEEPING)) == 7
    services.keep_house()
    assert list(WorkerBeat.objects.values_list("name", flat=True)) == ["new:1"]


def test_the_sweeper_keeps_house_after_its_start_and_then_by_the_hour(monkeypatch, settings):
    rounds, ticks = [], iter([False] * 2500 + [True])
    monkeypatch.setattr(tasks, "_stopping", mock.Mock(wait=lambda _s: next(ticks)))
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "beat_active", lambda: None)
    monkeypatch.setattr(tasks, "sweep", lambda: rounds.append("sweep"))
    monkeypatch.setattr(services, "keep_house", lambda: rounds.append("house"))
    settings.JOB_HEARTBEAT_S = 3600 * 24
    tasks._sweeper("here:1")
    at = [rounds[:index].count("sweep") for index, what in enumerate(rounds) if what == "house"]
    assert [count * settings.JOB_SWEEP_S for count in at] == pytest.approx([61.5, 3661.5])


def test_an_unrepeatable_failure_is_not_repeated():
    job = make_job("hopeless")
    tasks.run(str(job.pk))
    assert state_of(job) == JobState.FAILED
    assert Job.objects.get(pk=job.pk).last_error == "the file is empty"


def test_the_sweeper_gives_up_a_job_whose_last_attempt_died():
    job = make_job("bad")
    claim(job)
    Job.objects.filter(pk=job.pk).update(attempts=3)
    expire(job)
    assert services.give_up_exhausted() == 1
    assert state_of(job) == JobState.FAILED
    assert EFFECTS == ["bad: the worker stopped three times while doing this"]


def test_the_sweeper_leaves_a_live_last_attempt_alone():
    job = make_job("bad")
    claim(job)
    Job.objects.filter(pk=job.pk).update(attempts=3)
    assert services.give_up_exhausted() == 0
    assert state_of(job) == JobState.RUNNING


def test_the_sweeper_sends_what_nobody_holds_and_not_again_at_once(monkeypatch):
    sent: list[str] = []
    monkeypatch.setattr("apps.jobs.broker.poke", lambda job_id: sent.append(str(job_id)) or True)
    ready, running, abandoned = (make_job(key=name) for name in ("ready", "running", "abandoned"))
    claim(running)
    claim(abandoned)
    expire(abandoned)
    tasks.sweep()
    tasks.sweep()
    assert sorted(sent) == sorted([str(ready.pk), str(abandoned.pk)])


def test_a_failed_job_can_be_started_again_and_a_done_one_cannot():
    failed, done = make_job("hopeless", key="failed"), make_job(key="done")
    tasks.run(str(failed.pk))
    tasks.run(str(done.pk))
    assert services.retry(failed) is True
    assert state_of(failed) == JobState.READY
    assert services.retry(done) is False


def test_a_broken_broker_costs_nothing_but_time(monkeypatch, caplog):
    from apps.jobs import broker

    def refuse(*args, **kwargs):
        raise ConnectionError("no broker")

    monkeypatch.setattr(broker.current_app, "connection_for_write", refuse)
    monkeypatch.setattr(broker._breaker, "open_until", 0.0, raising=False)
    assert broker.poke("some-id") is False
    monkeypatch.setattr(
        broker.current_app, "connection_for_write", lambda: pytest.fail("asked again")
    )
    assert broker.poke("some-id") is False  # quiet for a while
    monkeypatch.setattr(broker._breaker, "open_until", 0.0)


def test_a_worker_is_alive_while_it_beats():
    assert workers_alive() is False
    beat = WorkerBeat.objects.create(name="host:1", at=timezone.now())
    assert workers_alive() is True
    WorkerBeat.objects.filter(pk=beat.pk).update(at=timezone.now() - timedelta(minutes=1))
    assert workers_alive() is False
