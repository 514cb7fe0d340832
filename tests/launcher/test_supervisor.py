"""Children are started again with a growing delay, given up with a reason, and never left behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.launcher import children
from config.launcher.children import Child
from config.launcher.layout import ROOT
from config.launcher.supervisor import Supervisor, restart_delay_s
from config.launcher.texts import Problem

SLEEP = "import time; time.sleep(60)"
DIE = "print('the reason of my death'); raise SystemExit(3)"
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""
PARENT = """
import sys, time
from pathlib import Path
from config.launcher import children
process = children.start([sys.executable, "-c", "import time; time.sleep(60)"], log=Path(sys.argv[1]))
print(process.pid, flush=True)
time.sleep(60)
"""


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Check:
    """A sign of life that a test switches off."""

    def __init__(self) -> None:
        self.well = True

    def __call__(self) -> bool:
        return self.well

    def reset(self) -> None:
        self.well = True


@pytest.fixture
def make_child(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    made: list[Child] = []

    def make(code: str, check: Check | None = None) -> Child:
        argv = [sys.executable, "-c", code]
        log = tmp_path / f"{len(made)}.log"
        made.append(
            Child(name="toy", argv=argv, env=os.environ, cwd=tmp_path, log=log, check=check)
        )
        return made[-1]

    yield make
    children.stop([child.process for child in made if child.process], grace_s=0.1)


def wait_until(holds: Callable[[], bool], timeout_s: float = 10.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie that nobody has waited for does not."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        return status.rpartition(")")[2].split()[0] != "Z"
    return False


def die_and_look(supervisor: Supervisor, child: Child) -> None:
    assert child.process
    child.process.wait(timeout=10)
    supervisor.look()


def test_delays_double_up_to_eight_seconds() -> None:
    assert [restart_delay_s(n) for n in range(1, 7)] == [0.5, 1, 2, 4, 8, 8]


def test_a_child_that_ends_is_started_again_after_its_delay(
    make_child: Callable[..., Child],
) -> None:
    clock, child = Clock(), make_child(DIE)
    supervisor = Supervisor([child], clock=clock)
    supervisor.start()
    die_and_look(supervisor, child)
    assert child.process is None
    clock.now_s += 0.4
    supervisor.look()
    assert child.process is None
    clock.now_s += 0.2
    supervisor.look()
    assert child.process is not None


def test_a_child_that_dies_five_times_in_a_minute_is_given_up_with_its_last_words(
    make_child: Callable[..., Child],
) -> None:
    clock, child = Clock(), make_child(DIE)
    supervisor = Supervisor([child], clock=clock)
    supervisor.start()
    for _ in range(4):
        die_and_look(supervisor, child)
        clock.now_s += 8.5
        supervisor.look()
    with pytest.raises(Problem) as caught:
        die_and_look(supervisor, child)
    assert "5 times" in str(caught.value)
    assert "code 3" in str(caught.value)
    assert "the reason of my death" in str(caught.value)


def test_deaths_longer_apart_than_a_minute_are_forgiven(make_child: Callable[..., Child]) -> None:
    clock, child = Clock(), make_child(DIE)
    supervisor = Supervisor([child], clock=clock)
    supervisor.start()
    for _ in range(6):
        die_and_look(supervisor, child)
        clock.now_s += 61
        supervisor.look()
    assert child.process is not None


def test_a_hanging_child_is_killed_and_started_again(make_child: Callable[..., Child]) -> None:
    clock, check = Clock(), Check()
    child = make_child(SLEEP, check)
    supervisor = Supervisor([child], clock=clock)
    supervisor.start()
    supervisor.end_hanging()
    assert not child.has_ended()
    check.well = False
    supervisor.end_hanging()
    die_and_look(supervisor, child)
    clock.now_s += 1
    supervisor.look()
    assert child.process
    assert check.well, "the check begins anew with the new process"


def test_stopping_ends_a_child_that_ignores_the_signal_and_what_it_started(
    make_child: Callable[..., Child],
) -> None:
    child = make_child(STUBBORN)
    child.start()
    wait_until(lambda: child.log.read_text(encoding="utf-8").endswith("\n"))
    grandchild = int(child.log.read_text(encoding="utf-8"))
    assert child.process
    began_s = time.monotonic()
    children.stop([child.process], grace_s=0.5)
    assert time.monotonic() - began_s < 5
    assert child.process.returncode == -signal.SIGKILL
    wait_until(lambda: not is_alive(grandchild))


def test_a_killed_supervisor_leaves_no_child_behind(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "log")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout
    pid = int(parent.stdout.readline())
    assert is_alive(pid)
    parent.kill()
    parent.communicate(timeout=10)
    wait_until(lambda: not is_alive(pid))


def test_a_long_log_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LOG_KEPT_BYTES", 10)
    log = tmp_path / "web.log"
    log.write_text("more than ten bytes", encoding="utf-8")
    children.rotate(log)
    assert not log.exists()
    assert (tmp_path / "web.log.1").exists()
