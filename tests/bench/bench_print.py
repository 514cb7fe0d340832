"""How long the press takes for a document, and how much memory its child: by kind and language.

The child is started as the product starts it; its processor time and its largest resident set come
from the kernel. The wall clock of a busy machine says more about the machine.

    DJANGO_SETTINGS_MODULE=config.settings.test python -m tests.bench.bench_print [rounds]
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Final

import django

django.setup()

from apps.documents.page import sheet_of  # noqa: E402 - needs the settings
from apps.documents.press import CHILD, Sheet, job_of  # noqa: E402
from tests.documents import samples  # noqa: E402
from tests.documents.conftest import document_from  # noqa: E402

ROUNDS: Final = 5
MOST_S: Final = 2.5
MOST_MIB: Final = 250
PRINTED: Final = (("approved", "final"), ("rent", "draft"), ("approved", "short"))


@dataclass(frozen=True, slots=True)
class Taken:
    wall_s: float
    cpu_s: float
    peak_mib: float
    pages: int


def taken(sheet: Sheet) -> Taken:
    """One print in a child of its own."""
    job = json.dumps(job_of(sheet)).encode()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as given:
        given.write(job)
        given.seek(0)
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-I", str(CHILD)],
            stdin=given,
            stdout=subprocess.PIPE,
            env={},
            cwd=folder,
        )
        assert child.stdout is not None
        head = child.stdout.readline()
        child.stdout.read()
        _pid, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, head
    return Taken(
        wall_s=time.perf_counter() - began,
        cpu_s=used.ru_utime + used.ru_stime,
        peak_mib=used.ru_maxrss / 1024,
        pages=json.loads(head)["page_count"],
    )


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    slow = False
    for name, kind in PRINTED:
        for language in ("ru", "en"):
            sheet = sheet_of(document_from(getattr(samples, name)(), kind, language))
            runs = [taken(sheet) for _round in range(rounds)]
            cpu_s = statistics.median(run.cpu_s for run in runs)
            wall_s = statistics.median(run.wall_s for run in runs)
            peak_mib = max(run.peak_mib for run in runs)
            over = cpu_s > MOST_S or peak_mib > MOST_MIB
            slow = slow or over
            sys.stdout.write(
                f"{name} {kind} {language}: {runs[0].pages} sheets, {wall_s:.2f} s by the clock,"
                f" {cpu_s:.2f} s of processor, {peak_mib:.0f} MiB{'  OVER' if over else ''}\n"
            )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
