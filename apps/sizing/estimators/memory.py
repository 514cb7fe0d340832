"""Memory of one GPU: what training needs at its worst moment, against what the card has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.facts import Catalog
from apps.sizing.memory.allocator import Held, held_memory
from apps.sizing.memory.doubts import memory_doubts
from apps.sizing.memory.phases import STEP, Peak, Phase, peak_of
from apps.sizing.ranges import Range
from apps.sizing.spread import Swing, spread
from apps.sizing.task import Placement, Task
from apps.sizing.units import GIB
from apps.sizing.verdicts import Verdict, memory_verdict

VERSION: Final = 1
_FIGURES: Final = ("allocated", "reserved", "device")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEstimate:
    """GiB of one GPU, the worst rank.

    `allocated_gib` is the framework allocator's peak, `reserved_gib` what it holds of the device,
    `device_gib` what nvidia-smi would show. Components are those of the peak phase and sum to
    the typical allocated figure.
    """

    allocated_gib: Range
    reserved_gib: Range
    device_gib: Range
    components_gib: Mapping[str, float]
    phase: str
    verdict: Verdict
    capacity_gib: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "allocated_gib": self.allocated_gib.as_dict(),
            "reserved_gib": self.reserved_gib.as_dict(),
            "device_gib": self.device_gib.as_dict(),
            "components_gib": dict(self.components_gib),
            "phase": self.phase,
            "verdict": self.verdict,
            "capacity_gib": self.capacity_gib,
        }


def estimate_memory(task: Task, place: Placement, catalog: Catalog) -> MemoryEstimate | None:
    """Memory of `task` on `place`; None when not even the model's size is known.

    Raises:
        TaskError: the accelerator is missing or not in the catalog.
    """
    case = resolve_case(task, place, catalog)
    return None if case is None else memory_of(case, task)


def memory_of(case: Case, task: Task) -> MemoryEstimate:
    """Memory of a settled case with the range its doubts give."""
    peak = peak_of(case)
    held = held_memory(case, peak)
    swings = _swings(case, task)
    ranges = {figure: _range(case, peak, held, figure, swings[figure]) for figure in _FIGURES}
    capacity = case.card.usable_memory_gib
    device = ranges["device"]
    return MemoryEstimate(
        allocated_gib=ranges["allocated"],
        reserved_gib=ranges["reserved"],
        device_gib=device,
        components_gib=_components(peak.phase),
        phase=peak.phase.name,
        verdict=memory_verdict(device, capacity),
        capacity_gib=capacity,
    )


def _swings(case: Case, task: Task) -> dict[str, list[Swing]]:
    found: dict[str, list[Swing]] = {figure: [] for figure in _FIGURES}
    for cause, ends in memory_doubts(case, task.recipe):
        helds = [held_memory(end, peak_of(end)) for end in ends]
        for figure in _FIGURES:
            found[figure].append(Swing(cause, tuple(getattr(h, figure) for h in helds)))
    return found


def _range(case: Case, peak: Peak, held: Held, figure: str, swings: list[Swing]) -> Range:
    width = _residual_width(case, peak, figure)
    return spread(getattr(held, figure), swings, width, width) / GIB


def _residual_width(case: Case, peak: Peak, figure: str) -> float:
    dialect = case.dialect
    width = dialect.memory_width
    at_step = peak.phase.name == STEP
    if at_step and dialect.step_phase_width is not None:
        width = dialect.step_phase_width
    if figure == "device":
        width += 0.03 if at_step and case.layout.gpus == 1 else 0.05
    return width


def _components(phase: Phase) -> dict[str, float]:
    return {
        name: getattr(phase, name) / GIB
        for name in ("weights", "gradients", "optimizer", "activations", "buffers")
    }
