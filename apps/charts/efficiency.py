"""What is left of each GPU as their number grows, and from where more of them do not pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.charts.canvas import Box, Canvas, Spot
from apps.charts.labels import EfficiencyLabels
from apps.charts.measure import text_width
from apps.charts.scale import Linear, Logarithmic
from apps.charts.textures import diagonals
from apps.charts.values import NARROW, WIDE, Drawing, Formatter, RangeLike, readable
from apps.core import svg
from apps.core.palette import INK, INK_2, RULE, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, NOTE, Paint, Type

_INFO, _RISK = STATE_COLOURS["info"], STATE_COLOURS["risk"]
_BAND = Paint("b-nvl-band", _INFO.bg, _INFO.line, 0.8)
_INSIDE = Paint("b-nvl-line", stroke=_INFO.line, width=2)
_BETWEEN = Paint("b-nvl-line", stroke=_INFO.line, width=2, dash="2 3")
_OVER_PCIE = Paint("b-pcie-line", stroke=_RISK.line, width=2, dash="7 3")
_BALL = Paint("c-info-f", _INFO.line)
_LIMIT = Paint("c-ink", stroke=INK, width=1.6, dash="8 3")
_FIGURE = Type(11, "c-t", INK, weight=600, mono=True)
_TICK = Type(10.5, LABEL.css, LABEL.fill, mono=True)
_COUNT = Type(11, "c-t", INK, mono=True)
_KEY = Type(12, weight=600)
_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_COUNT: Final = 2**20
_LINE = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyPoint:
    """One count of GPUs. `efficiency` is a share of one; `over_pcie` the same without a faster
    link, None where it says nothing."""

    gpu_count: int
    node_count: int
    efficiency: RangeLike
    over_pcie: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyPlot:
    """`pays_until` is the last count that is worth its GPUs, None where all are."""

    points: Sequence[EfficiencyPoint]
    pays_until: int | None


def efficiency_chart(
    plot: EfficiencyPlot, *, labels: EfficiencyLabels, number: Formatter
) -> Drawing:
    """Draw the plot: the counts logarithmic, the efficiency from nothing to whole."""
    return Drawing(
        wide=_EfficiencyChart(plot, labels, number, WIDE, 310).render(),
        narrow=_EfficiencyChart(plot, labels, number, NARROW, 330).render(),
    )


class _EfficiencyChart:
    def __init__(
        self,
        plot: EfficiencyPlot,
        labels: EfficiencyLabels,
        number: Formatter,
        width: float,
        height: float,
    ) -> None:
        self.labels, self.number = labels, readable(number)
        self.points = sorted(plot.points, key=lambda p: p.gpu_count)
        self.pays_until = plot.pays_until
        self.width, self.height = width, height
        self.canvas = Canvas(width)
        self.left, self.right = 56.0, width - 16
        self.inside = [p for p in self.points if p.node_count == 1]
        # The line between nodes begins where the node is full.
        self.between = [*self.inside[-1:], *(p for p in self.points if p.node_count > 1)]
        self.bare = [p for p in self.points if p.over_pcie is not None]
        self.top = self._legend() + 46
        self.bottom = height - 46
        counts = [min(p.gpu_count, _MOST_COUNT) for p in self.points] or [1]
        low, high = max(counts[0], 1), max(counts[-1], 1)
        self.x = Logarithmic(self.left, self.right, low / 1.3, high * 1.3)
        self.y = Linear(self.bottom, self.top, 1.0)

    def render(self) -> str:
        self._frame()
        self._beyond()
        self._band()
        self._lines()
        self._figures()
        self._axes()
        self._limit()
        points = ", ".join(self._said(p) for p in self.points)
        return self.canvas.render(self.height, title=self.labels.title, description=points)

    def _legend(self) -> float:
        """The lines that are drawn, in as many rows as they need. Returns the y under them."""
        entries = [(self.labels.inside, _INSIDE)] if len(self.inside) > 1 else []
        entries += [(self.labels.between, _BETWEEN)] if len(self.between) > 1 else []
        entries += [(self.labels.over_pcie, _OVER_PCIE)] if self.bare else []
        x, y = 6.0, 12.0
        for name, look in entries:
            width = 30 + text_width(name, NOTE)
            if x > 6 and x + width > self.width - 6:
                x, y = 6.0, y + _LINE
            self.canvas.draw(svg.line(x, y, x + 24, y, look))
            self.canvas.write(name, x + 30, y + 4, NOTE, room=self.width - x - 36)
            x += width + 20
        return y

    def _frame(self) -> None:
        size = (self.right - self.left, self.bottom - self.top)
        self.canvas.draw(svg.rect(self.left, self.top, *size, svg.PLATE))
        for share in _SHARES:
            y = self.y.at(share)
            self.canvas.draw(svg.line(self.left, y, self.right, y, Paint("c-rule", stroke=RULE)))

    def _beyond(self) -> None:
        """Where more do not pay: grey and hatched, so that it shows without colour."""
        if self.pays_until is None:
            return
        start = self.x.at(self.pays_until)
        size = (self.right - start, self.bottom - self.top)
        if size[0] > 0:
            hatch = Paint("c-rule2-s", stroke=INK_2, width=0.4)
            self.canvas.draw(
                svg.rect(start, self.top, *size, Paint("c-sunken", SUNKEN)),
                diagonals(start, self.top, *size, 9, hatch),
            )

    def _band(self) -> None:
        if len(self.points) < 2:
            return
        across = [self.x.at(p.gpu_count) for p in self.points]
        low = [self.y.at(min(p.efficiency.low, p.efficiency.high)) for p in self.points]
        high = [self.y.at(max(p.efficiency.low, p.efficiency.high)) for p in self.points]
        upper = list(zip(across, high, strict=True))
        lower = list(zip(across, low, strict=True))
        self.canvas.draw(svg.polygon([*upper, *reversed(lower)], _BAND))

    def _lines(self) -> None:
        for points, look in ((self.inside, _INSIDE), (self.between, _BETWEEN)):
            if len(points) > 1:
                self.canvas.draw(svg.polyline([self._spot(p) for p in points], look))
        if len(self.bare) > 1:
            spots = [(self.x.at(p.gpu_count), self.y.at(p.over_pcie or 0.0)) for p in self.bare]
            self.canvas.draw(svg.polyline(spots, _OVER_PCIE))
        for point in self.points:
            x, y = self._spot(point)
            self.canvas.draw(svg.circle(x, y, 3.5, _BALL))
            self.canvas.reserve(Box(x - 4, y - 4, x + 4, y + 4))

    def _spot(self, point: EfficiencyPoint) -> tuple[float, float]:
        return self.x.at(point.gpu_count), self.y.at(point.efficiency.typical)

    def _percent(self, share: float) -> str:
        return self.labels.percent % {"value": self.number(round(min(max(share, 0.0), 1.0) * 100))}

    def _figures(self) -> None:
        for point in self.points:
            x, y = self._spot(point)
            # Under the plot the counts of the axis have their places.
            spots = [Spot(x, y + dy, "middle") for dy in (-9, 18, 32) if y + dy < self.bottom]
            self.canvas.offer(self._percent(point.efficiency.typical), _FIGURE, spots)

    def _axes(self) -> None:
        canvas = self.canvas
        canvas.write(self.labels.efficiency_axis, 4, self.top - 24, LABEL)
        for share in _SHARES:
            spot = Spot(self.left - 6, self.y.at(share) + 3.5, "end")
            canvas.offer(self._percent(share), _TICK, [spot], plate=None)
        for point in self.points:
            x = self.x.at(point.gpu_count)
            canvas.draw(svg.line(x, self.bottom, x, self.bottom + 5))
            below = [Spot(x, self.bottom + 18, "middle")]
            canvas.offer(self.number(point.gpu_count), _COUNT, below, plate=None)
        canvas.write(self.labels.gpus_axis, self.right, self.bottom + 36, LABEL, "end")

    def _limit(self) -> None:
        if self.pays_until is None:
            return
        x = self.x.at(self.pays_until)
        self.canvas.draw(svg.line(x, self.top, x, self.bottom, _LIMIT))
        words = self.labels.limit % {"count": self.number(self.pays_until)}
        heights = [self.bottom - 8 - 16 * step for step in range(8)]
        beside = [Spot(x + d, y, a) for y in heights for d, a in ((8, "start"), (-8, "end"))]
        middle = (self.left + self.right) / 2
        self.canvas.offer(words, _KEY, [*beside, *(Spot(middle, y, "middle") for y in heights)])

    def _said(self, point: EfficiencyPoint) -> str:
        return self.labels.point % {
            "count": self.number(point.gpu_count),
            "value": self._percent(point.efficiency.typical),
        }
