"""Sends a document to the child process that prints it, and judges what comes back.

Nothing of this process reaches the child but the HTML, the closed map of assets and the
attachments: its environment is empty and its folder is made for it and removed after it.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders

CHILD: Final = Path(__file__).with_name("child.py")
# The child limits its processor time itself: this ends what hangs, and a busy machine is slow.
WALL_S: Final = 240.0
MOST_PAGES: Final = 200
MOST_BYTES: Final = 50 * 10**6

STYLE: Final = "asset:pdf.css"
_FILES: Final[Mapping[str, str]] = {
    STYLE: "pdf/pdf.css",
    **{
        f"asset:{name}.ttf": f"fonts/{name}.ttf"
        for name in (
            "GolosText_400Regular",
            "GolosText_500Medium",
            "GolosText_600SemiBold",
            "GolosText_700Bold",
            "JetBrainsMono_400Regular",
            "JetBrainsMono_600SemiBold",
        )
    },
}


class PressFailed(Exception):
    """No PDF this time: the machine was busy, or the child was killed. Trying again may help."""


class DocumentRefused(PressFailed):
    """What was printed is not fit to be handed out, and would not be the next time either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file inside the PDF. `relationship` is PDF's word for why it is there (Source, Data)."""

    name: str
    description: str
    relationship: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Everything the child is told. `identifier` and `at` are fixed: same facts, same bytes.

    `drawings` are SVG texts that the HTML names by their addresses (`asset:…svg`).
    """

    html: str
    identifier: str
    at: datetime
    attachments: Sequence[Attached] = ()
    drawings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A PDF that passed the checks. `refused` are addresses that the document asked for in vain."""

    content: bytes
    page_count: int
    refused: tuple[str, ...]
    warnings: tuple[str, ...]


@lru_cache(maxsize=1)
def assets() -> dict[str, str]:
    """The style sheet and the fonts, base64 by name. Read once a process."""
    found = {}
    for name, file in _FILES.items():
        path = finders.find(file)
        if path is None:
            raise FileNotFoundError(f"static file {file} is missing")
        found[name] = base64.b64encode(Path(path).read_bytes()).decode("ascii")
    return found


def print_pdf(sheet: Sheet, *, child: Path = CHILD, wall_s: float = WALL_S) -> Printed:
    """Print `sheet` in a child process.

    Raises:
        PressFailed: the child died or did not finish within `wall_s` seconds.
        DocumentRefused: the result is no PDF, or too long.
    """
    job = json.dumps(job_of(sheet)).encode("utf-8")
    with tempfile.TemporaryDirectory(prefix="pdf-") as folder:
        output = _run(job, folder=folder, child=child, wall_s=wall_s)
    return _checked(output)


def _coded(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")


def job_of(sheet: Sheet) -> dict[str, Any]:
    """What the child reads; see its first lines."""
    return {
        "html": sheet.html,
        "assets": assets() | {name: _coded(svg) for name, svg in sheet.drawings.items()},
        "stylesheets": [STYLE],
        "identifier": sheet.identifier,
        "at": sheet.at.isoformat(),
        "attachments": [
            {
                "name": one.name,
                "description": one.description,
                "relationship": one.relationship,
                "text": one.text,
            }
            for one in sheet.attachments
        ],
    }


def _run(job: bytes, *, folder: str, child: Path, wall_s: float) -> bytes:
    process = subprocess.Popen(  # noqa: S603 - our own script and interpreter, no shell
        [sys.executable, "-I", str(child)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={},
        cwd=folder,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(job, timeout=wall_s)
    except subprocess.TimeoutExpired:
        raise PressFailed(f"printing did not finish within {wall_s:g} s") from None
    finally:
        _stop(process)
    if process.returncode:
        raise PressFailed(_why(process.returncode, errors))
    return output


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it may have started; nothing to do when it ended by itself."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _why(returncode: int, errors: bytes) -> str:
    if returncode < 0:
        return f"the printing process was stopped by {signal.Signals(-returncode).name}"
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return f"the printing process failed: {lines[-1][:300] if lines else 'no reason given'}"


def _checked(output: bytes) -> Printed:
    head, _newline, content = output.partition(b"\n")
    if not content.startswith(b"%PDF-"):
        raise DocumentRefused("what was printed is not a PDF")
    report = json.loads(head)
    if report["page_count"] > MOST_PAGES:
        raise DocumentRefused(f"{report['page_count']} pages; at most {MOST_PAGES} are allowed")
    if len(content) > MOST_BYTES:
        raise DocumentRefused(f"{len(content)} bytes; at most {MOST_BYTES} are allowed")
    return Printed(
        content=content,
        page_count=report["page_count"],
        refused=tuple(report["refused"]),
        warnings=tuple(report["warnings"]),
    )
