"""What one measured run is worth: each published run of a source predicts its others.

As the product uses it: the engine's estimates of the other runs are moved and narrowed by the one
(see `apps.sizing.transfer`), without another word about the source.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from apps.catalog.calibration_reader import EVIDENCE
from apps.catalog.facts import fixture_catalog
from apps.sizing.cases import Case, placed_case
from apps.sizing.estimators.memory import memory_of
from apps.sizing.estimators.time import time_of
from apps.sizing.ranges import Range
from apps.sizing.task_reader import parse_task
from apps.sizing.transfer import NEAR, Deviation, Quantity, correlation, moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """Errors of the predictions without and with the run, as ratios; `near`: on really near runs
    only. The shares `inside` are of measurements in the range, `half_width` the medians."""

    quantity: Quantity
    near: bool
    pairs: int
    median_without: float
    median_with: float
    p90_without: float
    p90_with: float
    inside_without: float
    inside_with: float
    half_width_without: float
    half_width_with: float


@dataclass(frozen=True, slots=True)
class _Run:
    """`software` is the framework that was used, also where the engine was not told."""

    case: Case
    software: str | None
    said: Range
    measured: float


_Pair = tuple[float, _Run, Range]


@lru_cache(maxsize=2)
def predicted_by_one_run(*, software_known: bool = True) -> tuple[Predicted, ...]:
    """For memory and for the step: all pairs in which the run says something, and the near ones.
    Worked out once a process.

    Args:
        software_known: false withholds the framework, as of software that nobody has measured.
    """
    found = []
    sources = _runs(software_known=software_known)
    for quantity, runs in sources.items():
        pairs = [pair for of_source in runs.values() for pair in _pairs(quantity, of_source)]
        found.append(_summary(quantity, pairs, near=False))
        found.append(_summary(quantity, [p for p in pairs if p[0] >= NEAR], near=True))
    return tuple(found)


def _runs(*, software_known: bool) -> Mapping[Quantity, Mapping[int, list[_Run]]]:
    document: dict[str, Any] = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    found: dict[Quantity, dict[int, list[_Run]]] = {
        "memory": defaultdict(list),
        "step": defaultdict(list),
    }
    for run in document["runs"]:
        for quantity, one in _compared(run, software_known=software_known):
            found[quantity][run["source"]].append(one)
    return found


def _compared(run: Mapping[str, Any], *, software_known: bool) -> Iterator[tuple[Quantity, _Run]]:
    catalog, task, measured = fixture_catalog(), parse_task(run["task"]), run["measured"]
    software = task.recipe.framework
    if not software_known:
        task = replace(task, recipe=replace(task.recipe, framework=None))
    placed = placed_case(task, catalog, None)
    if placed is None:
        return
    case, place = placed
    if "memory_gib" in measured:
        said = getattr(memory_of(case, task, place, catalog), measured["figure"])
        yield "memory", _Run(case, software, said, measured["memory_gib"])
    if "step_s" in measured:
        time = time_of(case, task, place, catalog)
        yield "step", _Run(case, software, time.step_s, measured["step_s"])


def _pairs(quantity: Quantity, runs: Sequence[_Run]) -> Iterator[_Pair]:
    """(ρ, the other run, its range after the one) of all pairs of one software that have anything
    in common."""
    for one in runs:
        deviation = Deviation.between(one.measured, one.said)
        for other in runs:
            if other is one or other.software != one.software:
                continue
            rho = correlation(quantity, one.case, other.case)
            if rho:
                yield rho, other, moved(other.said, deviation, rho, quantity).range


def _summary(quantity: Quantity, pairs: Sequence[_Pair], *, near: bool) -> Predicted:
    without = _errors([(run.measured, run.said) for _, run, _ in pairs])
    with_run = _errors([(run.measured, after) for _, run, after in pairs])
    return Predicted(
        quantity=quantity,
        near=near,
        pairs=len(pairs),
        median_without=without.median,
        median_with=with_run.median,
        p90_without=without.p90,
        p90_with=with_run.p90,
        inside_without=without.inside,
        inside_with=with_run.inside,
        half_width_without=without.half_width,
        half_width_with=with_run.half_width,
    )


@dataclass(frozen=True, slots=True)
class _Errors:
    median: float
    p90: float
    inside: float
    half_width: float


def _errors(pairs: Sequence[tuple[float, Range]]) -> _Errors:
    errors = sorted(abs(said.typical / measured - 1) for measured, said in pairs)
    return _Errors(
        median=statistics.median(errors),
        p90=errors[math.ceil(0.9 * len(errors)) - 1],
        inside=sum(said.low <= m <= said.high for m, said in pairs) / len(pairs),
        half_width=statistics.median((s.high - s.low) / 2 / s.typical for _, s in pairs),
    )
