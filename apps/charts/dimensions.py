"""The main figures of an assessment as dimension lines against their limits: the cover's drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.canvas import Canvas
from apps.charts.labels import DimensionLabels
from apps.charts.measure import text_width
from apps.charts.scale import Linear, amount
from apps.charts.values import Formatter, RangeLike, readable
from apps.core import svg
from apps.core.glyphs import dimension_line, mark
from apps.core.palette import INK, INK_2, RULE_2
from apps.core.rounding import rounded_alike
from apps.core.svg import Paint, Type

_WIDTH, _ROW, _LEFT, _RIGHT = 640.0, 78.0, 170.0, 590.0
_HEADROOM_RATIO = 1.15
_HAIR = Paint("c-ink", stroke=INK, width=0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionRow:
    """One figure. `limit` and its name (what the site or the client allows) may be missing."""

    name: str
    unit: str
    value: RangeLike
    limit: float | None
    limit_name: str
    status: str


def dimension_chart(
    rows: Sequence[DimensionRow], *, labels: DimensionLabels, number: Formatter
) -> str:
    """Draw the rows, 640 px wide, each on a scale of its own."""
    canvas, number = Canvas(_WIDTH), readable(number)
    canvas.draw(svg.rect(0, 0, _WIDTH, _ROW * max(len(rows), 1)))
    for index, row in enumerate(rows):
        _draw(canvas, 44 + index * _ROW, row, number)
    description = "; ".join(_said(row, labels, number) for row in rows)
    return canvas.render(_ROW * max(len(rows), 1), title=labels.title, description=description)


def _figures(row: DimensionRow, number: Formatter) -> str:
    value = row.value
    texts = [number(v) for v in rounded_alike(value.low, value.typical, value.high)]
    return texts[1] if texts[0] == texts[2] else " – ".join(texts)


def _draw(canvas: Canvas, y: float, row: DimensionRow, number: Formatter) -> None:
    largest = max(amount(row.value.high), amount(row.limit)) or 1.0
    scale = Linear(_LEFT, _RIGHT, largest * _HEADROOM_RATIO)
    room = _LEFT - 18
    canvas.write(row.name, 2, y + 2, Type(16, weight=600), room=room)
    canvas.write(row.unit, 2, y + 20, Type(12, "c-t2", INK_2), room=room)
    canvas.draw(svg.line(_LEFT, y + 12, _RIGHT, y + 12, Paint("c-rule2", stroke=RULE_2, width=0.8)))
    low, typical, high = sorted(
        scale.at(v) for v in (row.value.low, row.value.typical, row.value.high)
    )
    canvas.draw(*(svg.line(x, y - 14, x, y + 12, _HAIR) for x in (low, high)))
    canvas.draw(dimension_line(low, typical, high, y - 8, tick=5))
    canvas.write(_figures(row, number), (low + high) / 2, y - 20, Type(13, weight=600), "middle")
    canvas.draw(mark(row.status, _WIDTH - 14, y - 4, 9))
    if row.limit is None:
        return
    x = scale.at(row.limit)
    canvas.draw(svg.line(x, y - 15, x, y + 16, Paint("c-ink", stroke=INK, width=3)))
    words = f"{row.limit_name} {number(row.limit)}"
    look = Type(11.5, "c-t2", INK_2)
    room = 2 * min(x - _LEFT + 8, _WIDTH - 4 - x)
    if text_width(words, look) <= room:
        canvas.write(words, x, y + 29, look, "middle")
    elif x < (_LEFT + _RIGHT) / 2:
        canvas.write(words, _LEFT, y + 29, look, room=_WIDTH - _LEFT - 8)
    else:
        canvas.write(words, _WIDTH - 4, y + 29, look, "end", room=_WIDTH - _LEFT - 8)


def _said(row: DimensionRow, labels: DimensionLabels, number: Formatter) -> str:
    pattern = labels.row if row.limit is None else labels.row_with_limit
    return pattern % {
        "name": row.name,
        "range": _figures(row, number),
        "unit": row.unit,
        "limit_name": row.limit_name,
        "limit": number(amount(row.limit)),
    }
