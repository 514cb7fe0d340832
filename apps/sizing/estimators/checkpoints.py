"""Checkpoints: how large one is, how often to save, how fast it must be written.

A full state (weights, optimizer, step and random states) resumes a run; weights or an adapter
alone do not. Saving is taken as synchronous: a sharded or asynchronous save hides most of the
time and costs memory for the copy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.estimators.trained import Trained
from apps.sizing.ranges import Range
from apps.sizing.task import Recipe
from apps.sizing.units import GB, SECONDS_PER_DAY, SECONDS_PER_HOUR

# Bytes an optimizer saves per trained parameter beside the weights: moments of four bytes each,
# of one byte in the 8-bit kinds; a factored one keeps rows and columns only.
_STATE_BYTES: Final[Mapping[str, Range]] = {
    "adamw": Range.exact(8),
    "adamw-8bit": Range(2, 2, 2.1),
    "adafactor": Range(0.01, 0.05, 4),
    "lion": Range.exact(4),
    "lion-8bit": Range(1, 1, 1.1),
    "sgd": Range(0, 4, 4),
    "muon": Range(4, 4, 8),
    "galore": Range(0.5, 2, 8),
    "other": Range(0, 8, 8),
}
WEIGHTS_ONLY: Final = "weights"
_PURE: Final = frozenset({"bf16-pure", "fp16-pure"})
# Adapters are saved in two or four bytes.
_ADAPTER_WEIGHT_BYTES: Final = Range(2, 2, 4)


def full_state_bytes_per_param(recipe: Recipe, constants: Mapping[str, Range]) -> Range:
    """Bytes per parameter of a state that resumes a full training run.

    Mixed-precision Adam: 12 (fp32 master and two moments), 14 with the bf16 weights, 16 with fp32
    gradients; MLPerf's published sizes are 14.
    """
    optimizer = recipe.optimizer or "adamw"
    pure = recipe.precision in _PURE
    if optimizer == "adamw" and not pure:
        return constants["storage.ckpt_b_per_param_full_adam"]
    moments = _STATE_BYTES[optimizer]
    if pure:
        # Moments follow the weights: half the bytes, unless the framework keeps them in fp32.
        return Range(moments.low / 2, moments.typical / 2, moments.high) + 2
    if recipe.precision == "fp32":
        return moments + 4
    master = Range.exact(0) if recipe.master_weights == "none" else Range(0, 4, 4)
    return moments + master + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSizes:
    """GB of one state that resumes, of the finished weights or adapter, and of what is saved each
    time. `kind` is of the latter: `full-state`, `weights`, or `adapter` with or without its state.
    """

    kind: str
    full_gb: Range
    final_gb: Range
    saved_gb: Range


def checkpoint_sizes(
    trained: Trained, recipe: Recipe, constants: Mapping[str, Range]
) -> CheckpointSizes:
    """Sizes by what is trained: an adapter saves the adapter only, the base lies elsewhere.

    A full state is saved unless it is stated that the weights alone are.
    """
    params = trained.trained_params
    bare = recipe.save_kind == WEIGHTS_ONLY
    if trained.adapters:
        state = _STATE_BYTES[recipe.optimizer or "adamw"] + _ADAPTER_WEIGHT_BYTES
        resumes, finished = params * state / GB, params * _ADAPTER_WEIGHT_BYTES / GB
        return CheckpointSizes(
            kind="adapter",
            full_gb=resumes,
            final_gb=finished,
            saved_gb=finished if bare else resumes,
        )
    per_param = full_state_bytes_per_param(recipe, constants)
    weights = constants["storage.ckpt_b_per_param_weights"] * trained.total_params
    frozen = trained.total_params - params.typical
    # What is frozen is saved with the rest, as weights.
    full = params * per_param + max(0.0, frozen) * 2
    return CheckpointSizes(
        kind="weights" if bare else "full-state",
        full_gb=full / GB,
        final_gb=weights / GB,
        saved_gb=(weights if bare else full) / GB,
    )


def write_s(size_gb: float, gb_per_s: float) -> float:
    """Seconds to write one checkpoint."""
    return size_gb / gb_per_s


def mtbf_days(nodes: int, failures_per_1000_node_days: Range) -> Range:
    """Mean time between failures of a job over `nodes` nodes, days."""
    rate = failures_per_1000_node_days
    return Range(
        1000 / (rate.high * nodes), 1000 / (rate.typical * nodes), 1000 / (rate.low * nodes)
    )


def young_interval_s(save_s: float, mtbf_s: float) -> float:
    """Interval that loses least between saving too often and repeating too much (Young 1974)."""
    return math.sqrt(2 * save_s * mtbf_s)


def lost_ratio(save_s: float, interval_s: float, mtbf_s: float) -> float:
    """Share of time lost to saving and to repeating what a failure destroyed."""
    return save_s / interval_s + interval_s / (2 * mtbf_s)


def young_interval_hours(save: Range, mtbf: Range) -> Range:
    """Young's interval for a range of save seconds and of days between failures, hours."""

    def hours(seconds: float, days: float) -> float:
        return young_interval_s(seconds, days * SECONDS_PER_DAY) / SECONDS_PER_HOUR

    return Range(
        hours(save.low, mtbf.low), hours(save.typical, mtbf.typical), hours(save.high, mtbf.high)
    )


def write_rate_gb_per_s(size_gb: Range, interval_hours: Range, stall_ratio: Range) -> Range:
    """Write rate at which saving takes no more than `stall_ratio` of the time."""

    def rate(size: float, hours: float, ratio: float) -> float:
        return size / (ratio * hours * SECONDS_PER_HOUR)

    return Range(
        rate(size_gb.low, interval_hours.high, stall_ratio.high),
        rate(size_gb.typical, interval_hours.typical, stall_ratio.typical),
        rate(size_gb.high, interval_hours.low, stall_ratio.low),
    )


def drive_writes_per_day(
    size_gb: float, saves_per_day: float, capacity_gb: float, refresh_gb_per_day: float = 0.0
) -> float:
    """Drive writes a day (DWPD) that saving asks of a volume of `capacity_gb`."""
    return (saves_per_day * size_gb + refresh_gb_per_day) / capacity_gb
