"""Open questions by how far each one alone moves the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.canvas import Box, Canvas, Spot
from apps.charts.labels import TornadoLabels
from apps.charts.measure import text_width, wrap
from apps.charts.scale import Linear, amount
from apps.charts.textures import block
from apps.charts.values import NARROW, WIDE, Drawing, Formatter, readable
from apps.core import svg
from apps.core.palette import INK, SHEET
from apps.core.svg import NOTE, Paint, Type

_BAR = 22.0
_FIGURE = Type(11, "c-t", INK, mono=True)
_HEAD = Type(10.5, "c-t", INK, mono=True)
_NAME = Type(12.5)
_BALL = Paint("c-ball", SHEET, INK, 1.2)
_NOW = Paint("c-ink", stroke=INK, width=1.2)
_DEADLINE = Paint("c-ink", stroke=INK, width=1.6, dash="8 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """One question: the result at its two ends, all else as now. `key` stands in the balloon."""

    key: str
    name: str
    note: str
    low: float
    high: float

    @property
    def width(self) -> float:
        return abs(amount(self.high) - amount(self.low))


@dataclass(frozen=True, slots=True)
class _Window(Linear):
    """A scale that need not begin at zero."""

    low: float = 0.0

    def at(self, value: float) -> float:
        full = self.top - self.low
        share = (amount(value) - self.low) / full if full > 0 else 0.5
        return self.start + (self.end - self.start) * min(max(share, 0.0), 1.0)


def tornado_chart(
    swings: Sequence[Swing],
    *,
    typical: float,
    deadline: float | None,
    unit: str,
    labels: TornadoLabels,
    number: Formatter,
) -> Drawing:
    """Draw the widest swing first, around `typical`; `deadline` is a line of its own."""
    chart = _TornadoChart(swings, amount(typical), deadline, unit, labels, number)
    return Drawing(wide=chart.at(WIDE), narrow=chart.at(NARROW, narrow=True))


class _TornadoChart:
    def __init__(
        self,
        swings: Sequence[Swing],
        typical: float,
        deadline: float | None,
        unit: str,
        labels: TornadoLabels,
        number: Formatter,
    ) -> None:
        self.swings = sorted(swings, key=lambda swing: swing.width, reverse=True)
        self.typical = typical
        self.deadline = deadline
        self.unit = unit
        self.labels = labels
        self.number = readable(number)

    def at(self, width: float, *, narrow: bool = False) -> str:
        canvas = Canvas(width)
        scale = self._scale(width, narrow=narrow)
        row = 64.0 if narrow else 48.0
        top, end = 34.0, 34.0 + row * len(self.swings)
        self._lines(canvas, scale, top - 6, end + 4)
        for index, swing in enumerate(self.swings):
            self._row(canvas, scale, top + index * row, swing, narrow=narrow)
        self._foot(canvas, 8.0 if narrow else scale.start, end + 12)
        description = "; ".join(self._said(swing) for swing in self.swings)
        return canvas.render(end + 30, title=self.labels.title, description=description)

    def _scale(self, width: float, *, narrow: bool) -> _Window:
        ends = [amount(v) for s in self.swings for v in (s.low, s.high)]
        values = [self.typical, *ends] + (
            [amount(self.deadline)] if self.deadline is not None else []
        )
        margin = max(text_width(self.number(v), _FIGURE) for v in values) + 10
        margin = min(margin, width * 0.2)
        left = 8.0 if narrow else self._name_column()
        low, high = min(values), max(values)
        return _Window(left + margin, width - margin - 6, high, low)

    def _name_column(self) -> float:
        names = [text_width(s.name, _NAME) for s in self.swings]
        names += [text_width(s.note, NOTE) for s in self.swings]
        return min(max([120.0, *names]), 260.0) + 58

    def _lines(self, canvas: Canvas, scale: _Window, top: float, bottom: float) -> None:
        marks = [(self.typical, self.labels.now, _NOW)]
        if self.deadline is not None:
            marks.append((self.deadline, self.labels.deadline, _DEADLINE))
        for value, pattern, paint in marks:
            x = scale.at(value)
            canvas.draw(svg.line(x, top, x, bottom, paint))
            words = pattern % {"value": self.number(amount(value)), "unit": self.unit}
            spots = [Spot(x, top - 6, "middle"), Spot(x + 4, top - 6), Spot(x + 4, top - 6, "end")]
            high = [Spot(x, top - 18, "middle"), Spot(x, top - 18, "end"), Spot(x, top - 18)]
            canvas.offer(words, _HEAD, [*spots, *high], plate=None)

    def _row(
        self, canvas: Canvas, scale: _Window, top: float, swing: Swing, *, narrow: bool
    ) -> None:
        y = top + (30 if narrow else 10)
        ball_x, ball_y = (18.0, y - 14) if narrow else (20.0, y + 11)
        canvas.draw(svg.circle(ball_x, ball_y, 13, _BALL))
        canvas.reserve(Box(ball_x - 13, ball_y - 13, ball_x + 13, ball_y + 13))
        # The words of the balloon stand on the mark that was just reserved.
        canvas.draw(svg.text(ball_x, ball_y + 4, swing.key[:4], Type(10.5, weight=600), "middle"))
        if narrow:
            canvas.write(swing.name, 38, y - 10, Type(12), room=canvas.width - 46, plate=svg.PLATE)
        else:
            room = self._name_column() - 54
            canvas.write(swing.name, 42, y + 9, _NAME, room=room)
            notes = wrap(swing.note, NOTE, room, 1)
            canvas.write(notes[0] if notes else "", 42, y + 24, NOTE)
        self._bars(canvas, scale, y, swing)

    def _bars(self, canvas: Canvas, scale: _Window, y: float, swing: Swing) -> None:
        low, high = sorted((amount(swing.low), amount(swing.high)))
        left, now, right = scale.at(low), scale.at(self.typical), scale.at(high)
        pieces = ((left, min(now, right), "rising"), (max(now, left), right, "dots"))
        for x1, x2, texture in pieces:
            if x2 - x1 > 0.05:
                canvas.draw(
                    block("rising" if texture == "rising" else "dots", x1, y, x2 - x1, _BAR)
                )
        middle = y + 15
        canvas.offer(self.number(low), _FIGURE, [Spot(left - 5, middle, "end")])
        canvas.offer(self.number(high), _FIGURE, [Spot(right + 5, middle)])

    def _foot(self, canvas: Canvas, left: float, y: float) -> None:
        canvas.draw(block("rising", left, y, 11, 11))
        box = canvas.write(self.labels.less, left + 16, y + 10, NOTE, room=90)
        after = (box.right if box else left + 16) + 18
        canvas.draw(block("dots", after, y, 11, 11))
        canvas.write(self.labels.more, after + 16, y + 10, NOTE, room=90)

    def _said(self, swing: Swing) -> str:
        return self.labels.row % {
            "key": swing.key,
            "name": swing.name,
            "low": self.number(amount(swing.low)),
            "high": self.number(amount(swing.high)),
            "unit": self.unit,
        }
