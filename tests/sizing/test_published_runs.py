"""The engine against published, measured runs (`fixtures/evidence/runs.json`).

The limits are what the product promises for software it knows; how it does on software it has
never seen is judged by switching a dialect's own rules off.
"""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import dataclass, replace
from typing import Any

import pytest

from apps.catalog.calibration_reader import EVIDENCE
from apps.sizing.cases import resolve_case
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import peak_of
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task
from tests.sizing.engine import CATALOG, GIB

DOCUMENT: dict[str, Any] = json.loads(EVIDENCE.read_text(encoding="utf-8"))
# Its author rounds, and its samples are shorter than the stated length by an unknown factor.
LENGTHS_UNKNOWN = {"SWIFT-009", "SWIFT-010"}


@dataclass(frozen=True)
class Point:
    id: str
    said: Range
    measured: float

    @property
    def error(self) -> float:
        return abs(self.said.typical / self.measured - 1)

    @property
    def inside(self) -> bool:
        return self.said.low <= self.measured <= self.said.high


def source_of(run: dict[str, Any]) -> str:
    return str(run["id"]).split("-")[0]


def memory_points(runs, change=lambda task: task) -> list[Point]:
    points = []
    for run in runs:
        if "memory_gib" in run["measured"]:
            found = estimate_memory(change(parse_task(run["task"])), CATALOG)
            assert found is not None
            said = getattr(found, run["measured"]["figure"])
            points.append(Point(run["id"], said, run["measured"]["memory_gib"]))
    return points


def step_points(runs, change=lambda task: task) -> list[Point]:
    points = []
    for run in runs:
        if "step_s" in run["measured"]:
            found = estimate_time(change(parse_task(run["task"])), CATALOG)
            assert found is not None
            points.append(Point(run["id"], found.step_s, run["measured"]["step_s"]))
    return points


def summary(points: list[Point]) -> tuple[float, float, float, float]:
    """Median error, 90th percentile of the error, share inside, median relative half-width."""
    errors = sorted(p.error for p in points)
    widths = [(p.said.high - p.said.low) / 2 / p.said.typical for p in points]
    ninetieth = errors[math.ceil(0.9 * len(errors)) - 1]
    inside = sum(p.inside for p in points) / len(points)
    return statistics.median(errors), ninetieth, inside, statistics.median(widths)


def test_every_run_names_its_source():
    for source in DOCUMENT["sources"]:
        assert source["title"]
        assert source["ref"]
    for run in DOCUMENT["runs"]:
        assert 0 <= run["source"] < len(DOCUMENT["sources"])


def test_memory_of_known_software_is_near_what_was_measured():
    points = memory_points(DOCUMENT["runs"])
    median, ninetieth, inside, width = summary(points)
    assert len(points) > 200
    assert median <= 0.02
    assert ninetieth <= 0.10
    assert inside >= 0.9
    assert width <= 0.12


def test_step_time_of_known_software_is_near_what_was_measured():
    points = step_points(DOCUMENT["runs"])
    median, ninetieth, inside, width = summary(points)
    assert len(points) > 350
    assert median <= 0.07
    assert ninetieth <= 0.16
    assert inside >= 0.9
    assert width <= 0.22


def test_every_published_run_fits_its_card_before_any_cap():
    """They ran. A formula that puts them over their card is wrong, measured or not."""
    over = {}
    for run in DOCUMENT["runs"]:
        task = parse_task(run["task"])
        assert task.placement is not None
        case = resolve_case(task, task.placement, CATALOG)
        assert case is not None
        needed = held_memory(case, peak_of(case)).needed / GIB
        share = needed / case.card.usable_memory_gib
        if share > 1.005 and run["id"] not in LENGTHS_UNKNOWN:
            over[run["id"]] = share
    assert not over


def as_unfamiliar(framework: str | None):
    def change(task: Task) -> Task:
        return replace(task, recipe=replace(task.recipe, framework=framework))

    return change


@pytest.mark.parametrize("source", ["FMSACC", "LITGPT", "SIMUMAX", "BLOOM", "PEFT"])
def test_software_taken_for_unfamiliar_stays_inside_its_wider_range(source):
    """A source whose own rules are switched off: the range is what is left to rely on."""
    runs = [run for run in DOCUMENT["runs"] if source_of(run) == source]
    _, _, inside, _ = summary(memory_points(runs, as_unfamiliar(None)))
    assert inside >= 0.85


@pytest.mark.parametrize("source", ["FMSACC", "QWEN", "FOUNDRY", "SIMUMAX", "KORT22", "TITAN"])
def test_steps_of_software_taken_for_unfamiliar_stay_inside_their_range(source):
    runs = [run for run in DOCUMENT["runs"] if source_of(run) == source]
    _, _, inside, _ = summary(step_points(runs, as_unfamiliar(None)))
    assert inside >= 0.83
