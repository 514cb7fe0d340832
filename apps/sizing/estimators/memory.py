"""Memory of one GPU: what training needs at its worst moment, against what the card has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.cases import Case, placed_case, resolve_case
from apps.sizing.evidence import combined, gaps_of
from apps.sizing.facts import Catalog
from apps.sizing.memory.allocator import Held, held_memory
from apps.sizing.memory.beside import workspace_bytes
from apps.sizing.memory.doubts import memory_doubts
from apps.sizing.memory.kinds import FACTS
from apps.sizing.memory.moved import after_runs
from apps.sizing.memory.phases import STEP, Peak, peak_of
from apps.sizing.ranges import Range
from apps.sizing.spread import Swing, influences, spread
from apps.sizing.task import Placement, Task
from apps.sizing.units import GIB
from apps.sizing.unknowns import unknown_fields
from apps.sizing.verdicts import Verdict, memory_verdict

_FIGURES: Final = ("allocated", "reserved", "device")
COMPONENTS: Final = ("weights", "gradients", "optimizer", "activations", "buffers")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEstimate:
    """GiB of one GPU, the worst rank.

    `allocated_gib` is the framework allocator's peak, `reserved_gib` what it holds of the device,
    `device_gib` what nvidia-smi would show. Components are those of the peak phase and sum to
    the typical allocated figure. `influences` is the relative swing of `device_gib` by unknown
    task field, `causes` by doubt about the software's behaviour.
    """

    allocated_gib: Range
    reserved_gib: Range
    device_gib: Range
    components_gib: Mapping[str, float]
    phase: str
    verdict: Verdict
    capacity_gib: float
    influences: Mapping[str, float]
    causes: Mapping[str, float]

    def as_dict(self) -> dict[str, Any]:
        return {
            "allocated_gib": self.allocated_gib.as_dict(),
            "reserved_gib": self.reserved_gib.as_dict(),
            "device_gib": self.device_gib.as_dict(),
            "components_gib": dict(self.components_gib),
            "phase": self.phase,
            "verdict": self.verdict,
            "capacity_gib": self.capacity_gib,
            "causes": dict(self.causes),
        }


def estimate_memory(
    task: Task, catalog: Catalog, place: Placement | None = None
) -> MemoryEstimate | None:
    """Memory of `task` on `place`, or on its own placement; None without a model size.

    Raises:
        TaskError: there is no placement, or its accelerator is not in the catalog.
    """
    found = placed_case(task, catalog, place)
    return memory_of(found[0], task, found[1], catalog) if found else None


def memory_of(case: Case, task: Task, place: Placement, catalog: Catalog) -> MemoryEstimate:
    """Memory of a settled case with the range its doubts and unknowns give."""
    peak = peak_of(case)
    held = held_memory(case, peak)
    doubts = {cause: _held(ends) for cause, ends in memory_doubts(case, task)}
    unknowns: dict[str, list[Held]] = {}
    asked: dict[str, list[Held]] = {}
    for unknown in unknown_fields(task, place, case, of_memory=True):
        ends = (resolve_case(t, t.placement or place, catalog) for t in unknown.tasks)
        kind = asked if unknown.asked_only else unknowns
        kind[unknown.field] = _held(end for end in ends if end is not None)
    facts = {FACTS[cause]: ends for cause, ends in doubts.items() if cause in FACTS}
    own = combined(_own_widths(case, peak))
    both = {**doubts, **unknowns}
    ranges = {figure: _range(case, peak, held, figure, both, own) for figure in _FIGURES}
    device = ranges["device"]
    said = MemoryEstimate(
        allocated_gib=ranges["allocated"],
        reserved_gib=ranges["reserved"],
        device_gib=device,
        components_gib={name: getattr(peak.phase, name) / GIB for name in COMPONENTS},
        phase=peak.phase.name,
        verdict=memory_verdict(device, case.card.usable_memory_gib),
        capacity_gib=case.card.usable_memory_gib,
        influences=_influences(held, {**unknowns, **asked, **facts}),
        causes=_influences(held, doubts),
    )
    return after_runs(said, case, catalog.measured)


def _held(cases: Iterable[Case]) -> list[Held]:
    return [held_memory(case, peak_of(case)) for case in cases]


def _range(
    case: Case, peak: Peak, held: Held, figure: str, ends: Mapping[str, list[Held]], own: float
) -> Range:
    swings = [
        Swing(cause, tuple(getattr(end, figure) for end in found)) for cause, found in ends.items()
    ]
    width = combined([_residual_width(case, peak, figure), own])
    return spread(getattr(held, figure), swings, width, width) / GIB


def _own_widths(case: Case, peak: Peak) -> Iterator[float]:
    """Widths of gaps in the evidence, and of parts known only roughly."""
    for gap in gaps_of(case):
        yield gap.memory_width
    phase = peak.phase
    yield case.optimizer.width * phase.optimizer / phase.total
    if case.shape.sample is not None:
        yield case.shape.sample.width * phase.activations / phase.total
        # cuDNN's workspace is between a third and three times of what is taken.
        yield 2.0 * workspace_bytes(case) / phase.total


def _residual_width(case: Case, peak: Peak, figure: str) -> float:
    """The dialect's own half-width; what the driver shows is less certain than the tensors."""
    dialect = case.dialect
    width = dialect.memory_width
    at_step = peak.phase.name == STEP
    if at_step and dialect.step_phase_width is not None:
        width = dialect.step_phase_width
    if figure == "device":
        width += 0.03 if at_step and case.layout.gpus == 1 else 0.05
    return width


def _influences(held: Held, ends: Mapping[str, list[Held]]) -> dict[str, float]:
    swings = (Swing(cause, tuple(e.device for e in found)) for cause, found in ends.items())
    return dict(influences(held.device, swings))
