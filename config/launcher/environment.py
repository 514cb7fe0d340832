"""The virtual environment: made once, filled from the lock files, checked by their hashes."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.launcher import system
from config.launcher.layout import Checkout
from config.launcher.texts import Problem, note

NEEDED_BYTES = 600 * 10**6  # runtime 250 MB, development tools 250 MB more, and room to unpack
MARKER = "installed.json"
NETWORK_SIGNS = (
    "NewConnectionError",
    "name resolution",
    "ConnectTimeout",
    "ReadTimeout",
    "Connection refused",
    "Network is unreachable",
    "ProxyError",
    "SSLError",
)


def lock_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wanted(checkout: Checkout, *, development: bool) -> dict[str, str]:
    """What a finished environment has recorded about itself."""
    facts = {
        "python": "{}.{}".format(*sys.version_info),
        "runtime": lock_hash(checkout.runtime_lock),
    }
    if development:
        facts["development"] = lock_hash(checkout.dev_lock)
    return facts


def recorded(checkout: Checkout) -> dict[str, str]:
    """What the environment says it holds; empty when it is absent, broken or half made."""
    if not checkout.python.exists():
        return {}
    try:
        facts = json.loads((checkout.venv / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def is_ready(checkout: Checkout, *, development: bool) -> bool:
    return wanted(checkout, development=development).items() <= recorded(checkout).items()


def set_up(checkout: Checkout, *, development: bool = False) -> None:
    """Bring system packages and `.venv` to what the lock files say. Does nothing when they are.

    Raises Problem when something has to be done by the person at the terminal.
    """
    ready = is_ready(checkout, development=development)
    packages = system.missing_pdf_packages()
    if not ready and not works(checkout) and not system.can_make_venv():
        packages.append(venv_package())
    system.require_packages(packages)
    if ready:
        return
    with only_one_at_a_time(checkout.root):
        if is_ready(checkout, development=development):
            return
        system.require_space(checkout.root, NEEDED_BYTES)
        system.require_writable(checkout.root)
        make_venv(checkout)
        facts = wanted(checkout, development=development)
        install(checkout, checkout.runtime_lock)
        if development:
            install(checkout, checkout.dev_lock)
        (checkout.venv / MARKER).write_text(json.dumps(facts), encoding="utf-8")


@contextmanager
def only_one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder itself, so that two starts do not fill one `.venv` together."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def make_venv(checkout: Checkout) -> None:
    """Make `.venv`, or make it anew when it is broken or belongs to another Python version."""
    if works(checkout):
        return
    note("venv.making", folder=checkout.venv)
    if checkout.venv.exists():
        shutil.rmtree(checkout.venv)
    done = subprocess.run(
        [sys.executable, "-m", "venv", str(checkout.venv)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        tail = system.last_lines(done.stdout + done.stderr)
        raise Problem("venv.failed", system.apt_command([system.VENV_PACKAGE]), tail=tail)


def venv_package() -> str:
    """The Debian package that completes this Python; only Debian's own can be completed so."""
    if Path(sys.executable).parent != Path("/usr/bin"):
        raise Problem("venv.foreign_python", "/usr/bin/python3 podbor up", python=sys.executable)
    return system.VENV_PACKAGE


def works(checkout: Checkout) -> bool:
    """Whether `.venv` runs with this Python's version and has pip."""
    check = f"import pip, sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]!r})"
    try:
        done = subprocess.run([str(checkout.python), "-c", check], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def install(checkout: Checkout, lock: Path) -> None:
    """Install a lock file with its hashes.

    Dependencies are not resolved again: the lock is complete, and its hashes are the only
    packages that may be installed. Nothing is compiled ahead: most of it is never imported, and
    Python compiles the rest as it comes, which makes the first start a third shorter.
    """
    note("pip.installing", lock=lock.relative_to(checkout.root))
    command = [str(checkout.python), "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--no-deps", "--no-compile"]
    command += ["--require-hashes", "-r", str(lock)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise pip_problem(done.stdout + done.stderr, lock)


def pip_problem(output: str, lock: Path) -> Problem:
    """Say why pip failed in words: network, disk, a changed package, or pip's own last lines."""
    tail = system.last_lines(output)
    if "No space left on device" in output:
        return Problem("disk.no_space", f"df -h {lock.parent}", folder=lock.parent)
    if "DO NOT MATCH THE HASHES" in output:
        return Problem("pip.hash", lock=lock.name, tail=tail)
    if any(sign in output for sign in NETWORK_SIGNS):
        return Problem("pip.network", "python3 -m pip config debug", tail=tail)
    return Problem("pip.failed", lock=lock.name, tail=tail)
