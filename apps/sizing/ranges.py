"""A figure with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from apps.sizing.errors import TaskError


@dataclass(frozen=True, slots=True)
class Range:
    """`low <= typical <= high`: the engine's own 90 % range around its best single figure.

    Raises:
        ValueError: the three are not finite or not in order.
    """

    low: float
    typical: float
    high: float

    def __post_init__(self) -> None:
        # Runs tens of times in every estimate. NaN is in no order with anything.
        if not self.low <= self.typical <= self.high:
            raise ValueError(f"a range must be in order: {self}")
        if self.low == -math.inf or self.high == math.inf:
            raise ValueError(f"a range must be finite: {self}")

    @classmethod
    def exact(cls, value: float) -> Range:
        """A figure that is known: a catalog fact, a count."""
        return cls(value, value, value)

    @classmethod
    def around(cls, typical: float, low_ratio: float, high_ratio: float | None = None) -> Range:
        """`typical` with relative half-widths: `around(10, 0.1, 0.2)` is 9..10..12."""
        high = low_ratio if high_ratio is None else high_ratio
        return cls(typical * (1 - low_ratio), typical, typical * (1 + high))

    @classmethod
    def spanning(cls, typical: float, others: Iterable[float]) -> Range:
        """`typical` stretched to cover every one of `others`."""
        values = [typical, *others]
        return cls(min(values), typical, max(values))

    def __add__(self, other: Range | float) -> Range:
        """Add end to end. Right for one cause; independent causes use `independent_sum`."""
        if isinstance(other, Range):
            return Range(self.low + other.low, self.typical + other.typical, self.high + other.high)
        return Range(self.low + other, self.typical + other, self.high + other)

    def __mul__(self, factor: Range | float) -> Range:
        """Multiply two ranges of non-negative figures, or scale by a non-negative number."""
        if isinstance(factor, Range):
            return Range(
                self.low * factor.low, self.typical * factor.typical, self.high * factor.high
            )
        return Range(self.low * factor, self.typical * factor, self.high * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Range:
        return self * (1 / divisor)

    def map(self, function: Callable[[float], float]) -> Range:
        """Apply an increasing function to the three figures."""
        return Range(function(self.low), function(self.typical), function(self.high))

    def capped(self, ceiling: float) -> Range:
        """No end above `ceiling`: memory in use cannot exceed the card."""
        return self.map(lambda v: min(v, ceiling))

    def as_dict(self) -> dict[str, float]:
        """The contract's form: `{low, typical, high}`."""
        return {"low": self.low, "typical": self.typical, "high": self.high}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Range:
        """Read `{low, typical, high}`.

        Raises:
            TaskError: a figure is missing or out of order.
        """
        try:
            return cls(*(_figure(document[k]) for k in ("low", "typical", "high")))
        except (KeyError, TypeError, ValueError) as problem:
            raise TaskError("bad-range", str(problem)) from problem


def _figure(value: Any) -> float:
    return value if isinstance(value, float) else float(value)


def independent_sum(parts: Iterable[Range]) -> Range:
    """Sum of figures whose errors have nothing to do with each other.

    The half-widths add as the root of the sum of squares, each side apart: nobody is unlucky
    everywhere at once.
    """
    figures = list(parts)
    typical = sum(p.typical for p in figures)
    down = math.sqrt(sum((p.typical - p.low) ** 2 for p in figures))
    up = math.sqrt(sum((p.high - p.typical) ** 2 for p in figures))
    return Range(typical - down, typical, typical + up)


def dict_of(found: Range | None) -> dict[str, float] | None:
    """As results carry a figure that may not be known."""
    return found.as_dict() if found else None
