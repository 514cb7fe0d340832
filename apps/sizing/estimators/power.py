"""Electrical load of one node from its parts, and the power supplies that carry it.

Three figures are reported, never one: `feed` is what the circuit is sized by (the maker's maximum,
or a planning ratio when none is stated), `peak` the model with the GPUs at their full power,
`average` the model under heavy training. Not included: switches, the room's own losses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from apps.sizing.ranges import Range, independent_sum

# Efficiency minima of 80 PLUS Titanium (230 V internal redundant) and the load each holds at.
EFFICIENCY_POINTS: Final = (
    (0.10, "power.psu_titanium_eff_10pct"),
    (0.20, "power.psu_titanium_eff_20pct"),
    (0.50, "power.psu_titanium_eff_50pct"),
    (1.00, "power.psu_titanium_eff_100pct"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeParts:
    """Direct-current watts of one node by part. Fans are a share of all the others."""

    gpus_w: Range
    cpus_w: Range
    memory_w: Range
    drives_w: Range
    network_w: Range
    board_w: Range
    fan_ratio: Range

    @property
    def parts(self) -> tuple[Range, ...]:
        return (
            self.gpus_w,
            self.cpus_w,
            self.memory_w,
            self.drives_w,
            self.network_w,
            self.board_w,
        )


def direct_current_w(parts: NodeParts) -> Range:
    """Sum of the parts without fans, W. Their errors are independent."""
    return independent_sum(parts.parts)


def output_w(parts: NodeParts) -> Range:
    """What the power supplies put out: the parts and the fans that cool them, W."""
    return direct_current_w(parts) * (parts.fan_ratio + 1.0)


def efficiency_at(load_ratio: float, constants: Mapping[str, Range]) -> float:
    """Efficiency of the supplies at a share of their rating, linear between the norm's points."""
    points = [(load, constants[key].typical) for load, key in EFFICIENCY_POINTS]
    if load_ratio <= points[0][0]:
        return points[0][1]
    for (low, at_low), (high, at_high) in pairwise(points):
        if load_ratio <= high:
            return at_low + (at_high - at_low) * (load_ratio - low) / (high - low)
    return points[-1][1]


def input_w(output: Range, rating_w: float | None, constants: Mapping[str, Range]) -> Range:
    """Power drawn from the feed for `output` watts out of supplies rated `rating_w` together.

    With an unknown rating the supplies are taken at half load, their best point.
    """

    def drawn(watts: float) -> float:
        load_ratio = 0.5 if rating_w is None else watts / rating_w
        return watts / efficiency_at(load_ratio, constants)

    return output.map(drawn)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePower:
    """Power of one node at its input. `parts_w` are typical watts at peak and sum to it."""

    feed_w: Range
    peak_w: Range
    average_w: Range
    output_peak_w: Range
    parts_w: Mapping[str, float]

    @property
    def load_w(self) -> Range:
        """What a site is judged by: average, peak and the figure the circuit is sized by.

        Training runs at full load for days, so the average is that of heavy training and never
        that of an office server.
        """
        return Range(
            min(self.average_w.typical, self.peak_w.typical),
            self.peak_w.typical,
            max(self.peak_w.typical, self.feed_w.typical),
        )


def node_power(
    peak: NodeParts,
    average: NodeParts,
    *,
    gpu_rating_w: float,
    rating_w: float | None,
    max_input_w: float | None,
    planning_ratio: Range,
    constants: Mapping[str, Range],
) -> NodePower:
    """The three figures of one node.

    Args:
        peak, average: the parts with the GPUs at full power and under heavy training.
        gpu_rating_w: sum of the GPUs' rated power.
        rating_w: all power supplies together, None when not known.
        max_input_w: the maker's maximum, None when none is stated.
        planning_ratio: node input over `gpu_rating_w` where the maker states no maximum.
    """
    output_peak = output_w(peak)
    peak_input = input_w(output_peak, rating_w, constants)
    average_input = input_w(output_w(average), rating_w, constants)
    if max_input_w is not None:
        feed = Range.exact(max(max_input_w, peak_input.typical))
    else:
        planned = planning_ratio * gpu_rating_w
        feed = Range(
            max(planned.low, peak_input.typical),
            max(planned.typical, peak_input.high),
            max(planned.high, peak_input.high),
        )
    return NodePower(
        feed_w=feed,
        peak_w=peak_input,
        average_w=average_input,
        output_peak_w=output_peak,
        parts_w=_parts_at_input(peak, peak_input.typical),
    )


def _parts_at_input(parts: NodeParts, input_typical_w: float) -> dict[str, float]:
    """Typical watts in the groups a budget is drawn by.

    Boards, fans and the losses of the supplies take what the others leave.
    """
    shown = {
        "gpu": parts.gpus_w.typical,
        "cpu_and_memory": parts.cpus_w.typical + parts.memory_w.typical,
        "drives_and_network": parts.drives_w.typical + parts.network_w.typical,
    }
    return {**shown, "fans_and_losses": input_typical_w - sum(shown.values())}
