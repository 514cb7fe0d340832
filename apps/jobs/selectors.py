"""Reading about background work."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from apps.jobs.models import Job, WorkerBeat


def jobs_with_keys(keys: list[str]) -> dict[str, Job]:
    return {job.key: job for job in Job.objects.filter(key__in=keys)}


def jobs_with_prefix(prefix: str) -> models.QuerySet[Job]:
    return Job.objects.filter(key__startswith=prefix).order_by("key")


def workers_alive(*, host: str = "") -> bool:
    """Has any worker, or one of that host, given a sign of life in the last half minute?"""
    fresh = WorkerBeat.objects.filter(at__gte=timezone.now() - timedelta(seconds=30))
    return fresh.filter(name__startswith=f"{host}:" if host else "").exists()
