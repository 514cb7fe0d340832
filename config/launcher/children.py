"""Child processes that never outlive us: each in its own group, each told when we die."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from config.launcher.health import Check

PR_SET_PDEATHSIG = 1
LOG_KEPT_BYTES = 10 * 2**20
_libc = ctypes.CDLL(None, use_errno=True)


def end_with_parent() -> None:
    """Ask the kernel (Linux) for SIGTERM when the parent ends, also when it is killed."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def start(
    argv: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    user: str | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process as the leader of its own group, its output appended to `log`.

    Call from the main thread: the kernel's word about the parent's end is bound to the thread.
    """
    rotate(log)
    with log.open("ab") as output:
        return subprocess.Popen(
            argv,
            env=env,
            cwd=cwd,
            user=user,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - no threads run in the launcher
        )


def rotate(log: Path) -> None:
    """Keep one older log, so that a log never takes the disk."""
    if log.exists() and log.stat().st_size > LOG_KEPT_BYTES:
        log.replace(log.with_suffix(".log.1"))


def signal_group(process: subprocess.Popen[Any], number: int) -> None:
    """Signal the process and all that it started; ended ones are no error."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return


def stop(processes: Sequence[subprocess.Popen[bytes]], *, grace_s: float = 8.0) -> None:
    """End processes: SIGTERM to each leader, SIGKILL to whole groups after the grace."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
    deadline = time.monotonic() + grace_s
    for process in processes:
        try:
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            continue
    for process in processes:
        signal_group(process, signal.SIGKILL)  # also what a leader left behind when it ended
        process.wait()


@contextmanager
def unwinding_on_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP leave by way of every `finally`, as Ctrl+C does."""

    def leave(number: int, _frame: FrameType | None) -> None:
        for other in before:  # a second one would cut off the tidying up
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(128 + number)

    heard = (signal.SIGTERM, signal.SIGHUP)
    ignored = [number for number in heard if signal.getsignal(number) is signal.SIG_IGN]  # nohup
    before = {number: signal.signal(number, leave) for number in heard if number not in ignored}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(slots=True, kw_only=True)
class Child:
    """One supervised process and the history that decides when to try it again."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    log: Path
    check: Check | None = None
    process: subprocess.Popen[bytes] | None = None
    deaths_s: list[float] = field(default_factory=list)
    start_at_s: float = 0.0

    def start(self) -> None:
        self.process = start(self.argv, log=self.log, env=self.env, cwd=self.cwd)
        if self.check:
            self.check.reset()

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None
