"""The running product as a black box: started by `./podbor up`, looked at from outside."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.launcher import children, play
from config.launcher.browser import Browser
from config.launcher.health import is_served
from config.launcher.layout import Checkout, environment_without_settings
from config.launcher.ports import free_port
from tests.browser.stacks import Stack, stack_of_the_run

ROOT = Path(__file__).resolve().parents[2]
START_TIMEOUT_S = 240  # three products may start at once beside other tests
STOP_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Product:
    url: str
    data: Path
    stack: Stack

    @property
    def environment(self) -> dict[str, str]:
        """What a process that belongs to this product is started with."""
        return {
            **environment_without_settings(),
            **self.stack.variables,
            "PODBOR_DATA_DIR": str(self.data),
            "PODBOR_DEMO_STORIES": "off",  # the tests count what they send themselves
        }

    def people(self) -> dict[str, tuple[str, str]]:
        """Role -> e-mail and password of its first demo person."""
        lines = (self.data / "sign-ins.txt").read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in reversed(lines)]
        return {role: (email, password) for role, email, password in rows}

    def sign_in(self, role: str) -> Browser:
        return play.sign_in(self.url, self.people()[role])

    def send_request(self) -> str:
        """Fill in and send the demo's request; return its number."""
        client = self.sign_in("client")
        script = play.demo_script(Checkout(root=ROOT))
        check = play.fill_in(client, script, lambda *args, **kwargs: None)
        return play.number_of(client.submit(check.form_to("/submit/")))

    def rows(self, query: str) -> list[Any]:
        """Look into the database without taking part in its life."""
        return self.stack.rows(query)

    def check_invariants(self) -> None:
        """Every promise about stored data holds.

        Raises:
            AssertionError: with the words of the command when one is broken.
        """
        command = [str(ROOT / "podbor"), "manage", "check_invariants"]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def worker_pids(self) -> list[int]:
        return [pid for pid, line in self._processes() if "celery" in line]

    def web_pids(self) -> list[int]:
        return [pid for pid, line in self._processes() if "gunicorn" in line]

    def kill_worker(self) -> int:
        """kill -9 every process of this product's worker; return how many there were."""
        pids = self.worker_pids()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(pids)

    def _processes(self) -> Iterator[tuple[int, str]]:
        mark = f"PODBOR_DATA_DIR={self.data}\0".encode()
        for folder in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if folder.name.isdigit() and mark in (folder / "environ").read_bytes():
                    line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    yield int(folder.name), line


def wait_until(holds: Callable[[], bool], *, what: str, timeout_s: float) -> float:
    """Poll until `holds`; return the seconds it took.

    Raises:
        AssertionError: it did not come in time.
    """
    began_s = time.monotonic()
    while not holds():
        assert time.monotonic() - began_s < timeout_s, f"{what}: not within {timeout_s} s"
        time.sleep(0.2)
    return time.monotonic() - began_s


@contextlib.contextmanager
def running_product(data: Path) -> Iterator[Product]:
    """Start the product on `data` and a free port of the loopback; stop it afterwards.

    It stands on the servers of the test run where there are any.
    """
    with stack_of_the_run(data) as stack, start_on(data, stack) as product:
        yield product


@contextlib.contextmanager
def start_on(data: Path, stack: Stack) -> Iterator[Product]:
    product = Product(f"http://127.0.0.1:{free_port()}", data, stack)
    with started(product):
        yield product


@contextlib.contextmanager
def started(product: Product) -> Iterator[None]:
    arguments = [sys.executable, str(ROOT / "podbor"), "up"]
    arguments += ["--port", product.url.rpartition(":")[2], "--data", str(product.data)]
    log = product.data / "up.log"
    process = children.start(arguments, log=log, env=product.environment)
    try:
        wait_until(
            lambda: is_served(product.url) or process.poll() is not None,
            what="a served page",
            timeout_s=START_TIMEOUT_S,
        )
        assert process.poll() is None, log.read_text(encoding="utf-8")
        yield
    finally:
        children.stop([process], grace_s=STOP_TIMEOUT_S)
