"""What every chart takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from apps.core.rounding import rounded_alike

# Writes a figure in the reader's language; the charts only say where.
Formatter: TypeAlias = Callable[[float], str]

# What lies outside reads as the bound or as zero: no column holds a figure of 300 digits.
_LARGEST, _SMALLEST = 1e15, 1e-9

WIDE: float = 760.0
NARROW: float = 328.0


class RangeLike(Protocol):
    """The engine's own 90 % range, or anything shaped like it."""

    @property
    def low(self) -> float: ...
    @property
    def typical(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Drawing:
    """The same chart drawn twice as SVG text: 760 px wide, and 328 px for a phone.

    They are separate drawings. A wide one scaled down to a phone has letters too small to read.
    """

    wide: str
    narrow: str


def readable(number: Formatter) -> Formatter:
    """`number`, spared the figures that nobody could read."""

    def write(value: float) -> str:
        inside = min(max(value, -_LARGEST), _LARGEST)
        return number(0.0 if abs(inside) < _SMALLEST else inside)

    return write


def span_of(value: RangeLike, number: Formatter) -> str:
    """42–59–67, or one figure when the three read the same."""
    texts = [number(v) for v in rounded_alike(value.low, value.typical, value.high)]
    return texts[1] if texts[0] == texts[2] else "–".join(texts)
