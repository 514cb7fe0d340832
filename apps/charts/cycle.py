"""Hours of one training cycle against the number of GPUs, a band for each kind of link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from apps.charts.canvas import Box, Canvas, Spot
from apps.charts.labels import CycleLabels
from apps.charts.measure import text_width, wrap
from apps.charts.scale import Logarithmic, logarithmic
from apps.charts.textures import diagonals
from apps.charts.values import NARROW, WIDE, Drawing, Formatter, RangeLike, readable
from apps.core import svg
from apps.core.glyphs import mark
from apps.core.palette import INK, INK_2, RULE, SHEET, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, NOTE, Paint, Type

LinkKind: TypeAlias = Literal["pcie", "nvlink", "network"]

_DEADLINE = Paint("c-ink", stroke=INK, width=1.6, dash="8 3")
_KEY = Type(12, weight=600)
_DIAMOND = Paint("c-ink-f c-halo", fill=INK, stroke=SHEET, width=1.5)
_BLOCKED = STATE_COLOURS["blocked"]


@dataclass(frozen=True, slots=True)
class _LinkLook:
    """Bands differ by dash as well as by colour."""

    css: str
    fill: str
    line: str
    words: str
    dash: str


_LOOKS: Final[dict[LinkKind, _LinkLook]] = {
    "pcie": _LinkLook(
        "b-pcie",
        STATE_COLOURS["risk"].bg,
        STATE_COLOURS["risk"].line,
        STATE_COLOURS["risk"].fg,
        "7 3",
    ),
    "nvlink": _LinkLook(
        "b-nvl", STATE_COLOURS["info"].bg, STATE_COLOURS["info"].line, STATE_COLOURS["info"].fg, ""
    ),
    "network": _LinkLook("b-network", SUNKEN, INK_2, INK_2, "2 3"),
}


@dataclass(frozen=True, slots=True)
class BandPoint:
    """One count of GPUs and the hours that a cycle takes on it."""

    gpu_count: int
    hours: RangeLike


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBand:
    """One kind of link between GPUs. `detail` names the cards; it may be empty."""

    kind: LinkKind
    name: str
    detail: str
    points: Sequence[BandPoint]


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleMark:
    """A variant on the plot, with its verdict against the deadline."""

    key: str
    gpu_count: int
    hours: float
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """What a pilot measured: hours of the whole cycle on so many GPUs."""

    name: str
    gpu_count: int
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CyclePlot:
    """The whole plot.

    `feed_floor_hours`: storage and preprocessing let no cycle be shorter, None when they do not
    limit. `too_small_gpu_count`: with so many GPUs or fewer the task does not fit in memory, None
    when it fits on one.
    """

    bands: Sequence[LinkBand]
    marks: Sequence[CycleMark]
    deadline_hours: float | None
    feed_floor_hours: float | None
    too_small_gpu_count: int | None
    measured: Sequence[MeasuredPoint] = ()


def cycle_chart(plot: CyclePlot, *, labels: CycleLabels, number: Formatter) -> Drawing:
    """Draw the plot; both axes are logarithmic, because doubling is what is bought."""
    return Drawing(
        wide=_CycleChart(plot, labels, number, WIDE, 380, narrow=False).render(),
        narrow=_CycleChart(plot, labels, number, NARROW, 350, narrow=True).render(),
    )


class _CycleChart:
    def __init__(
        self,
        plot: CyclePlot,
        labels: CycleLabels,
        number: Formatter,
        width: float,
        height: float,
        *,
        narrow: bool,
    ) -> None:
        self.plot, self.labels, self.number = plot, labels, readable(number)
        self.narrow, self.width, self.height = narrow, width, height
        self.canvas = Canvas(width)
        self.counts = self._gpu_counts()
        self.left = 40.0 if narrow else 64.0
        self.right = width - (14.0 if narrow else self._name_column() + 14)
        self.top = 34.0 + (18.0 * len(plot.bands) if narrow else 0.0)
        self.bottom = height - (46.0 if narrow else 52.0)
        self.x = Logarithmic(self.left, self.right, self.counts[0] / 1.3, self.counts[-1] * 1.3)
        self.y = self._hours_scale()

    def _gpu_counts(self) -> list[int]:
        """Powers of two from one to past the largest count on the plot."""
        found = [p.gpu_count for band in self.plot.bands for p in band.points]
        found += [m.gpu_count for m in self.plot.marks]
        found += [m.gpu_count for m in self.plot.measured]
        largest = min(max([1, *found]), 2**20)
        last = math.ceil(math.log2(largest)) if largest > 1 else 1
        first = min(max(min([1, *found]), 1), largest)
        start = math.floor(math.log2(first))
        return [2**power for power in range(start, last + 1)]

    def _hours_scale(self) -> Logarithmic:
        hours = [v for b in self.plot.bands for p in b.points for v in (p.hours.low, p.hours.high)]
        hours += [m.hours for m in self.plot.marks]
        hours += [m.hours for m in self.plot.measured]
        hours += [
            v for v in (self.plot.deadline_hours, self.plot.feed_floor_hours) if v is not None
        ]
        return logarithmic(self.bottom, self.top, hours)

    def _name_column(self) -> float:
        looks = (Type(12, weight=600), Type(12))
        widths = [
            text_width(t, k)
            for b in self.plot.bands
            for t, k in zip((b.name, b.detail), looks, strict=True)
        ]
        return min(max([60.0, *widths]), 150.0) + 12

    def render(self) -> str:
        self._frame()
        self._feed_floor()
        self._too_small()
        self._axes()
        for band in self.plot.bands:
            self._band(band)
        self._diamonds()
        self._marks()
        self._deadline()
        self._names()
        description = "; ".join(self._said(band) for band in self.plot.bands)
        if self.plot.deadline_hours is not None:
            description += f". {self._deadline_words(self.plot.deadline_hours)}"
        if self.plot.measured:
            description += f". {self._measured_words()}"
        return self.canvas.render(self.height, title=self.labels.title, description=description)

    def _frame(self) -> None:
        size = (self.right - self.left, self.bottom - self.top)
        self.canvas.draw(svg.rect(self.left, self.top, *size, svg.PLATE))
        for hours in self.y.ticks(8):
            y = self.y.at(hours)
            self.canvas.draw(svg.line(self.left, y, self.right, y, Paint("c-rule", stroke=RULE)))

    def _axes(self) -> None:
        canvas = self.canvas
        canvas.write(self.labels.hours_axis, 4, self.top - 12, LABEL)
        for hours in self.y.ticks(8):
            spot = Spot(self.left - 6, self.y.at(hours) + 3.5, "end")
            canvas.offer(
                self.number(hours), Type(10.5, LABEL.css, LABEL.fill, mono=True), [spot], plate=None
            )
        for count in self.counts:
            x = self.x.at(count)
            canvas.draw(svg.line(x, self.bottom, x, self.bottom + 5))
            look = Type(11, "c-t", INK, mono=True)
            canvas.offer(
                self.number(count), look, [Spot(x, self.bottom + 18, "middle")], plate=None
            )
        canvas.write(self.labels.gpus_axis, self.right, self.bottom + 34, LABEL, "end")

    def _feed_floor(self) -> None:
        if self.plot.feed_floor_hours is None:
            return
        y = self.y.at(self.plot.feed_floor_hours)
        size = (self.right - self.left, self.bottom - y)
        self.canvas.draw(
            svg.rect(self.left, y, *size, Paint("c-sunken", SUNKEN)),
            diagonals(self.left, y, *size, 7, Paint("c-rule", stroke=RULE, width=0.8)),
        )
        spots = [
            Spot(self.right - 10, self.bottom - 8, "end"),
            Spot(self.left + 10, self.bottom - 8),
        ]
        self.canvas.offer(self.labels.feed_floor, NOTE, spots)

    def _too_small(self) -> None:
        if self.plot.too_small_gpu_count is None:
            return
        middle = self.plot.too_small_gpu_count * math.sqrt(2)
        width = self.x.at(middle) - self.left
        floor = self.plot.feed_floor_hours
        bottom = self.bottom if floor is None else self.y.at(floor)
        size = (width, bottom - self.top)
        if width <= 0:
            return
        hatch = Paint("c-blocked-s", stroke=_BLOCKED.line, width=0.5)
        self.canvas.draw(
            svg.rect(self.left, self.top, *size, Paint("c-blocked-bg", _BLOCKED.bg)),
            diagonals(self.left, self.top, *size, 8, hatch, rising=False),
        )
        look = Type(9.5 if self.narrow else 11, "c-blocked-t", _BLOCKED.fg)
        for index, text in enumerate(wrap(self.labels.too_small, look, width - 10, 3)):
            y = self.top + 18 + index * 13
            self.canvas.write(
                text, self.left + width / 2, y, look, "middle", room=width - 10, plate=svg.PLATE
            )

    def _band(self, band: LinkBand) -> None:
        look = _LOOKS[band.kind]
        points = sorted(band.points, key=lambda p: p.gpu_count)
        if not points:
            return
        across = [self.x.at(p.gpu_count) for p in points]
        ends = [sorted((self.y.at(p.hours.low), self.y.at(p.hours.high))) for p in points]
        if len(points) == 1:  # a band of one count is a bar
            across, ends = [across[0] - 7, across[0] + 7], [ends[0], ends[0]]
            points = [points[0], points[0]]
        upper = [(x, y[0]) for x, y in zip(across, ends, strict=True)]
        lower = [(x, y[1]) for x, y in zip(across, ends, strict=True)]
        middle = [(x, self.y.at(p.hours.typical)) for x, p in zip(across, points, strict=True)]
        self.canvas.draw(
            svg.polygon(
                [*upper, *reversed(lower)], Paint(f"{look.css}-band", look.fill, look.line, 0.8)
            ),
            svg.polyline(
                middle, Paint(f"{look.css}-line", stroke=look.line, width=2, dash=look.dash)
            ),
        )

    def _marks(self) -> None:
        spots = [(m, self.x.at(m.gpu_count), self.y.at(m.hours)) for m in self.plot.marks]
        for item, x, y in spots:
            self.canvas.draw(mark(item.status, x, y, 6.5))
            self.canvas.reserve(Box(x - 7, y - 7, x + 7, y + 7))
        for item, x, y in spots:
            beside = [
                Spot(x + 12, y - 6),
                Spot(x - 12, y + 16, "end"),
                Spot(x + 12, y + 16),
                Spot(x - 12, y - 8, "end"),
            ]
            away = [Spot(x, y - 16, "middle"), Spot(x, y + 24, "middle")]
            self.canvas.offer(item.key, _KEY, [*beside, *away])

    def _diamonds(self) -> None:
        """Measured points: a diamond each, named by its pilot; its corners stand out behind the mark
        of a variant at the same place."""
        for item in self.plot.measured:
            x, y = self.x.at(item.gpu_count), self.y.at(item.hours)
            corners = [(x, y - 11), (x + 11, y), (x, y + 11), (x - 11, y)]
            self.canvas.draw(svg.polygon(corners, _DIAMOND))
            self.canvas.reserve(Box(x - 11, y - 11, x + 11, y + 11))
        for item in self.plot.measured:
            x, y = self.x.at(item.gpu_count), self.y.at(item.hours)
            spots = [Spot(x - 16, y + 4, "end"), Spot(x + 16, y + 4)]
            spots += [Spot(x, y + 26, "middle"), Spot(x, y - 18, "middle")]
            self.canvas.offer(item.name, _KEY, spots)

    def _measured_words(self) -> str:
        points = ", ".join(
            self.labels.measured_point
            % {"name": m.name, "count": m.gpu_count, "value": self.number(m.hours)}
            for m in self.plot.measured
        )
        return self.labels.measured % {"points": points}

    def _deadline_words(self, hours: float) -> str:
        return self.labels.deadline % {"value": self.number(hours)}

    def _deadline(self) -> None:
        if self.plot.deadline_hours is None:
            return
        y = self.y.at(self.plot.deadline_hours)
        self.canvas.draw(svg.line(self.left, y, self.right, y, _DEADLINE))
        at_right, at_left = (self.right - 8, "end"), (self.left + 8, "start")
        spots = [Spot(x, y + dy, anchor) for dy in (-8, 16) for x, anchor in (at_right, at_left)]
        middle = (self.left + self.right) / 2
        spots += [Spot(middle, y - 8, "middle"), Spot(middle, y + 16, "middle")]
        self.canvas.offer(self._deadline_words(self.plot.deadline_hours), _KEY, spots)

    def _names(self) -> None:
        """Beside the ends of the bands; in the narrow form as a legend above the plot."""
        for index, band in enumerate(self.plot.bands):
            look = _LOOKS[band.kind]
            words = Type(12, f"{look.css}-t", look.words, 600)
            if self.narrow:
                y = 12.0 + 18 * index
                self.canvas.draw(
                    svg.line(
                        6,
                        y,
                        30,
                        y,
                        Paint(f"{look.css}-line", stroke=look.line, width=2.4, dash=look.dash),
                    )
                )
                self.canvas.write(band.name, 36, y + 4, NOTE)
            elif band.points:
                self._name_beside(band, words)

    def _name_beside(self, band: LinkBand, words: Type) -> None:
        last = max(band.points, key=lambda p: p.gpu_count)
        room = self.width - self.right - 14
        lines = [(t, words) for t in wrap(band.name, words, room, 2)]
        detail = Type(12, words.css, words.fill)
        lines += [(t, detail) for t in wrap(band.detail, detail, room, 2)]
        height, start = 14.0 * len(lines), self.y.at(last.hours.typical) + 4
        offsets = [d * s for d in range(0, int(self.height), 7) for s in (1, -1)]
        for y in (start + offset for offset in offsets):
            box = Box(self.right + 10, y - 10, self.width, y - 10 + height)
            if self.top - 12 < y and y + height < self.bottom + 20 and self.canvas.is_free(box):
                for index, (text, look) in enumerate(lines):
                    self.canvas.write(text, self.right + 10, y + 14 * index, look, room=room)
                return

    def _said(self, band: LinkBand) -> str:
        points = ", ".join(
            self.labels.point
            % {
                "count": p.gpu_count,
                "low": self.number(p.hours.low),
                "high": self.number(p.hours.high),
            }
            for p in band.points
        )
        return self.labels.band % {"name": band.name, "points": points}
