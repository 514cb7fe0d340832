"""One run of pytest: its lines shown as they come, and nothing of it left behind."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from config.launcher import children
from config.launcher.layout import Checkout, environment_without_settings
from config.launcher.texts import say

# One more than the usual two cores: the tests of the running product mostly wait for it.
PROCESSES_COUNT = 3
# By file, as what a file's tests share is made once, and in the order that tests/conftest.py gives.
SIDE_BY_SIDE = ("-n", str(PROCESSES_COUNT), "--dist", "loadfile", "--no-loadscope-reorder")
NO_TESTS_RAN = 5  # pytest's exit code; with -k one phase may rightly have none, but not both
GRACE_S = 20.0  # what an interrupted pytest has for stopping the products that it started
CLOSING_LINE = re.compile(r"^=+ .*\b(passed|failed|error|no tests ran|deselected)\b.* =+$")
SLOW_LINE = re.compile(r"^ +\d+\.\d s .*\btests/")  # as tests/timing.py writes them


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One run of pytest: which tests, and on what."""

    name: str
    marks: str
    variables: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one check ended. `closing` is pytest's own last line, `slow` what took its time."""

    name: str
    ok: bool
    took_s: float
    closing: str = ""
    slow: tuple[str, ...] = ()
    ran: bool = True


def run_pytest(checkout: Checkout, phase: Phase, expression: str | None) -> Outcome:
    """Run pytest, showing its lines as they come and keeping those of the summary."""
    say("test.step", name=phase.name)
    began_s = time.monotonic()
    process = start(checkout, phase, expression)
    closing, slow = "", []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if CLOSING_LINE.match(line.rstrip()):
                closing = line.rstrip()
            elif SLOW_LINE.match(line):
                slow.append(line.rstrip())
    finally:
        end(process)
    ran = process.returncode != NO_TESTS_RAN
    return Outcome(
        name=phase.name,
        ok=process.returncode == 0 or (bool(expression) and not ran),
        took_s=time.monotonic() - began_s,
        closing=closing,
        slow=tuple(slow),
        ran=ran,
    )


def start(checkout: Checkout, phase: Phase, expression: str | None) -> "subprocess.Popen[str]":
    argv = [str(checkout.python), "-m", "pytest", "-m", phase.marks]
    argv += [f"--ignore={checkout.root / 'tests' / name}" for name in phase.ignored]
    if expression:  # few tests: collecting them twice would take longer than running them
        argv += ["-k", expression]
    else:
        argv += SIDE_BY_SIDE
    environment = {**environment_without_settings(), **bytecode(checkout), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        argv,
        cwd=checkout.root,
        env={**environment, **phase.variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,  # a group of its own, so that a signal reaches all of it
        preexec_fn=_to_be_interrupted,  # noqa: PLW1509 - no threads run in the launcher
    )


def _to_be_interrupted() -> None:
    """End with the parent; obey SIGINT, which a shell lets its background jobs ignore."""
    children.end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def bytecode(checkout: Checkout) -> dict[str, str]:
    """Where Python keeps what it has compiled, if it is told to keep nothing in the source tree.

    A run starts Python hundreds of times, and compiling Django anew each time takes seconds.
    """
    if not os.environ.get("PYTHONDONTWRITEBYTECODE"):
        return {}
    folder = str(checkout.venv / "bytecode")
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}


def end(process: "subprocess.Popen[str]") -> None:
    """What still runs gets what Ctrl+C would send: its fixtures stop what they have started."""
    if process.poll() is None:
        children.signal_group(process, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=GRACE_S)  # read on: nobody ends who cannot print
    children.signal_group(process, signal.SIGKILL)
    process.wait()
