"""A run of pytest leaves nothing behind, however it ends, and says what took its time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from config.launcher import pytest_run
from config.launcher.layout import ROOT, Checkout
from config.launcher.pytest_run import CLOSING_LINE, SLOW_LINE
from config.launcher.services import postgresql_program
from tests.timing import slowest

LONG_S = 60.0
# Stands for pytest: it has a child that takes no notice of it, and on SIGINT tidies up.
PYTEST = """#!{python}
import os, subprocess, sys, time
from pathlib import Path
notes = Path(__file__).parent / "notes"
if "DATABASE_URL" not in os.environ:
    sys.exit(0)
child = subprocess.Popen(["sleep", "600"])
try:
    (notes / "new").write_text(f"{{os.getpid()}} {{child.pid}} {{os.environ['DATABASE_URL']}}")
    (notes / "new").rename(notes / "started")
    time.sleep(600)
finally:
    (notes / "tidied").touch()
"""
RUN = """
import sys
from pathlib import Path
from config.launcher import checks
from config.launcher.layout import Checkout
checks.services.install_missing = list
sys.exit(checks.test(Checkout(root=Path(sys.argv[1])), everything=False, expression="any"))
"""


@pytest.mark.parametrize(
    "line",
    [
        "============ 12 passed, 3 deselected in 1.20s ============",
        "==== 1 failed, 2 passed in 60.00s (0:01:00) ====",
        "=========== no tests ran in 0.01s ===========",
    ],
)
def test_the_closing_line_of_pytest_is_known(line: str) -> None:
    assert CLOSING_LINE.match(line)


def test_other_lines_are_not_taken_for_it() -> None:
    assert not CLOSING_LINE.match("=== FAILURES ===")
    assert not CLOSING_LINE.match("tests/a.py::test_passed PASSED")


def test_what_is_slow_is_summed_by_file_and_told_as_the_launcher_reads_it() -> None:
    reports = [("tests/a.py::test_x[1]", 0.5), ("tests/a.py::test_x[1]", 2.0)]
    reports += [("tests/a.py::test_y", 1.0), ("tests/b.py::test_z", 3.0)]
    lines = slowest(reports, most=1)
    assert [line.split() for line in lines] == [
        ["3.5", "s", "2", "tests/a.py"],
        ["3.0", "s", "1", "tests/b.py::test_z"],
    ]
    assert all(SLOW_LINE.match(line) for line in lines)
    assert not SLOW_LINE.match("tests/a.py::test_x took 3.0 s")


def test_compiled_python_is_kept_also_where_the_tree_must_stay_clean(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert pytest_run.bytecode(checkout) == {}
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    kept = pytest_run.bytecode(checkout)
    command = [
        sys.executable,
        "-c",
        "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)",
    ]
    said = subprocess.run(
        command, env=os.environ | kept, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["False", str(checkout.venv / "bytecode")]


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def runs(pid: int) -> bool:
    """Whether a process is there, as more than an entry that nobody has read."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def notes(checkout: Checkout) -> Path:
    """Where the pytest of this checkout leaves word of itself."""
    folder = checkout.venv / "bin" / "notes"
    folder.mkdir(parents=True)
    checkout.python.write_text(PYTEST.format(python=sys.executable), encoding="utf-8")
    checkout.python.chmod(0o755)
    return folder


@pytest.mark.skipif(postgresql_program("postgres") is None, reason="PostgreSQL is not installed")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_told_to_end_takes_pytest_and_the_servers_along(
    checkout: Checkout, notes: Path, number: int
) -> None:
    command = [sys.executable, "-c", RUN, str(checkout.root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as run:
        wait_for((notes / "started").exists)
        pid, child, url = (notes / "started").read_text(encoding="utf-8").split()
        server = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]), "data", "postmaster.pid")
        postgres = int(server.read_text(encoding="ascii").split()[0])
        assert all(map(runs, (int(pid), int(child), postgres)))
        run.send_signal(number)
        run.wait(timeout=LONG_S)
    if number == signal.SIGKILL:  # the kernel tells the children; nobody is left to tell theirs
        wait_for(lambda: not runs(int(pid)) and not runs(postgres))
        os.kill(int(child), signal.SIGKILL)
        return
    assert run.returncode in {128 + number, -number, 1}
    assert (notes / "tidied").exists()
    assert not any(map(runs, (int(pid), int(child), postgres)))
    assert not server.parent.parent.exists()
