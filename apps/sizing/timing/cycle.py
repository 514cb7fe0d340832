"""The whole cycle: start, steps, evaluation, saves, restarts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.cases import Case
from apps.sizing.memory.states import optimizer_bytes_per_param
from apps.sizing.ranges import Range, independent_sum
from apps.sizing.task import Task
from apps.sizing.timing.workload import RunLength
from apps.sizing.units import GB, SECONDS_PER_HOUR
from apps.sizing.verdicts import Verdict, deadline_verdict

# Share of a run spent on evaluation: none, a little, every few hundred steps. Custom of the field.
EVALUATION: Final = Range(0.0, 0.03, 0.10)
# Reading weights and starting processes, seconds, without the reading itself.
START_S: Final = Range(60.0, 180.0, 600.0)
# What a node reads or writes of a checkpoint, GB/s, to storage as it is usually bought.
CHECKPOINT_GB_PER_S: Final = Range(0.5, 2.0, 8.0)
# One interruption per 50 000 GPU hours: 419 in 54 days on 16 384 GPUs (Llama 3, arXiv 2407.21783).
GPU_HOURS_PER_INTERRUPTION: Final = Range(20_000.0, 50_000.0, 200_000.0)
HOURS_PER_RESTART: Final = Range(0.2, 0.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleEstimate:
    """Hours of the run or of the epoch, as `scope` says; parts are typical hours and sum to it."""

    scope: str
    hours: Range
    parts_hours: dict[str, float]
    steps: float
    verdict: Verdict
    target_hours: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "scope": self.scope,
            "hours": self.hours.as_dict(),
            "parts_hours": dict(self.parts_hours),
            "steps": self.steps,
            "verdict": self.verdict,
            "target_hours": self.target_hours,
        }


def cycle_of(
    case: Case, task: Task, length: RunLength, step_s: Range, wait_s: float
) -> CycleEstimate:
    """Hours from start to the last save."""
    steps = length.steps
    compute = (step_s + wait_s) * (steps / SECONDS_PER_HOUR)
    load = _over(Range.exact(_load_bytes(case)), _read_rate(case)) + START_S
    parts = {
        "steps": compute,
        "start": load / SECONDS_PER_HOUR,
        "evaluation": compute * EVALUATION,
        "saves": _saves_hours(case, task, steps),
    }
    parts["restarts"] = _restart_hours(case, parts["steps"])
    hours = independent_sum(parts.values())
    target = task.cycle.target_hours
    return CycleEstimate(
        scope=length.scope,
        hours=hours,
        parts_hours={name: part.typical for name, part in parts.items()},
        steps=steps,
        verdict=deadline_verdict(hours, target, wished=task.cycle.hard is False),
        target_hours=target,
    )


def _over(amount: Range, rate: Range) -> Range:
    return Range(amount.low / rate.high, amount.typical / rate.typical, amount.high / rate.low)


def _read_rate(case: Case) -> Range:
    return CHECKPOINT_GB_PER_S * GB * case.layout.nodes


def _load_bytes(case: Case) -> float:
    return case.shape.total_params * case.compute_bytes


def _saves_hours(case: Case, task: Task, steps: float) -> Range:
    every = task.recipe.save_every_steps
    count = max(1.0, steps / every) if every else 1.0
    if case.adapters is not None:
        trained = case.adapters.trained_params + case.adapters.trained_modules_params
        size = trained * (case.adapter_bytes + 8.0)
    else:
        trained = case.shape.total_params * (1.0 - case.frozen_share)
        size = trained * (case.states.weights + optimizer_bytes_per_param(case))
    return _over(Range.exact(size * count), _read_rate(case)) / SECONDS_PER_HOUR


def _restart_hours(case: Case, compute: Range) -> Range:
    interruptions = _over(compute * case.layout.gpus, GPU_HOURS_PER_INTERRUPTION)
    return interruptions * HOURS_PER_RESTART
