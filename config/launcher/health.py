"""Signs of life of web and worker, seen from outside: one HTTP request, one row."""

import sqlite3
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

# Never through a proxy of the environment: it is this machine that we ask.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def is_served(url: str, *, timeout_s: float = 5.0) -> bool:
    """Whether the product answers its health check with 200."""
    try:
        with _direct.open(f"{url}/healthz/", timeout=timeout_s) as answer:
            return bool(answer.status == 200)
    except OSError:  # urllib's errors are OSErrors, refused and timed out too
        return False


def last_beat(database: Path) -> str:
    """The newest sign of life of any worker, as the database has it; "" when there is none.

    Read straight from SQLite: the launcher runs without Django.
    """
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=1)) as reader:
            row = reader.execute("SELECT MAX(at) FROM jobs_workerbeat").fetchone()
    except sqlite3.Error:
        return ""
    return str(row[0] or "")


class Check(Protocol):
    """Asked now and then about a running process; False means that it hangs."""

    def __call__(self) -> bool: ...

    def reset(self) -> None: ...


class Pulse:
    """Tells whether a value keeps changing. Compares values, so a clock set anew does no harm."""

    def __init__(
        self,
        read: Callable[[], str],
        *,
        silence_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.read = read
        self.silence_s = silence_s
        self.clock = clock
        self.seen = ""
        self.changed_at_s = clock()

    def __call__(self) -> bool:
        """False once the value has stayed the same for longer than `silence_s`."""
        value, now_s = self.read(), self.clock()
        if value != self.seen:
            self.seen, self.changed_at_s = value, now_s
        return now_s - self.changed_at_s <= self.silence_s

    def reset(self) -> None:
        """Begin to count anew, for a process that has just been started."""
        self.changed_at_s = self.clock()


class Answers:
    """Tells whether the web answers; single failures under load are forgiven."""

    def __init__(self, ask: Callable[[], bool], *, failures_allowed_count: int) -> None:
        self.ask = ask
        self.failures_allowed_count = failures_allowed_count
        self.failures_count = 0

    def __call__(self) -> bool:
        self.failures_count = 0 if self.ask() else self.failures_count + 1
        return self.failures_count <= self.failures_allowed_count

    def reset(self) -> None:
        self.failures_count = 0
