"""Private PostgreSQL and Redis for the tests: in a temporary folder, gone with the tests."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from config.launcher import children, ports, system
from config.launcher.texts import Problem, complain

START_TIMEOUT_S = 30.0
DEBIAN_POSTGRESQL = Path("/usr/lib/postgresql")
# Lost data does no harm here, so nothing waits for the disk.
UNSAFE_BUT_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Unavailable(Exception):
    """A service that the tests wanted cannot be had on this machine; the message says why."""


def postgresql_program(name: str) -> str | None:
    """The newest Debian PostgreSQL's program, or the one in PATH."""
    if DEBIAN_POSTGRESQL.exists():
        versions = [v for v in DEBIAN_POSTGRESQL.iterdir() if (v / "bin" / name).exists()]
        if versions:
            newest = max(versions, key=lambda folder: int(folder.name.partition(".")[0]))
            return str(newest / "bin" / name)
    return shutil.which(name)


def postgresql_user() -> str | None:
    """PostgreSQL refuses root, so root becomes `postgres`; anybody else stays who they are."""
    if not system.is_root():
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise Unavailable("no system user postgres to run PostgreSQL as") from None


@contextmanager
def private_postgresql() -> Iterator[str]:
    """Run a cluster of our own over a socket and give its DATABASE_URL.

    Raises Unavailable when its programs are not there or do not start.
    """
    initdb, server = postgresql_program("initdb"), postgresql_program("postgres")
    if initdb is None or server is None:
        raise Unavailable("PostgreSQL's initdb and postgres are not installed")
    user = postgresql_user()
    # Directly in /tmp: a socket's path may have 107 characters, and TMPDIR can be long.
    folder = Path(tempfile.mkdtemp(prefix="podbor-pg-", dir="/tmp"))
    try:
        if user:
            shutil.chown(folder, user)
        make_cluster(initdb, folder, user)
        arguments = [server, "-D", str(folder / "data"), "-k", str(folder), "-h", ""]
        for setting in UNSAFE_BUT_QUICK:
            arguments += ["-c", setting]
        process = children.start(arguments, log=folder / "server.log", cwd=folder, user=user)
        try:
            role = user or pwd.getpwuid(os.getuid()).pw_name
            wait_until(lambda: has_started(folder), process, folder / "server.log")
            yield f"postgresql://{role}@{quote(str(folder), safe='')}/postgres"
        finally:
            children.stop([process])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_cluster(initdb: str, folder: Path, user: str | None) -> None:
    done = subprocess.run(
        [initdb, "-D", str(folder / "data"), "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"],
        cwd=folder,
        user=user,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Unavailable(f"initdb failed:\n{system.last_lines(done.stderr)}")


def has_started(folder: Path) -> bool:
    """PostgreSQL writes "ready" into its lock file once it takes connections."""
    try:
        return "ready" in (folder / "data" / "postmaster.pid").read_text(encoding="ascii")
    except OSError:
        return False


@contextmanager
def private_redis() -> Iterator[str]:
    """Run Redis without persistence on a free port of the loopback and give its REDIS_URL."""
    program = shutil.which("redis-server")
    if program is None:
        raise Unavailable("redis-server is not installed")
    folder = Path(tempfile.mkdtemp(prefix="podbor-redis-"))
    port = ports.free_port()
    try:
        arguments = [program, "--bind", "127.0.0.1", "--port", str(port), "--save", ""]
        arguments += ["--appendonly", "no", "--dir", str(folder)]
        log = folder / "server.log"
        process = children.start(arguments, log=log, cwd=folder)
        try:
            wait_until(lambda: ports.try_bind("127.0.0.1", port) is not None, process, log)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            children.stop([process])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until(started: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not started():
        if process.poll() is not None or time.monotonic() > deadline:
            tail = system.last_lines(log.read_text(encoding="utf-8", errors="replace"))
            raise Unavailable(f"it did not start:\n{tail}")
        time.sleep(0.05)


def install_missing() -> list[str]:
    """As root, install what the full tests need; return Debian packages still missing."""
    missing = []
    if postgresql_program("postgres") is None:
        missing.append("postgresql")
    if shutil.which("redis-server") is None:
        missing.append("redis-server")
    if shutil.which("chromium") is None:
        missing.append("chromium")
    if not missing or not system.is_root():
        return missing
    try:
        system.apt_install(missing)
    except Problem as problem:
        complain(problem)
        return missing
    return []
