"""Ports: whether one is free, who holds it, which is free instead."""

import errno
import socket
import time
from contextlib import suppress
from pathlib import Path

from config.launcher.texts import Problem, text

SHOWN_CHARACTERS = 60  # of the command that holds a port
LISTENING = "0A"  # the state's number in /proc/net/tcp


def family_of(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def try_bind(host: str, port: int) -> OSError | None:
    """Return None when a server can listen there, otherwise why it cannot."""
    with socket.socket(family_of(host), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def free_port(host: str = "127.0.0.1") -> int:
    """A port that the kernel picks; it was free a moment ago."""
    with socket.socket(family_of(host), socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def next_free_port(host: str, port: int) -> int:
    """The first port above `port` that can be listened on."""
    return next((p for p in range(port + 1, port + 100) if try_bind(host, p) is None), 0)


def require_port(host: str, port: int, *, patience_s: float = 0.0) -> None:
    """Raise Problem when nothing can listen on host:port.

    `patience_s` waits for the servers of an instance that was killed to end.
    """
    deadline = time.monotonic() + patience_s
    error = try_bind(host, port)
    while error and error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
        time.sleep(0.2)
        error = try_bind(host, port)
    if error is None:
        return
    remedy = f"./podbor up --port {next_free_port(host, max(port, 8000))}"
    if error.errno == errno.EADDRINUSE:
        raise Problem("port.busy", remedy, port=port, holder=holder_of(port))
    raise Problem("port.refused", remedy, host=host, port=port, reason=error.strerror)


def holder_of(port: int) -> str:
    """Name the process that listens on `port`, as far as our rights let us see it."""
    sockets = {f"socket:[{inode}]" for inode in listening_inodes(port)}
    for process in Path("/proc").glob("[0-9]*"):
        if sockets & open_files(process):
            command = (process / "cmdline").read_text(encoding="utf-8", errors="replace")
            name = command.replace("\0", " ").strip()[:SHOWN_CHARACTERS]
            return text("port.holder", name=name, pid=process.name)
    return text("port.holder_unknown")


def open_files(process: Path) -> set[str]:
    """What a process of /proc holds open; nothing when it has ended or is somebody else's."""
    names = set()
    with suppress(OSError):
        for link in (process / "fd").iterdir():
            with suppress(OSError):  # closed meanwhile, as the handle of this very listing is
                names.add(str(link.readlink()))
    return names


def listening_inodes(port: int) -> set[str]:
    """Socket inodes listening on `port` by the kernel's tables."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            rows = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            fields = row.split()
            if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(fields[9])
    return inodes
