"""What took the time of a run, by file and by test: said at its end, so that growth is seen."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

MOST = 12


def slowest(durations: Iterable[tuple[str, float]], *, most: int = MOST) -> list[str]:
    """Lines for the slowest files (seconds, number of tests), then for the slowest tests.

    Args:
        durations: seconds by the id of a test; setting it up counts for itself.
    """
    by_test: dict[str, float] = defaultdict(float)
    for name, took_s in durations:
        by_test[name] += took_s
    by_file: dict[str, list[float]] = defaultdict(list)
    for name, took_s in by_test.items():
        by_file[name.partition("::")[0]].append(took_s)
    files = sorted(((sum(took), len(took), name) for name, took in by_file.items()), reverse=True)
    tests = sorted(((took_s, 1, name) for name, took_s in by_test.items()), reverse=True)
    return [
        f"{took_s:8.1f} s {count:5}  {name}" for took_s, count, name in files[:most] + tests[:most]
    ]


def told(terminal: Any) -> None:
    """Write them below what pytest itself says at the end."""
    reports = [report for kind in terminal.stats.values() for report in kind]
    durations = [
        (report.nodeid, report.duration) for report in reports if hasattr(report, "duration")
    ]
    if len({name for name, _took_s in durations}) > MOST:
        terminal.section("what took longest")
        terminal.write("\n".join(slowest(durations)) + "\n")
