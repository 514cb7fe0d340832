"""`./podbor doctor`: look at everything the product stands on; change nothing."""

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from config.launcher import environment, instance, ports, system, up
from config.launcher.findings import Finding, from_json
from config.launcher.health import is_served
from config.launcher.layout import Checkout, DataFolder
from config.launcher.texts import Problem, say, text

CLOCK_SKEW_ALLOWED_S = 5.0


def doctor(checkout: Checkout, data: DataFolder, port: int) -> int:
    """Print a line for each thing looked at. Returns 1 when any of them needs mending."""
    say("doctor.title", root=checkout.root, data=data.path)
    problems_count = 0
    for finding in examine(checkout, data, port):
        print(finding.line(), flush=True)
        problems_count += not finding.ok
    say("doctor.well" if not problems_count else "doctor.unwell", count=problems_count)
    return 1 if problems_count else 0


def examine(checkout: Checkout, data: DataFolder, port: int) -> Iterator[Finding]:
    yield python()
    yield libraries()
    yield packages(checkout)
    yield disk(data)
    yield writable(data)
    yield clock(data)
    yield service(data, port)
    if environment.recorded(checkout):
        yield from inside(checkout, data)


def python() -> Finding:
    detail = f"{platform.python_version()} ({sys.executable})"
    has_venv = system.can_make_venv()
    if not has_venv:
        detail += ", " + text("doctor.no_ensurepip")
    return Finding(
        topic="python",
        ok=has_venv,
        detail=detail,
        remedy=system.apt_command([system.VENV_PACKAGE]),
    )


def libraries() -> Finding:
    missing = system.missing_pdf_packages()
    detail = text("doctor.missing", names=", ".join(missing)) if missing else "pango, harfbuzz"
    return Finding(
        topic="libraries", ok=not missing, detail=detail, remedy=system.apt_command(missing)
    )


def packages(checkout: Checkout) -> Finding:
    ready = environment.is_ready(checkout, development=False)
    key = "doctor.packages_ready" if ready else "doctor.packages_stale"
    detail = text(key, lock=checkout.runtime_lock.name)
    return Finding(topic="packages", ok=ready, detail=detail, remedy="./podbor setup")


def disk(data: DataFolder) -> Finding:
    folder = system.existing_parent(data.path)
    free_bytes = shutil.disk_usage(folder).free
    detail = text("doctor.disk_free", free_gb=free_bytes / 1e9, folder=folder)
    enough = free_bytes >= up.NEEDED_BYTES
    return Finding(topic="disk", ok=enough, detail=detail, remedy=f"df -h {folder}")


def writable(data: DataFolder) -> Finding:
    folder = system.existing_parent(data.path)
    try:
        system.require_writable(folder)
    except Problem as problem:
        remedy = f"sudo chown -R {os.environ.get('USER', '$USER')} {folder}"
        return Finding(topic="writable", ok=False, detail=str(problem), remedy=remedy)
    return Finding(topic="writable", ok=True, detail=str(folder))


def clock(data: DataFolder) -> Finding:
    """Compare the clock with the disk's own: they differ on a network disk with another clock."""
    folder = system.existing_parent(data.path)
    probe = folder / f".clock-{os.getpid()}"
    try:
        probe.touch()
        skew_s = probe.stat().st_mtime - time.time()
        probe.unlink()
    except OSError as error:
        return Finding(topic="clock", ok=False, detail=str(error.strerror))
    launcher_s = Path(__file__).stat().st_mtime
    ok = abs(skew_s) <= CLOCK_SKEW_ALLOWED_S and time.time() > launcher_s
    detail = time.strftime("%Y-%m-%d %H:%M:%S %z")
    return Finding(topic="clock", ok=ok, detail=detail, remedy="timedatectl set-ntp true")


def service(data: DataFolder, port: int) -> Finding:
    """The running instance answers, or its port is free for one."""
    if instance.is_running(data):
        url = str(instance.read_instance(data).get("address", ""))
        served = is_served(url)
        key = "doctor.serves" if served else "doctor.does_not_answer"
        remedy = f"tail {data.logs}/web.log"
        return Finding(topic="service", ok=served, detail=text(key, url=url), remedy=remedy)
    try:
        ports.require_port("127.0.0.1", port)
    except Problem as problem:
        return Finding(topic="port", ok=False, detail=str(problem), remedy=problem.remedy)
    return Finding(topic="port", ok=True, detail=text("doctor.port_free", port=port))


def inside(checkout: Checkout, data: DataFolder) -> Iterator[Finding]:
    """What only the virtual environment's Python can tell: packages, database, worker, PDF."""
    variables = up.child_environment(data, up.Address(host="127.0.0.1", port=8000))
    running = "running" if instance.is_running(data) else "stopped"
    command = [str(checkout.python), "-m", "config.launcher.inside_doctor", running]
    done = subprocess.run(
        command, cwd=checkout.root, env=variables, capture_output=True, text=True, check=False
    )
    for line in done.stdout.splitlines():
        yield from_json(line)
    if done.returncode:
        tail = system.last_lines(done.stderr, 3)
        yield Finding(topic="product", ok=False, detail=tail.strip(), remedy="./podbor setup")
