"""How long a step takes, what it waits for, and how long the whole cycle is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.facts import Catalog
from apps.sizing.ranges import Range
from apps.sizing.spread import spread
from apps.sizing.task import Placement, Task
from apps.sizing.timing.steps import step_time

VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeEstimate:
    step_s: Range

    def as_dict(self) -> dict[str, Any]:
        return {"step_s": self.step_s.as_dict()}


def estimate_time(task: Task, place: Placement, catalog: Catalog) -> TimeEstimate | None:
    case = resolve_case(task, place, catalog)
    return None if case is None else time_of(case, task)


def time_of(case: Case, task: Task) -> TimeEstimate:
    step = step_time(case)
    low, high = _residual_width(case)
    return TimeEstimate(step_s=spread(step.total_s, (), low, high))


def _residual_width(case: Case) -> tuple[float, float]:
    low, high = case.dialect.time_low, case.dialect.time_high
    if case.layout.nodes > 1:
        low, high = low + 0.03, high + 0.05
    if case.tokens < 1024:
        low, high = low + 0.08, high + 0.10
    return low + case.family.time_width, high + case.family.time_width
