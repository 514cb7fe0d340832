"""Doing in a test what the workers do, and what people do at the same instant."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.jobs import services
from apps.jobs.models import Job, JobState
from apps.jobs.tasks import run


def first_everywhere(cases: Iterable[Any]) -> list[Any]:
    """Cases of one slow behaviour for `parametrize`: only the first is seen on a second stack."""
    first, *others = cases
    values = (case if isinstance(case, tuple) else (case,) for case in others)
    return [first, *(pytest.param(*given, marks=pytest.mark.one_stack) for given in values)]


def run_jobs(kind: str = "", *, limit: int = 100) -> int:
    """Execute everything that is due, in this process, until nothing is left. Returns the count.

    `kind` is how the kinds begin that are meant; "" means all.
    """
    done = 0
    while done < limit:
        ready = Job.objects.filter(state=JobState.READY, kind__startswith=kind)
        due = ready.order_by("created_at").first()
        if due is None:
            return done
        if not run(str(due.pk)):
            return done
        done += 1
    raise AssertionError(f"jobs kept coming: more than {limit}")


def claim(job: Job) -> services.Claim:
    held = services.claim(job.pk)
    assert held is not None
    return held


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Start every call behind one barrier, each with its own connection."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=20)
            return call()
        except Exception as problem:  # noqa: BLE001 - the test looks at what it was
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
