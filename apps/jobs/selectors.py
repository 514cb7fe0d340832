"""Reading about background work."""

from datetime import timedelta

from django.utils import timezone

from apps.jobs.models import Job, JobState, WorkerBeat

_RUN_STATES = {
    JobState.READY: "queued",
    JobState.RUNNING: "running",
    JobState.DONE: "done",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "failed",
}


def jobs_with_keys(keys: list[str]) -> dict[str, Job]:
    return {job.key: job for job in Job.objects.filter(key__in=keys)}


def run_state(job: Job | None) -> str:
    """How far a job is, as pages show it: queued (also before it exists), running, done, failed."""
    return "queued" if job is None else _RUN_STATES[JobState(job.state)]


def workers_alive(*, host: str = "") -> bool:
    """Has any worker, or one of that host, given a sign of life in the last half minute?"""
    fresh = WorkerBeat.objects.filter(at__gte=timezone.now() - timedelta(seconds=30))
    return fresh.filter(name__startswith=f"{host}:" if host else "").exists()
