"""The signs of the product as SVG: verdict marks and the dimension line of a range.

The shape carries the meaning; colour repeats it.
"""

import math
from collections.abc import Callable
from typing import Final

from apps.core.palette import INK, RULE, SHEET, STATE_COLOURS, State, state_of
from apps.core.svg import Paint, circle, coordinate, document, line, path, polygon, polyline, rect

_MARGIN: Final = 5.0
_HEIGHT: Final = 20.0


def mark(code: str | None, x: float, y: float, radius: float = 6.0) -> str:
    """The mark of a verdict around (x, y)."""
    return _MARKS[state_of(code)](x, y, radius)


def _solid(state: State) -> Paint:
    return Paint(f"c-{state}-f", STATE_COLOURS[state].line)


def _on_mark(width: float) -> Paint:
    return Paint("c-onmark", stroke=SHEET, width=width)


def _ok(x: float, y: float, r: float) -> str:
    tick = [(x - r * 0.5, y), (x - r * 0.1, y + r * 0.4), (x + r * 0.5, y - r * 0.4)]
    return circle(x, y, r, _solid("ok")) + polyline(tick, _on_mark(1.6))


def _tight(x: float, y: float, r: float) -> str:
    ring = Paint("c-none c-tight-s", stroke=STATE_COLOURS["tight"].line, width=1.5)
    c = coordinate
    half = f"M{c(x)} {c(y - r)}A{c(r)} {c(r)} 0 0 1 {c(x)} {c(y + r)}Z"
    return circle(x, y, r - 0.75, ring) + path(half, _solid("tight"))


def _risk(x: float, y: float, r: float) -> str:
    sign = polygon([(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)], _solid("risk"))
    stem = line(x, y - r * 0.3, x, y + r * 0.2, _on_mark(1.5))
    return sign + stem + line(x, y + r * 0.4, x, y + r * 0.6, _on_mark(1.5))


def _blocked(x: float, y: float, r: float) -> str:
    square = rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, _solid("blocked"))
    down = line(x - r * 0.45, y - r * 0.45, x + r * 0.45, y + r * 0.45, _on_mark(1.6))
    return (
        square + down + line(x - r * 0.45, y + r * 0.45, x + r * 0.45, y - r * 0.45, _on_mark(1.6))
    )


def _unknown(x: float, y: float, r: float) -> str:
    ring = Paint("c-none c-unknown-s", stroke=STATE_COLOURS["unknown"].line, width=1.3, dash="2 2")
    return circle(x, y, r - 0.75, ring)


def _info(x: float, y: float, r: float) -> str:
    stem = line(x, y - r * 0.1, x, y + r * 0.5, _on_mark(1.6))
    dot = line(x, y - r * 0.55, x, y - r * 0.4, _on_mark(1.6))
    return circle(x, y, r, _solid("info")) + stem + dot


_MARKS: Final[dict[State, Callable[[float, float, float], str]]] = {
    "ok": _ok,
    "tight": _tight,
    "risk": _risk,
    "blocked": _blocked,
    "unknown": _unknown,
    "info": _info,
}


def dimension_line(
    low: float,
    typical: float,
    high: float,
    y: float,
    css: str = "c-ink",
    stroke: str = INK,
    *,
    tick: float = 4.0,
) -> str:
    """low |—◆—| high at these x positions: the sign for every range. One figure is a diamond."""
    paint = Paint(css, stroke=stroke, width=1.2)
    ends = [line(x - tick * 0.7, y + tick, x + tick * 0.7, y - tick, paint) for x in (low, high)]
    dot = tick * 0.8
    diamond = [(typical, y - dot), (typical + dot, y), (typical, y + dot), (typical - dot, y)]
    drawn = polygon(diamond, Paint(f"{css}-f", stroke))
    if high - low < 2:  # the ticks would stand on each other
        return drawn
    return line(low, y, high, y, paint) + "".join(ends) + drawn


def range_glyph(
    low: float,
    typical: float,
    high: float,
    *,
    title: str,
    limit: float | None = None,
    top: float | None = None,
    width: float = 150.0,
    state: str | None = "ok",
) -> str:
    """A range on a scale from zero to `top`, with the limit as a bold tick.

    Ranges that are compared share one `top`. What lies beyond it is drawn at the end of the scale.
    """
    shown = [v for v in (low, typical, high, limit) if v is not None and math.isfinite(v)]
    full = top if top and math.isfinite(top) and top > 0 else max([*shown, 0.0]) * 1.05 or 1.0

    def at(value: float) -> float:
        inside = value if math.isfinite(value) else 0.0
        return _MARGIN + min(max(inside / full, 0.0), 1.0) * (width - 2 * _MARGIN)

    name = state_of(state)
    colour = STATE_COLOURS[name].line
    body = line(4, 16, width - 4, 16, Paint("c-rule", stroke=RULE))
    body += dimension_line(at(low), at(typical), at(high), 9, f"c-{name}-s", colour)
    if limit is not None:
        body += line(at(limit), 1, at(limit), 19, Paint("c-ink", stroke=INK, width=2))
    return document(width, _HEIGHT, body, title=title, css="glyph")
