"""One instance to a data folder: a lock that the kernel frees however the holder ends."""

import fcntl
import json
import os
from dataclasses import dataclass
from typing import TextIO

from config.launcher.layout import DataFolder
from config.launcher.texts import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The lock held on a data folder, and whether its last holder ended without saying so."""

    file: TextIO
    was_killed: bool

    def record(self, address: str) -> None:
        """Write who runs here and where, for the message of a second start and for `doctor`."""
        self.file.seek(0)
        self.file.truncate()
        json.dump({"pid": os.getpid(), "address": address}, self.file)
        self.file.flush()

    def release(self) -> None:
        """Empty the file before the lock goes: an ended instance leaves no address behind."""
        self.file.seek(0)
        self.file.truncate()
        self.file.close()


def read_instance(data: DataFolder) -> dict[str, object]:
    """What a running (or killed) instance wrote about itself; empty when none did."""
    try:
        loaded = json.loads(data.instance_file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def claim(data: DataFolder) -> Instance:
    """Take the data folder for this process. Raises Problem when another instance has it."""
    file = data.instance_file.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        facts = read_instance(data)
        pid = facts.get("pid", "?")
        raise Problem(
            "instance.running",
            f"kill {pid}",
            folder=data.path,
            pid=pid,
            address=facts.get("address", "?"),
        ) from None
    return Instance(file=file, was_killed=bool(read_instance(data)))


def is_running(data: DataFolder) -> bool:
    """Whether some process holds the data folder now."""
    try:
        file = data.instance_file.open("r", encoding="utf-8")
    except OSError:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
