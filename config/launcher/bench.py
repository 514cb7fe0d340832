"""`./podbor bench`: the measurements under tests/bench, one after another."""

import os
import subprocess
import time

from config.launcher.layout import Checkout
from config.launcher.texts import Problem, say


def bench(checkout: Checkout) -> int:
    """Run every tests/bench/bench_*.py with the project's Python. Returns 1 if any failed.

    Each prints its own figures; here only the order, the time and the exit code are kept.
    """
    scripts = sorted((checkout.root / "tests" / "bench").glob("bench_*.py"))
    if not scripts:
        raise Problem("bench.none", folder=checkout.root / "tests" / "bench")
    failed_count = 0
    environment = {**os.environ, "PYTHONPATH": str(checkout.root)}
    for script in scripts:
        say("bench.step", name=script.stem)
        began_s = time.monotonic()
        done = subprocess.run(
            [str(checkout.python), str(script)], cwd=checkout.root, env=environment, check=False
        )
        failed_count += done.returncode != 0
        say("bench.took", name=script.stem, took_s=time.monotonic() - began_s, code=done.returncode)
    return 1 if failed_count else 0
