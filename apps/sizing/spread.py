"""Put a range around a figure from what each cause of doubt does to it.

A cause is evaluated at its own 90 % ends; causes that have nothing to do with each other add as
the root of the sum of squares, each side apart (nobody is unlucky everywhere at once).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.ranges import Range

_THIRD: Final = 1 / 3


@dataclass(frozen=True, slots=True)
class Swing:
    """What one cause does to a figure: the values at its ends, in the figure's own unit."""

    cause: str
    values: tuple[float, ...]


def spread(typical: float, swings: Iterable[Swing], low_ratio: float, high_ratio: float) -> Range:
    """`typical` with its residual half-widths and every cause added.

    The low side is laid out so that it never reaches zero: a figure halves more easily than it
    vanishes.
    """
    down, up = low_ratio**2, high_ratio**2
    for swing in swings:
        ratios = [value / typical for value in swing.values] if typical > 0 else []
        down += max(0.0, 1.0 - min(ratios, default=1.0)) ** 2
        up += max(0.0, max(ratios, default=1.0) - 1.0) ** 2
    low = math.sqrt(down)
    # From a third on, shrink as 1/x does: it meets 1 - x there in value and in slope.
    factor = 1.0 - low if low <= _THIRD else (2 / 3) / (1.0 + 1.5 * (low - _THIRD))
    return Range(typical * factor, typical, typical * (1.0 + math.sqrt(up)))


def influences(typical: float, swings: Iterable[Swing]) -> Mapping[str, float]:
    """Relative swing of a figure by cause, the largest end: for questions worth asking."""
    if typical <= 0:
        return {}
    return {
        swing.cause: max(abs(value / typical - 1.0) for value in swing.values)
        for swing in swings
        if swing.values
    }
