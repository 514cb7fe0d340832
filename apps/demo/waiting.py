"""Waiting for background work from within background work: by doing it oneself where possible."""

import time
from collections.abc import Callable
from typing import Final

from django.db.models import Q

from apps.documents.models import Document
from apps.documents.selectors import job_key
from apps.estimation.models import Calculation
from apps.estimation.selectors import latest_calculation
from apps.jobs.models import Job, JobState
from apps.jobs.tasks import run
from apps.requisitions.models import Revision

_PATIENCE_S: Final = 180.0
_NAP_S: Final = 0.2


class NotDone(Exception):
    """The work failed, or did not end in time; the story is tried again later."""


def estimates(revision: Revision) -> None:
    """Until the latest calculation has ended."""

    def over() -> bool:
        latest = latest_calculation(revision)
        return latest is None or latest.state != Calculation.State.RUNNING

    latest = latest_calculation(revision)
    if latest is not None:
        _until(over, Q(payload__calculation=str(latest.pk)))
    revision.refresh_from_db()


def documents(revision: Revision) -> None:
    """Until every document of the revision has been printed."""
    waiting = Document.objects.filter(revision=revision, sha256="")
    keys = [job_key(document) for document in waiting]
    _until(lambda: not waiting.all().exists(), Q(key__in=keys))  # all(): asked anew each time
    revision.refresh_from_db()


def _until(over: Callable[[], bool], jobs: Q) -> None:
    began_s = time.monotonic()
    while not over():
        ready = Job.objects.filter(jobs, state=JobState.READY).order_by("created_at").first()
        if ready is None or not run(str(ready.pk)):  # another thread has it
            time.sleep(_NAP_S)
        failed = Job.objects.filter(jobs, state=JobState.FAILED).first()
        if failed is not None:
            raise NotDone(f"{failed.kind}: {failed.last_error}")
        if time.monotonic() - began_s > _PATIENCE_S:
            reasons = Job.objects.filter(jobs).values_list("last_error", flat=True)
            raise NotDone(f"not within {_PATIENCE_S:.0f} s: {'; '.join(filter(None, reasons))}")
