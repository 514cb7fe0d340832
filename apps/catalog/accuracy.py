"""How far the engine is from published, measured runs: per kind of run and per source."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from apps.catalog.calibration_reader import EVIDENCE
from apps.catalog.facts import fixture_catalog, fixture_sha256
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.ranges import Range
from apps.sizing.task_reader import parse_task

QUANTITIES = ("memory", "step time")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the engine says of one measured figure. Memory in GiB, step time in seconds."""

    run: str
    quantity: str
    kind: str
    source: str
    said: Range
    measured: float

    @property
    def error_ratio(self) -> float:
        """Signed: positive when the engine says too much."""
        return self.said.typical / self.measured - 1

    @property
    def inside(self) -> bool:
        return self.said.low <= self.measured <= self.said.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Errors of a group of comparisons as ratios; `half_width_ratio` is that of the ranges."""

    name: str
    count: int
    median_error_ratio: float
    p90_error_ratio: float
    bias_ratio: float
    inside_ratio: float
    half_width_ratio: float


def comparisons(path: Path = EVIDENCE, *, software_known: bool = True) -> list[Comparison]:
    """Every measured figure of the evidence beside what the engine says of that run.

    Args:
        software_known: false withholds the framework, as of software that nobody has measured.
    """
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    titles = [source["title"] for source in document["sources"]]
    return [
        comparison
        for run in document["runs"]
        for comparison in _compared(run, titles[run["source"]], software_known)
    ]


def _compared(run: dict[str, Any], source: str, software_known: bool) -> Iterator[Comparison]:
    catalog, task, measured = fixture_catalog(), parse_task(run["task"]), run["measured"]
    if not software_known:
        task = replace(task, recipe=replace(task.recipe, framework=None))
    common = {"run": run["id"], "kind": run["group"], "source": source}
    if "memory_gib" in measured:
        memory = estimate_memory(task, catalog)
        if memory is not None:
            said: Range = getattr(memory, measured["figure"])
            yield Comparison(
                quantity="memory", said=said, measured=measured["memory_gib"], **common
            )
    if "step_s" in measured:
        time = estimate_time(task, catalog)
        if time is not None:
            yield Comparison(
                quantity="step time", said=time.step_s, measured=measured["step_s"], **common
            )


def accuracy_of(name: str, group: Sequence[Comparison]) -> Accuracy:
    """Summarise a group that is not empty."""
    errors = sorted(abs(c.error_ratio) for c in group)
    return Accuracy(
        name=name,
        count=len(group),
        median_error_ratio=statistics.median(errors),
        p90_error_ratio=errors[math.ceil(0.9 * len(errors)) - 1],
        bias_ratio=statistics.median(c.error_ratio for c in group),
        inside_ratio=sum(c.inside for c in group) / len(group),
        half_width_ratio=statistics.median(
            (c.said.high - c.said.low) / 2 / c.said.typical for c in group
        ),
    )


def table(found: Iterable[Comparison], *, by: str) -> list[Accuracy]:
    """Accuracy of all, then of each value of the attribute `by` (`kind` or `source`)."""
    everything = list(found)
    groups = sorted({getattr(c, by) for c in everything})
    parts = [[c for c in everything if getattr(c, by) == name] for name in groups]
    return [
        accuracy_of("all", everything),
        *(accuracy_of(name, part) for name, part in zip(groups, parts, strict=True)),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The whole comparison. `kinds` and `sources` by quantity, the first row of each is of all;
    `withheld` are the sources again, with the engine not told by which software they were run.

    `frameworks` and `accelerators` count the runs of each; `references` are where the runs of a
    source can be read.
    """

    kinds: Mapping[str, Sequence[Accuracy]]
    sources: Mapping[str, Sequence[Accuracy]]
    withheld: Mapping[str, Sequence[Accuracy]]
    references: Mapping[str, str]
    frameworks: Mapping[str, int]
    accelerators: Mapping[str, int]
    run_count: int


def accuracy_summary() -> Summary:
    """The comparison with the shipped runs, worked out once for a catalog in a process."""
    return _summary(fixture_sha256())


@lru_cache(maxsize=1)
def _summary(_sha256: str) -> Summary:
    document: dict[str, Any] = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    found = comparisons()
    compared = {c.run for c in found}
    tasks = [run["task"] for run in document["runs"] if run["id"] in compared]
    mine = _by_quantity(found)
    references: dict[str, str] = {}
    for source in document["sources"]:
        references.setdefault(source["title"], source["ref"])
    return Summary(
        kinds={quantity: table(part, by="kind") for quantity, part in mine.items()},
        sources={quantity: table(part, by="source") for quantity, part in mine.items()},
        withheld={
            quantity: table(part, by="source")
            for quantity, part in _by_quantity(comparisons(software_known=False)).items()
        },
        references=references,
        frameworks=Counter(task["recipe"].get("framework") or "" for task in tasks),
        accelerators=Counter(task["placement"]["accelerator"] for task in tasks),
        run_count=len(compared),
    )


def _by_quantity(found: Sequence[Comparison]) -> dict[str, list[Comparison]]:
    return {quantity: [c for c in found if c.quantity == quantity] for quantity in QUANTITIES}
