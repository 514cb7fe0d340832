"""Hints to the workers. Losing one costs time only, so nothing here may fail the caller."""

import logging
import os
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction

from apps.jobs.models import Job

logger = logging.getLogger(__name__)

TASK_NAME = "apps.jobs.run_job"
TIMEOUT_S = 0.3
BREAKER_S = 10.0
MOST_WAITING = 1000

_breaker = threading.local()


def ensure_folders() -> None:
    """Make the queue's folders, also after somebody deleted them under a running product."""
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    for name in ("data_folder_in", "data_folder_out", "processed_folder", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)
    Path(tempfile.gettempdir()).mkdir(
        parents=True, exist_ok=True
    )  # kombu moves messages through it


def poke(job_id: Any) -> bool:
    """Send one hint: short time-outs, no retry, silence for a while after a failure."""
    if time.monotonic() < getattr(_breaker, "open_until", 0.0):
        return False
    options = {
        "socket_timeout": TIMEOUT_S,
        "socket_connect_timeout": TIMEOUT_S,
        "max_retries": 0,  # of connecting: without it kombu tries for seconds
    }
    try:
        ensure_folders()
        connection = current_app.connection_for_write()
        connection.transport_options = {**connection.transport_options, **options}
        with connection:
            current_app.send_task(
                TASK_NAME,
                args=[str(job_id)],
                connection=connection,
                retry=False,
                ignore_result=True,
            )
    except Exception as problem:  # noqa: BLE001 - whatever the broker does, the row is safe
        _breaker.open_until = time.monotonic() + BREAKER_S
        logger.warning("the queue does not answer (%s); the sweeper will send the job", problem)
        return False
    return True


class Messenger:
    """Sends hints from a thread of its own: no request waits for a queue that hangs.

    The thread starts with the first hint of a process, because none survives a fork.
    """

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Any] = SimpleQueue()
        self._starting = threading.Lock()
        self._process_id = 0

    def tell(self, job_id: Any) -> None:
        """Leave a hint to be sent. Beyond the most that may wait it is the sweeper's."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put(job_id)
        with self._starting:
            if self._process_id != os.getpid():
                self._process_id = os.getpid()
                threading.Thread(target=self._send, name="messenger", daemon=True).start()

    def _send(self) -> None:
        while True:
            poke(self._waiting.get())


_messenger = Messenger()


def hint(job_id: Any) -> None:
    """Have a hint sent and go on at once, whatever the queue does."""
    _messenger.tell(job_id)


def poke_on_commit(*jobs: Job) -> None:
    """Hint at jobs once the transaction that inserted them is safe."""
    for job in jobs:
        transaction.on_commit(partial(hint, job.pk), robust=True)
