"""How long a step takes, what it waits for, and how long the whole cycle is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.cases import Case, placed_case, resolve_case
from apps.sizing.evidence import combined, gaps_of
from apps.sizing.facts import Catalog
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.kinds import FACTS, kind_doubts
from apps.sizing.memory.phases import peak_of
from apps.sizing.ranges import Range, dict_of
from apps.sizing.spread import Swing, influences, spread
from apps.sizing.task import Placement, Task
from apps.sizing.timing.cycle import CycleEstimate, cycle_of
from apps.sizing.timing.doubts import time_doubts
from apps.sizing.timing.feeding import data_wait_s
from apps.sizing.timing.steps import StepTime, step_time
from apps.sizing.timing.workload import (
    run_length,
    samples_per_step,
    tokens_per_step_per_gpu,
    utilisation,
)
from apps.sizing.transfer import Moved
from apps.sizing.units import GIB, SECONDS_PER_HOUR
from apps.sizing.unknowns import unknown_fields

# Share of a card above which its allocator starts to retry; above it only the slow side grows.
_FULL_RATIO: Final = 0.90
# Below so many tokens a pass, kernels are launched more slowly than they run.
_SMALL_PASS: Final = 1024
_BILLION: Final = 1e9
_DATA_BOUND: Final = 0.20
_EXCHANGE_BOUND: Final = 0.35
_BUBBLE_BOUND: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeEstimate:
    """One optimizer step, and the cycle where the task says how much there is to do.

    `communication_share` is exchange that nothing hides, `data_share` waiting for data, both of
    the step with its wait; `mfu` is model operations over the dense bf16 peak.
    """

    step_s: Range
    tokens_per_s_per_gpu: Range | None
    samples_per_s: Range
    communication_share: float
    data_share: float
    mfu: float
    bound_by: str
    cycle: CycleEstimate | None
    hours_per_billion_tokens: Range | None
    influences: Mapping[str, float]
    causes: Mapping[str, float]

    def as_dict(self) -> dict[str, Any]:
        tokens = self.tokens_per_s_per_gpu
        return {
            "step_s": self.step_s.as_dict(),
            "tokens_per_s_per_gpu": dict_of(tokens),
            "samples_per_s": self.samples_per_s.as_dict(),
            "communication_share": self.communication_share,
            "data_share": self.data_share,
            "mfu": self.mfu,
            "bound_by": self.bound_by,
            "cycle": self.cycle.as_dict() if self.cycle else None,
            "hours_per_billion_tokens": dict_of(self.hours_per_billion_tokens),
            "causes": dict(self.causes),
        }


def estimate_time(
    task: Task, catalog: Catalog, place: Placement | None = None
) -> TimeEstimate | None:
    """Time of `task` on `place`, or on its own placement; None without a model size.

    Raises:
        TaskError: there is no placement, or its accelerator is not in the catalog.
    """
    found = placed_case(task, catalog, place)
    return time_of(found[0], task, found[1], catalog) if found else None


def time_of(case: Case, task: Task, place: Placement, catalog: Catalog) -> TimeEstimate:
    """Time of a settled case with the range its doubts and unknowns give."""
    full = _fullness(case)
    step = step_time(case)
    total = step.total_s
    if full > _FULL_RATIO:
        total *= 1 + case.constants["step.full_card"]
    doubts = [Swing(cause, ends) for cause, ends in time_doubts(case, step.links, total)]
    kinds = [Swing(cause, _steps_s(ends)) for cause, ends in kind_doubts(case, task)]
    doubts += kinds
    facts = [Swing(FACTS[kind.cause], kind.values) for kind in kinds if kind.cause in FACTS]
    wide, asked = _unknown_swings(case, task, place, catalog)
    low, high = _residual_widths(case, full)
    found = _after_runs(case, spread(total, [*doubts, *wide], low, high), catalog)
    step_s = found.range
    wait = data_wait_s(case, task.data, step_s.typical)
    length = run_length(case, task)
    tokens = tokens_per_step_per_gpu(case)
    return TimeEstimate(
        step_s=step_s,
        tokens_per_s_per_gpu=None if case.shape.sample else _per_second(tokens, step_s),
        samples_per_s=_per_second(samples_per_step(case), step_s),
        communication_share=step.exposed_s * found.factor / (step_s.typical + wait),
        data_share=wait / (step_s.typical + wait),
        mfu=utilisation(case, step_s.typical),
        bound_by=_bound_by(step, total, wait / found.factor),
        cycle=cycle_of(case, task, length, step_s, wait) if length else None,
        hours_per_billion_tokens=(
            None
            if case.shape.sample
            else (step_s + wait) * (_BILLION / (tokens * case.layout.gpus * SECONDS_PER_HOUR))
        ),
        influences=_less(influences(total, [*wide, *asked, *facts]), found.left),
        causes=_less(influences(total, doubts), found.left),
    )


def _after_runs(case: Case, said: Range, catalog: Catalog) -> Moved:
    """The time of a step after the client's own measured runs: every part moves alike."""
    if catalog.measured is None:
        return Moved(range=said, factor=1.0, left=1.0)
    return catalog.measured.step(case, said)


def _less(swings: Mapping[str, float], left: float) -> dict[str, float]:
    return {cause: swing * left for cause, swing in swings.items()}


def _steps_s(cases: Iterable[Case]) -> tuple[float, ...]:
    return tuple(step_time(case).total_s for case in cases)


def _unknown_swings(
    case: Case, task: Task, place: Placement, catalog: Catalog
) -> tuple[list[Swing], list[Swing]]:
    """Swings that widen, and those that are asked about only."""
    wide: list[Swing] = []
    asked: list[Swing] = []
    for unknown in unknown_fields(task, place, case, of_memory=False):
        cases = (resolve_case(t, t.placement or place, catalog) for t in unknown.tasks)
        ends = _steps_s(end for end in cases if end is not None)
        (asked if unknown.asked_only else wide).append(Swing(unknown.field, ends))
    return wide, asked


def _fullness(case: Case) -> float:
    device = held_memory(case, peak_of(case)).device
    return device / (case.card.usable_memory_gib * GIB)


def _residual_widths(case: Case, full: float) -> tuple[float, float]:
    """The dialect's own half-widths, below and above, and those of gaps in the evidence."""
    low, high = case.dialect.time_low, case.dialect.time_high
    if case.layout.nodes > 1:
        low, high = low + 0.03, high + 0.05
    if case.shape.sample is None and case.tokens < _SMALL_PASS:
        low, high = low + 0.08, high + 0.10
    if full > _FULL_RATIO:
        high += 0.10
    gaps = [gap.time_width for gap in gaps_of(case)]
    if case.shape.sample is not None:
        gaps.append(case.shape.sample.width)
    return (
        combined([low, case.family.time_width, *gaps]),
        combined([high, case.family.time_width, *gaps]),
    )


def _per_second(amount: float, duration: Range) -> Range:
    return Range(amount / duration.high, amount / duration.typical, amount / duration.low)


def _bound_by(step: StepTime, total: float, wait: float) -> str:
    """What would have to get faster first."""
    whole = total + wait
    if wait / whole > _DATA_BOUND:
        return "data"
    if step.offload_s / whole > _EXCHANGE_BOUND:
        return "host-offload"
    if step.exposed_s / whole > _EXCHANGE_BOUND:
        return "communication"
    if step.bubble_s / whole > _BUBBLE_BOUND:
        return "pipeline-bubble"
    return "kernel-launches" if step.launch_bound else "compute"
