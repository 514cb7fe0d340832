"""The life of a job: enqueue, claim, keep alive, finish, fail, sweep.

Every step is a conditional UPDATE, so any number of workers and sweepers may run at once, and each
may die at any instant: an unfinished job's lease runs out and somebody else takes it. A result is
written in the transaction in which `Claim.finish` succeeds, so a worker that lost its lease writes
nothing.
"""

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from apps.jobs.models import Job, JobState, WorkerBeat

logger = logging.getLogger(__name__)

BACKOFF = (timedelta(seconds=2), timedelta(seconds=15), timedelta(minutes=1))
# While something outside is away: about a day in all, each pause longer than the one before.
PATIENCE = (
    *BACKOFF,
    timedelta(minutes=5),
    timedelta(minutes=20),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=13),
)
POKE_AGAIN_AFTER = timedelta(seconds=5)
BEAT_KEPT_FOR = timedelta(days=1)
ERROR_MAX_CHARS = 2000


class LostClaim(Exception):
    """The lease ran out and somebody else may hold the job: whatever was computed is void."""


class Unrepeatable(Exception):
    """The job cannot succeed however often it is tried; its text says why."""


class Away(Exception):
    """Something outside that the job needs does not answer; its text says what.

    The job waits for it about a day, and this uses up no attempt: those are for what goes wrong
    here.
    """


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to finish one job. Worthless once the lease has passed to somebody else."""

    job_id: Any
    token: str

    def _mine(self) -> models.QuerySet[Job]:
        return Job.objects.filter(pk=self.job_id, token=self.token, state=JobState.RUNNING)

    def beat(self) -> bool:
        """Extend the lease. False when it is no longer ours."""
        return self._mine().update(lease_until=_lease_end()) == 1

    def finish(self) -> None:
        """Mark the job done. Call it inside the transaction that writes the result.

        Raises:
            LostClaim: the transaction must roll back.
        """
        if not transaction.get_connection().in_atomic_block:
            raise RuntimeError("finish() belongs inside the transaction that writes the result")
        done = self._mine().update(
            state=JobState.DONE, finished_at=timezone.now(), lease_until=None, last_error=""
        )
        if not done:
            raise LostClaim(f"job {self.job_id}")


def _lease_end() -> Any:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_S)


def enqueue(
    *, kind: str, key: str, payload: dict[str, Any], not_before: datetime | None = None
) -> Job:
    """Insert a job inside the caller's transaction; the same key twice is one job.

    The caller sends the hint after commit with `apps.jobs.broker.poke_on_commit(job)`; without
    it the sweeper sends the job within seconds.
    """
    job, _created = Job.objects.get_or_create(
        key=key,
        defaults={"kind": kind, "payload": payload, "run_after": not_before or timezone.now()},
    )
    return job


def claim(job_id: Any) -> Claim | None:
    """Take a job that is due or whose lease ran out. None when there is nothing to take."""
    now = timezone.now()
    due = Q(state=JobState.READY, run_after__lte=now)
    abandoned = Q(state=JobState.RUNNING, lease_until__lt=now)
    token = secrets.token_hex(16)
    taken = Job.objects.filter(
        due | abandoned, pk=job_id, attempts__lt=settings.JOB_MAX_ATTEMPTS
    ).update(
        state=JobState.RUNNING,
        token=token,
        attempts=F("attempts") + 1,
        lease_until=_lease_end(),
        started_at=now,
    )
    return Claim(job_id, token) if taken else None


def execute(job: Job, held: Claim) -> None:
    """Run the handler of a claimed job and record how it ended."""
    try:
        handler = import_string(settings.JOB_HANDLERS[job.kind.split(":", 1)[0]])
        handler(job, held)
    except LostClaim:
        logger.warning("job %s (%s) was taken over by another worker", job.pk, job.kind)
    except Unrepeatable as problem:
        _fail(job, held, str(problem), final=True)
    except Away as problem:
        _postpone(job, held, f"{type(problem).__name__}: {problem}")
    except Exception as problem:
        logger.exception("job %s (%s) failed", job.pk, job.kind)
        _fail(job, held, f"{type(problem).__name__}: {problem}", final=False)


def _fail(job: Job, held: Claim, error: str, *, final: bool) -> None:
    """Put the job back with a delay, or give it up when its attempts are used."""
    attempts = Job.objects.values_list("attempts", flat=True).get(pk=job.pk)
    if final or attempts >= settings.JOB_MAX_ATTEMPTS:
        give_up(Job.objects.filter(pk=job.pk, token=held.token, state=JobState.RUNNING), error)
        return
    delay = BACKOFF[min(attempts, len(BACKOFF)) - 1]
    Job.objects.filter(pk=job.pk, token=held.token, state=JobState.RUNNING).update(
        state=JobState.READY,
        run_after=timezone.now() + delay,
        lease_until=None,
        poked_at=None,
        last_error=error[:ERROR_MAX_CHARS],
    )


def _postpone(job: Job, held: Claim, error: str) -> None:
    """Put the job back for longer than the last time, or give it up when patience has run out."""
    mine = Job.objects.filter(pk=job.pk, token=held.token, state=JobState.RUNNING)
    times = Job.objects.values_list("postponed", flat=True).get(pk=job.pk)
    if times >= len(PATIENCE):
        give_up(mine, error)
        return
    logger.warning("job %s (%s) waits %s: %s", job.pk, job.kind, PATIENCE[times], error)
    mine.update(
        state=JobState.READY,
        attempts=F("attempts") - 1,
        postponed=F("postponed") + 1,
        run_after=timezone.now() + PATIENCE[times],
        lease_until=None,
        poked_at=None,
        last_error=error[:ERROR_MAX_CHARS],
    )


@transaction.atomic
def give_up(candidates: models.QuerySet[Job], error: str) -> int:
    """Mark jobs failed and tell whoever waits for them, in one transaction."""
    count = 0
    for job in candidates.select_for_update():
        failed = candidates.filter(pk=job.pk).update(
            state=JobState.FAILED,
            finished_at=timezone.now(),
            lease_until=None,
            last_error=error[:ERROR_MAX_CHARS],
        )
        count += failed
        on_failure = settings.JOB_FAILURE_HANDLERS.get(job.kind.split(":", 1)[0])
        if failed and on_failure:
            import_string(on_failure)(job, error)
    return count


def retry(job: Job) -> bool:
    """Start a failed job afresh. False when it is not failed (any more)."""
    restarted = Job.objects.filter(pk=job.pk, state=JobState.FAILED).update(
        state=JobState.READY,
        attempts=0,
        postponed=0,
        run_after=timezone.now(),
        poked_at=None,
        finished_at=None,
        last_error="",
    )
    return restarted == 1


def hurry(job: Job) -> bool:
    """Try a postponed job now. False when it does not wait (any more)."""
    waiting = Job.objects.filter(pk=job.pk, state=JobState.READY, postponed__gt=0)
    return waiting.update(run_after=timezone.now(), poked_at=None) == 1


def due_jobs() -> list[Job]:
    """Jobs that somebody should be told about: due, and not hinted at in the last seconds."""
    now = timezone.now()
    quiet = Q(poked_at__isnull=True) | Q(poked_at__lt=now - POKE_AGAIN_AFTER)
    ready = Q(state=JobState.READY, run_after__lte=now)
    abandoned = Q(state=JobState.RUNNING, lease_until__lt=now)
    return list(
        Job.objects.filter(
            quiet, ready | abandoned, attempts__lt=settings.JOB_MAX_ATTEMPTS
        ).order_by("run_after")[:200]
    )


def mark_poked(job: Job) -> bool:
    """Note that a hint is about to be sent. False when another sweeper just did."""
    before = Q(poked_at__isnull=True) if job.poked_at is None else Q(poked_at=job.poked_at)
    return Job.objects.filter(before, pk=job.pk).update(poked_at=timezone.now()) == 1


def give_up_exhausted() -> int:
    """Fail the jobs whose last allowed attempt died with its worker."""
    exhausted = Job.objects.filter(
        state=JobState.RUNNING,
        lease_until__lt=timezone.now(),
        attempts__gte=settings.JOB_MAX_ATTEMPTS,
    )
    return give_up(exhausted, "the worker stopped three times while doing this")


def keep_house() -> None:
    """Delete what has had its time: `settings.HOUSEKEEPING`. Any number may do it at once."""
    for path in settings.HOUSEKEEPING:
        count = import_string(path)()
        if count:
            logger.info("%s: %s rows", path, count)


def beats_purge() -> int:
    """Signs of life of workers that are long gone: every start of a worker has a row of its own."""
    old = WorkerBeat.objects.filter(at__lt=timezone.now() - BEAT_KEPT_FOR)
    return old.delete()[0]
