"""The explanation of one platform of a task: every figure as a formula with its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.memory import memory_of
from apps.sizing.estimators.time import time_of
from apps.sizing.explain.derivation import Line, Sheet
from apps.sizing.explain.leaves import PILOT, Leaf, Leaves
from apps.sizing.explain.recorded_case import recorded_case
from apps.sizing.explain.recorded_site import (
    recorded_catalog,
    recorded_platform,
    recorded_task,
)
from apps.sizing.explain.site import host_lines, joined_lines, rack_lines, storage_lines
from apps.sizing.explain.training import (
    exchange_lines,
    exposed_lines,
    memory_lines,
    time_lines,
)
from apps.sizing.facts import Catalog
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import peak_of
from apps.sizing.platform import Platform
from apps.sizing.task import Placement, Task
from apps.sizing.timing.steps import step_time
from apps.sizing.units import GIB
from apps.sizing.unknowns import unknown_fields

PARTS: Final = ("memory", "interconnect", "time", "storage", "host", "rack")
_SAME: Final = 1e-9
SCHEMA: Final = "podbor.explanation/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Lines in the order they are read and the numbers of the input by key.

    `unknowns` are the fields of the task that nobody stated and that widen the range of a part,
    each with its relative swing.
    """

    lines: tuple[Line, ...]
    inputs: Mapping[str, Leaf]
    unknowns: Mapping[str, Mapping[str, float]]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, `podbor.explanation/1`."""
        inputs = {
            key: {
                "symbol": leaf.symbol,
                "value": float(leaf.value),
                "unit": leaf.unit,
                "origin": leaf.origin,
                "reference": leaf.reference,
                **({} if leaf.low is None else {"low": leaf.low, "high": leaf.high}),
            }
            for key, leaf in self.inputs.items()
        }
        return {
            "schema": SCHEMA,
            "lines": [line.as_dict() for line in self.lines],
            "inputs": inputs,
            "unknowns": {part: dict(swings) for part, swings in self.unknowns.items()},
        }


def explain(task: Task, catalog: Catalog, platform: Platform) -> Explanation:
    """Every figure of `task` on `platform`, derived from the numbers of the input."""
    leaves = Leaves()
    sheet = Sheet(leaves)
    # What the client stated is recorded first: its provenance wins.
    told = recorded_task(leaves, task)
    unknowns: dict[str, dict[str, float]] = {}
    if platform.accelerator is not None:
        case = resolve_case(task, platform.placement, catalog)
        if case is not None:
            unknowns = _training(sheet, case, task, told, catalog, platform)
    there, place = recorded_catalog(leaves, catalog, platform), recorded_platform(leaves, platform)
    for lines in (storage_lines, host_lines, rack_lines, joined_lines):
        lines(sheet, told, there, place)
    written = list(sheet.lines())
    return Explanation(lines=tuple(written), inputs=sheet.inputs(written), unknowns=unknowns)


def _training(
    sheet: Sheet, case: Case, task: Task, told: Task, catalog: Catalog, platform: Platform
) -> dict[str, dict[str, float]]:
    """Memory, exchange and time, and what the client's own runs moved of them.

    Returns what nobody stated, see `Explanation.unknowns`.
    """
    leaves, place = sheet.leaves, platform.placement
    recorded = recorded_case(leaves, case, task, catalog)
    memory_lines(sheet, recorded)
    said, held = memory_of(case, task, place, catalog), held_memory(recorded, peak_of(recorded))
    for key, mark, computed, moved in (
        ("allocated", "M_peak*", held.allocated, said.allocated_gib),
        ("reserved", "M_res*", held.reserved, said.reserved_gib),
        ("device", "M_dev*", held.device, said.device_gib),
    ):
        found = _after_runs(leaves, f"measured_{key}", computed, moved.typical * GIB)
        sheet.add("memory", f"{key}_after_runs", mark, "binary", found, detail=True)
    exchange_lines(sheet, recorded)
    time = time_of(case, task, place, catalog)
    said_s = alone_s = time.step_s.typical
    if catalog.measured is not None:
        alone_s = time_of(case, task, place, replace(catalog, measured=None)).step_s.typical
    step_s = step_time(recorded).total_s
    slowed = step_s * (1 + recorded.constants["step.full_card"])
    if _close(slowed, alone_s):
        step_s = slowed  # a card that is nearly full: its allocator tries again
    time_lines(sheet, recorded, told, _after_runs(leaves, "measured_step", step_s, said_s))
    exposed_lines(sheet, recorded)
    return {
        "memory": _widening(task, place, case, said.influences, of_memory=True),
        "time": _widening(task, place, case, time.influences, of_memory=False),
    }


def _widening(
    task: Task, place: Placement, case: Case, swings: Mapping[str, float], *, of_memory: bool
) -> dict[str, float]:
    """Swings of the unknown fields that the range spans; others are only asked about."""
    found = unknown_fields(task, place, case, of_memory=of_memory)
    return {u.field: swings[u.field] for u in found if not u.asked_only and u.field in swings}


def _after_runs(leaves: Leaves, key: str, computed: float, said: float) -> float:
    """`computed` as it stands after the client's own measured runs."""
    if _close(computed, said):
        return computed
    factor: float = leaves.known(key, said / float(computed), PILOT, "")
    return computed * factor


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_SAME)
