"""From figures to pixels. No finite figure, however absurd, leaves the drawing."""

from __future__ import annotations

import math
from dataclasses import dataclass

_CEILING = 1e15
_STEPS = (1.0, 2.0, 5.0, 10.0)


def amount(value: float | None) -> float:
    """A size that can be drawn: finite, not negative, not beyond 1e15."""
    if value is None or math.isnan(value):
        return 0.0
    return min(max(value, 0.0), _CEILING)


def nice_step(top: float, count: int) -> float:
    """The step of 1, 2 or 5 times a power of ten that cuts `top` in at most `count` parts."""
    rough = max(top, 1e-12) / count
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * s for s in _STEPS if power * s >= rough * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Linear:
    """0 at pixel `start`, `top` at pixel `end`; figures beyond are drawn at the ends."""

    start: float
    end: float
    top: float

    def at(self, value: float) -> float:
        return self.start + self.length(value)

    def length(self, value: float) -> float:
        """Pixels of a bar that begins at zero."""
        full = self.top if self.top > 0 else 1.0
        return (self.end - self.start) * min(amount(value) / full, 1.0)

    def ticks(self, count: int) -> list[float]:
        step = nice_step(self.top, count)
        return [i * step for i in range(int(self.top / step + 1e-9) + 1)]


def linear(start: float, end: float, largest: float, count: int) -> Linear:
    """A scale to the first round figure at or above `largest`."""
    largest = amount(largest) or 1.0
    step = nice_step(largest, count)
    return Linear(start, end, math.ceil(largest / step - 1e-9) * step)


@dataclass(frozen=True, slots=True)
class Logarithmic:
    """`low` at pixel `start`, `high` at pixel `end`, equal ratios equal distances."""

    start: float
    end: float
    low: float
    high: float

    def at(self, value: float) -> float:
        inside = min(max(amount(value), self.low), self.high)
        share = math.log(inside / self.low) / math.log(self.high / self.low)
        return self.start + (self.end - self.start) * share

    def ticks(self, most: int) -> list[float]:
        """1, 2 and 5 of every decade, or only the decades when that is too many."""
        found: list[float] = []
        first, last = (math.floor(math.log10(v)) for v in (self.low, self.high))
        for power in range(first, last + 1):
            found += [s * 10.0**power for s in (1, 2, 5)]
        inside = [v for v in found if self.low * 0.999 <= v <= self.high * 1.001]
        if len(inside) <= most:
            return inside
        decades = [v for v in inside if math.isclose(math.log10(v) % 1, 0, abs_tol=1e-9)]
        return decades[:: math.ceil(len(decades) / most) or 1]


def logarithmic(start: float, end: float, values: list[float]) -> Logarithmic:
    """A scale around the positive `values`, with a little air on both sides."""
    positive = [v for v in map(amount, values) if v > 1e-9]
    low, high = (min(positive), max(positive)) if positive else (1.0, 10.0)
    return Logarithmic(start, end, low / 1.6, max(high * 1.25, low * 2))
