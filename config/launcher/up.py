"""`./podbor up`: prepare the data folder, run web and worker, keep them running."""

import hashlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from config.launcher import environment, instance, ports, system
from config.launcher.children import Child
from config.launcher.health import Answers, Pulse, is_served, last_beat
from config.launcher.layout import Checkout, DataFolder
from config.launcher.supervisor import Supervisor, tail_of
from config.launcher.texts import Problem, say, text

NEEDED_BYTES = 200 * 10**6
READY_TIMEOUT_S = 120.0  # of a busy machine; an idle one takes seconds
WORKER_SILENCE_S = 60.0  # it beats every ten seconds
AFTER_KILL_S = 10.0  # what servers of a killed instance may take to end by themselves
PREPARED_FROM = ("apps/*/migrations/*.py", "fixtures/**/*", "static/**/*", "requirements.lock")
EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 (compared with, not bound to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    host: str
    port: int

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def allowed_hosts(self) -> str:
        names = ["127.0.0.1", "localhost", "[::1]"]
        if self.host in EVERYWHERE:
            names += [socket.gethostname(), socket.getfqdn()]
        elif self.host not in names:
            names.append(f"[{self.host}]" if ":" in self.host else self.host)
        return ",".join(names)


def up(checkout: Checkout, data: DataFolder, address: Address) -> int:
    """Run until SIGINT or SIGTERM. Raises Problem when it cannot start or cannot stay up."""
    began_s = time.monotonic()
    environment.set_up(checkout)
    create_folder(data)
    claimed = instance.claim(data)
    try:
        patience_s = AFTER_KILL_S if claimed.was_killed else 0.0
        ports.require_port(address.host, address.port, patience_s=patience_s)
        claimed.record(address.url)
        variables = child_environment(data, address)
        prepare(checkout, data, variables)
        supervise(checkout, data, address, variables, began_s)
    finally:
        claimed.release()
    return 0


def create_folder(data: DataFolder) -> None:
    system.require_space(data.path, NEEDED_BYTES)
    try:
        data.create()
    except OSError as error:
        raise Problem("folder.not_writable", folder=data.path, reason=error.strerror) from error
    system.require_writable(data.path)


def child_environment(data: DataFolder, address: Address) -> dict[str, str]:
    """The environment of web, worker and manage.py: what was given, completed."""
    variables = dict(os.environ)
    variables.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    variables.setdefault("SITE_URL", address.url)
    variables.setdefault("PODBOR_ALLOWED_HOSTS", address.allowed_hosts())
    variables["PODBOR_DATA_DIR"] = str(data.path)
    variables["TMPDIR"] = str(data.temporary)  # the queue moves files by rename: one disk
    variables["PYTHONUNBUFFERED"] = "1"
    variables.pop("GUNICORN_CMD_ARGS", None)
    return variables


def prepared_state(checkout: Checkout, variables: dict[str, str]) -> str:
    """A hash of all that `manage.py prepare` reads, by names, sizes and times of change."""
    digest = hashlib.sha256()
    for path in prepared_files(checkout.root):
        facts = path.stat()
        digest.update(f"{path}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode())
    digest.update(variables["DJANGO_SETTINGS_MODULE"].encode())
    return digest.hexdigest()


def prepared_files(root: Path) -> Iterator[Path]:
    for pattern in PREPARED_FROM:
        yield from sorted(path for path in root.glob(pattern) if path.is_file())


def prepare(checkout: Checkout, data: DataFolder, variables: dict[str, str]) -> None:
    """Migrate, load the catalog, make the first people: only when something has changed.

    A database elsewhere may have been changed by others, so there it is always asked.
    """
    state = prepared_state(checkout, variables)
    external = bool(variables.get("DATABASE_URL"))
    if not external and last_prepared(data) == state:
        return
    say("up.preparing", folder=data.path)
    done = subprocess.run(
        checkout.manage("prepare"), env=variables, capture_output=True, text=True, check=False
    )
    (data.logs / "prepare.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode:
        tail = system.last_lines(done.stdout + done.stderr)
        raise Problem("up.prepare_failed", "./podbor doctor", tail=tail)
    data.prepared_file.write_text(state, encoding="ascii")


def last_prepared(data: DataFolder) -> str:
    """The state at the last good `prepare`; "" when there was none or its database is gone."""
    if not (data.prepared_file.exists() and data.database.exists()):
        return ""
    return data.prepared_file.read_text(encoding="ascii")


def web(checkout: Checkout, data: DataFolder, address: Address, env: dict[str, str]) -> Child:
    host = f"[{address.host}]" if ":" in address.host else address.host
    argv = [str(checkout.python), "-m", "gunicorn", "config.wsgi:application"]
    argv += ["--bind", f"{host}:{address.port}", "--worker-class", "gthread"]
    argv += ["--workers", "2", "--threads", "4", "--timeout", "60", "--graceful-timeout", "5"]
    argv += ["--no-control-socket", "--worker-tmp-dir", str(data.temporary)]
    argv += ["--preload"]  # imported once for both; no connection is open before the fork
    check = Answers(lambda: is_served(address.url), failures_allowed_count=6)
    log = data.logs / "web.log"
    return Child(name="web", argv=argv, env=env, cwd=checkout.root, log=log, check=check)


def worker(checkout: Checkout, data: DataFolder, env: dict[str, str]) -> Child:
    argv = [str(checkout.python), "-m", "celery", "-A", "config", "worker", "-P", "threads"]
    argv += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
    log = data.logs / "worker.log"
    check = None  # beats in a database elsewhere are that server's to watch
    if not env.get("DATABASE_URL"):
        check = Pulse(lambda: last_beat(data.database), silence_s=WORKER_SILENCE_S)
    return Child(name="worker", argv=argv, env=env, cwd=checkout.root, log=log, check=check)


def supervise(
    checkout: Checkout,
    data: DataFolder,
    address: Address,
    env: dict[str, str],
    began_s: float,
) -> None:
    web_child = web(checkout, data, address, env)
    supervisor = Supervisor([web_child, worker(checkout, data, env)])
    supervisor.stop_on_signals()
    try:
        supervisor.start()
        if wait_until_served(supervisor, web_child, address):
            announce(data, address, time.monotonic() - began_s)
            supervisor.run()
        say("up.stopping")
    finally:
        supervisor.stop()
    say("up.stopped")


def wait_until_served(supervisor: Supervisor, child: Child, address: Address) -> bool:
    """Wait for the first page. False when asked to stop meanwhile; Problem when none comes."""
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not is_served(address.url):
        if supervisor.stopping.wait(0.1):
            return False
        supervisor.look()
        if time.monotonic() > deadline:
            raise Problem("up.not_ready", "./podbor doctor", log=child.log, tail=tail_of(child))
    return True


def announce(data: DataFolder, address: Address, took_s: float) -> None:
    say("up.ready", url=address.url, took_s=took_s)
    if data.sign_ins_file.exists():
        say("up.sign_ins")
        for line in data.sign_ins_file.read_text(encoding="utf-8").splitlines():
            role, name, password = line.split("\t")
            print(f"  {text('role.' + role):<14} {name:<24} {password}", flush=True)
    say("up.hint", data=data.path, logs=data.logs)
