"""Timing pages of a running product over HTTP."""

import statistics
import sys
import time
from collections.abc import Mapping

from config.launcher.browser import Browser

ROUNDS_COUNT = 3
REPEATS_COUNT = 20
GOAL_MS = 100


def timed_ms(browser: Browser, address: str) -> float:
    began_s = time.perf_counter()
    browser.get(address)
    return 1000 * (time.perf_counter() - began_s)


def measure_pages(browser: Browser, pages: Mapping[str, str], stack: str) -> None:
    """Print the median and the 95th percentile of each round of each page, in milliseconds."""
    for name, address in pages.items():
        medians, slow = [], []
        for _ in range(ROUNDS_COUNT):
            times = [timed_ms(browser, address) for _ in range(REPEATS_COUNT)]
            medians.append(statistics.median(times))
            slow.append(statistics.quantiles(times, n=20)[-1])
        verdict = "" if max(medians) <= GOAL_MS else f"  OVER {GOAL_MS} ms"
        sys.stdout.write(
            f"{stack:18} {name:26} median {' '.join(f'{ms:5.0f}' for ms in medians)}"
            f"   p95 {' '.join(f'{ms:5.0f}' for ms in slow)}{verdict}\n"
        )
