"""The machine underneath: system libraries, apt, free disk space."""

import ctypes
import errno
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from config.launcher.texts import Problem, note

# Debian packages and the libraries by which we see that they are there. WeasyPrint loads these by
# name at import; without libharfbuzz-subset it works, but the same text gives other bytes each time.
PDF_LIBRARIES = {
    "libpango-1.0.so.0": "libpangoft2-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libgobject-2.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz.so.0": "libpangoft2-1.0-0",
    "libfontconfig.so.1": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
}
OPTIONAL_PACKAGES = {"libharfbuzz-subset0"}
VENV_PACKAGE = "python3-venv"


def is_root() -> bool:
    return os.geteuid() == 0


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def missing_pdf_packages() -> list[str]:
    """Debian packages that the PDF needs and whose libraries do not load."""
    return sorted({p for name, p in PDF_LIBRARIES.items() if not has_library(name)})


def can_make_venv() -> bool:
    """Debian's bare python3 has the venv module but not ensurepip, and fails half-way."""
    return find_spec("venv") is not None and find_spec("ensurepip") is not None


def apt_command(packages: Iterable[str]) -> str:
    """The line a person has to run to get `packages`, with sudo unless they are root."""
    sudo = "" if is_root() else "sudo "
    names = " ".join(sorted(packages))
    return f"{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {names}"


def apt_install(packages: Sequence[str]) -> None:
    """Install Debian packages as root.

    Raises Problem with apt's last lines when it fails, or when there is no apt.
    """
    if shutil.which("apt-get") is None:
        raise Problem("apt.absent", packages=" ".join(packages))
    note("apt.installing", packages=" ".join(packages))
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (
        ["update"],
        ["install", "-y", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(
            ["apt-get", "-q", *arguments],
            env=quiet,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            tail = last_lines(done.stdout + done.stderr)
            raise Problem("apt.failed", apt_command(packages), tail=tail)


def require_packages(packages: Sequence[str]) -> None:
    """Have `packages` installed: by apt as root, otherwise by telling the exact command."""
    if not packages:
        return
    if is_root():
        apt_install(packages)
    elif set(packages) <= OPTIONAL_PACKAGES:
        note("packages.optional", packages=" ".join(packages), command=apt_command(packages))
    else:
        raise Problem("packages.missing", apt_command(packages), packages=" ".join(packages))


def require_space(folder: Path, needed_bytes: int) -> None:
    """Raise Problem when the disk that holds `folder` has less than `needed_bytes` free."""
    free_bytes = shutil.disk_usage(existing_parent(folder)).free
    if free_bytes < needed_bytes:
        raise Problem(
            "disk.full",
            f"df -h {existing_parent(folder)}",
            folder=folder,
            free_mb=free_bytes // 10**6,
            needed_mb=needed_bytes // 10**6,
        )


def require_writable(folder: Path) -> None:
    """Raise Problem when no file can be made in `folder` (rights, read-only disk, no space)."""
    probe = folder / f".write-{os.getpid()}"
    try:
        probe.write_bytes(b"podbor")
        probe.unlink()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Problem("disk.no_space", f"df -h {folder}", folder=folder) from error
        raise Problem("folder.not_writable", folder=folder, reason=error.strerror) from error


def existing_parent(path: Path) -> Path:
    """The nearest folder at or above `path` that exists."""
    while not path.exists():
        path = path.parent
    return path


def last_lines(output: str, count: int = 12) -> str:
    return "\n".join(f"    {line}" for line in output.strip().splitlines()[-count:])
