"""A hint never holds anybody up, whatever the queue does."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from celery import current_app
from django.db import transaction

from apps.jobs import broker
from apps.jobs.broker import Messenger
from config.launcher.ports import free_port

AT_ONCE_S = 0.1
PATIENCE_S = 1.0  # three time-outs: connecting, greeting, what a busy machine adds


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port where the kernel takes connections and nobody ever answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture(params=["silent", "refusing", "unknown"])
def queue_url(request: pytest.FixtureRequest, silent_port: int) -> str:
    places = {
        "silent": f"127.0.0.1:{silent_port}",
        "refusing": f"127.0.0.1:{free_port()}",
        "unknown": "no-such-host.invalid:6379",
    }
    return f"redis://{places[request.param]}/0"


@pytest.fixture
def closed_breaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_breaker", threading.local())


@pytest.mark.usefixtures("closed_breaker")
def test_a_queue_that_is_away_is_asked_once_and_not_for_long(queue_url, monkeypatch):
    monkeypatch.setattr(
        broker.current_app,
        "connection_for_write",
        lambda: current_app.connection_for_read(queue_url),
    )
    began_s = time.monotonic()
    assert broker.poke("some-id") is False
    assert time.monotonic() - began_s < PATIENCE_S
    began_s = time.monotonic()
    assert broker.poke("some-id") is False
    assert time.monotonic() - began_s < AT_ONCE_S


@pytest.mark.django_db(transaction=True)
def test_whoever_commits_does_not_wait_for_the_hint(monkeypatch):
    from tests.jobs.test_job_life import make_job

    sending, let_go = threading.Event(), threading.Event()

    def hang(_job_id: object) -> bool:
        sending.set()
        return let_go.wait(10)

    monkeypatch.setattr(broker, "poke", hang)
    monkeypatch.setattr(broker, "_messenger", Messenger())
    began_s = time.monotonic()
    with transaction.atomic():
        broker.poke_on_commit(*(make_job(key=f"{n}") for n in range(6)))
    assert time.monotonic() - began_s < AT_ONCE_S + 1  # six rows are written meanwhile
    assert sending.wait(5)
    let_go.set()


def test_hints_are_sent_in_their_order_by_one_thread(monkeypatch):
    sent: list[tuple[int, str]] = []
    done = threading.Event()

    def note(job_id: int) -> None:
        sent.append((job_id, threading.current_thread().name))
        if job_id == 9:
            done.set()

    monkeypatch.setattr(broker, "poke", note)
    messenger = Messenger()
    for number in range(10):
        messenger.tell(number)
    assert done.wait(5)
    assert sent == [(number, "messenger") for number in range(10)]


def test_more_hints_than_may_wait_are_left_to_the_sweeper(monkeypatch):
    let_go, sent = threading.Event(), []
    monkeypatch.setattr(broker, "MOST_WAITING", 3)
    monkeypatch.setattr(broker, "poke", lambda job_id: let_go.wait(5) and sent.append(job_id))
    messenger = Messenger()
    for number in range(10):
        messenger.tell(number)
    let_go.set()
    deadline_s = time.monotonic() + 5
    while messenger._waiting.qsize() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert len(sent) <= 5
    assert sent == sorted(sent)
