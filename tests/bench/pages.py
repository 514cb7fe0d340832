"""Timing pages of a running product over HTTP."""

import os
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from config.launcher.browser import Browser

ROUNDS_COUNT = 3
REPEATS_COUNT = 20
GOAL_MS = 100


def timed_ms(browser: Browser, address: str) -> float:
    began_s = time.perf_counter()
    browser.get(address)
    return 1000 * (time.perf_counter() - began_s)


def cpu_ms(pids: Iterable[int]) -> float:
    """What the processes have computed since they began: other work on the machine is not in it."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # user and system time, proc(5)
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def measure_pages(
    browser: Browser, pages: Mapping[str, str], stack: str, pids: Sequence[int] = ()
) -> None:
    """Print the median and the 95th percentile of each round of each page, in milliseconds, and
    the processor time of one request when the processes that serve it are named."""
    for name, address in pages.items():
        medians, slow = [], []
        began_ms = cpu_ms(pids)
        for _ in range(ROUNDS_COUNT):
            times = [timed_ms(browser, address) for _ in range(REPEATS_COUNT)]
            medians.append(statistics.median(times))
            slow.append(statistics.quantiles(times, n=20)[-1])
        each_ms = (cpu_ms(pids) - began_ms) / (ROUNDS_COUNT * REPEATS_COUNT)
        computed = f"   CPU {each_ms:5.0f}" if pids else ""
        verdict = "" if max(medians) <= GOAL_MS else f"  OVER {GOAL_MS} ms"
        sys.stdout.write(
            f"{stack:18} {name:26} median {' '.join(f'{ms:5.0f}' for ms in medians)}"
            f"   p95 {' '.join(f'{ms:5.0f}' for ms in slow)}{computed}{verdict}\n"
        )
