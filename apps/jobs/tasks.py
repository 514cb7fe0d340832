"""The only Celery task, and the sweeper that every worker runs beside it."""

import logging
import os
import socket
import threading

from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from apps.jobs import broker, services
from apps.jobs.models import Job, WorkerBeat

logger = logging.getLogger(__name__)

_active: dict[str, services.Claim] = {}
_active_lock = threading.Lock()
_stopping = threading.Event()
# Housekeeping begins when the start is over, and is hourly.
_HOUSE_AFTER_S = 60
_HOUSE_EVERY_S = 3600


@shared_task(name=broker.TASK_NAME, ignore_result=True)
def run_job(job_id: str) -> None:
    """Do one job. Safe to deliver twice: the second finds it claimed. Safe to lose: see `sweep`."""
    run(job_id)


def run(job_id: str) -> bool:
    """Claim and execute; False when there was nothing to take."""
    held = services.claim(job_id)
    if held is None:
        return False
    with _active_lock:
        _active[held.token] = held
    try:
        services.execute(Job.objects.get(pk=job_id), held)
    finally:
        with _active_lock:
            _active.pop(held.token, None)
    return True


def beat_active() -> None:
    """Extend the leases of what this worker is doing."""
    with _active_lock:
        claims = list(_active.values())
    for held in claims:
        held.beat()


def sweep() -> int:
    """Send what nobody holds, give up what has used its attempts. Returns the number sent."""
    broker.ensure_folders()
    services.give_up_exhausted()
    return sum(broker.poke(job.pk) for job in services.due_jobs() if services.mark_poked(job))


def _ticks(seconds: float) -> int:
    return max(1, round(seconds / settings.JOB_SWEEP_S))


def _sweeper(name: str) -> None:
    ticks_a_beat = _ticks(settings.JOB_HEARTBEAT_S)
    first_round, between_rounds = _ticks(_HOUSE_AFTER_S), _ticks(_HOUSE_EVERY_S)
    tick = 0
    while not _stopping.wait(settings.JOB_SWEEP_S):
        try:
            close_old_connections()
            if tick % ticks_a_beat == 0:
                beat_active()
                WorkerBeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})
            sweep()
            if tick % between_rounds == first_round:
                services.keep_house()
        except Exception:
            # The database may be away for a while; the next tick tries again.
            logger.exception("the sweeper stumbled")
            connection.close()
        tick += 1


@worker_init.connect
def make_folders(**_: object) -> None:
    """A worker whose queue was deleted under it stops; the next one must be able to start."""
    broker.ensure_folders()


@worker_ready.connect
def start_sweeper(**_: object) -> None:
    _stopping.clear()
    name = f"{socket.gethostname()}:{os.getpid()}"
    threading.Thread(target=_sweeper, args=(name,), name="sweeper", daemon=True).start()


@worker_shutting_down.connect
def stop_sweeper(**_: object) -> None:
    _stopping.set()
