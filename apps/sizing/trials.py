"""A task tried on a platform: its memory and its pace, for comparing one change with another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.interconnect import scheme_of
from apps.sizing.estimators.memory import MemoryEstimate, estimate_memory
from apps.sizing.estimators.time import TimeEstimate, estimate_time
from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.platform import Platform
from apps.sizing.platforms import growing, laid_out
from apps.sizing.settling_kinds import is_timed
from apps.sizing.task import Task
from apps.sizing.verdicts import HOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`platform` with the layout it was tried in."""

    task: Task
    platform: Platform
    memory: MemoryEstimate
    catalog: Catalog

    @property
    def holds(self) -> bool:
        """The high end of the memory stays on the card."""
        return self.memory.verdict in HOLDS

    @property
    def reserve_ratio(self) -> float:
        """What the high end leaves of the card; negative where it does not fit."""
        return 1.0 - self.memory.device_gib.high / self.memory.capacity_gib

    @property
    def case(self) -> Case:
        found = resolve_case(self.task, self.platform.placement, self.catalog)
        assert found is not None  # or there would be no memory
        return found

    @property
    def time(self) -> TimeEstimate | None:
        """None where the pace is not the task's to tell: reinforcement."""
        if not is_timed(self.task):
            return None
        found = estimate_time(self.task, self.catalog, self.platform.placement)
        assert found is not None
        return found

    def where(self) -> dict[str, Any]:
        """The platform and its layout in words of the result document."""
        return {
            "gpus": self.platform.gpus,
            "nodes": self.platform.nodes,
            "layout": scheme_of(self.case),
        }

    def figures(self) -> dict[str, Any]:
        """The memory of one GPU against its card."""
        return {
            "device_gib": self.memory.device_gib.as_dict(),
            "capacity_gib": self.memory.capacity_gib,
            "verdict": self.memory.verdict,
            "reserve_ratio": self.reserve_ratio,
        }


def tried(task: Task, platform: Platform, catalog: Catalog) -> Trial | None:
    """`task` on `platform` in the simplest layout that holds it; None without a model size."""
    placed, memory = laid_out(platform, task, catalog)
    if memory is None:
        return None
    return Trial(task=task, platform=placed, memory=memory, catalog=catalog)


def tried_as_it_is(task: Task, platform: Platform, catalog: Catalog) -> Trial | None:
    """`task` on `platform` in the platform's own layout; None without a model size."""
    memory = estimate_memory(task, catalog, platform.placement)
    if memory is None:
        return None
    return Trial(task=task, platform=platform, memory=memory, catalog=catalog)


def first_that_holds(
    card: Accelerator, task: Task, catalog: Catalog, *, above: int = 0
) -> Trial | None:
    """The fewest GPUs of `card`, more than `above`, that hold `task` at the high end."""
    for platform in growing(card, task, catalog):
        trial = tried(task, platform, catalog) if platform.gpus > above else None
        if trial is not None and trial.holds:
            return trial
    return None
