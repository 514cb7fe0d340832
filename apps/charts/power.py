"""What each feed carries: all alive, one lost, after growth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.canvas import Canvas, Spot
from apps.charts.labels import PowerLabels
from apps.charts.legend import draw_legend
from apps.charts.measure import text_width
from apps.charts.scale import Linear, amount
from apps.charts.textures import Texture, block
from apps.charts.values import NARROW, Drawing, Formatter, readable
from apps.core import svg
from apps.core.palette import INK, RULE_2, STATE_COLOURS
from apps.core.svg import NOTE, Paint, Type

_WIDE, _BAR, _PITCH, _START = 440.0, 21.0, 28.0, 30.0
_TEXTURES: tuple[Texture, ...] = ("solid", "rising", "falling", "lines", "dots")
_FIGURE = Type(11, "c-t", INK, mono=True)
_FEED = Type(12, mono=True)
_LOST = Paint("c-none c-rule2-s", stroke=RULE_2, dash="3 3")
_LIMIT = Paint("c-ink", stroke=INK, width=1.8, dash="7 3")
_BREAKER = Paint("c-blocked-s", stroke=STATE_COLOURS["blocked"].line, width=1.8)
_BREAKER_WORDS = Type(10.5, "c-blocked-t", STATE_COLOURS["blocked"].fg, mono=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedCase:
    """One case. `loads_kw` has an entry a feed: kW by part, in order, or None when it is lost."""

    title: str
    loads_kw: Sequence[Sequence[float] | None]
    status: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPlot:
    """All cases on one scale.

    `part_names` name the parts of every load (up to five). `limit_kw` is what policy lets one
    feed carry, `breaker_kw` what it can carry at all; None when not known.
    """

    cases: Sequence[FeedCase]
    part_names: Sequence[str]
    limit_kw: float | None
    breaker_kw: float | None


def power_chart(plot: FeedPlot, *, labels: PowerLabels, number: Formatter) -> Drawing:
    """Draw the cases under each other. The wide form is 440 px: it stands beside the rack."""
    chart = _PowerChart(plot, labels, number)
    return Drawing(wide=chart.at(_WIDE), narrow=chart.at(NARROW))


class _PowerChart:
    def __init__(self, plot: FeedPlot, labels: PowerLabels, number: Formatter) -> None:
        self.plot, self.labels, self.number = plot, labels, readable(number)

    def at(self, width: float) -> str:
        canvas = Canvas(width)
        entries = list(zip(self.plot.part_names, _TEXTURES, strict=False))
        top = draw_legend(canvas, entries, 4, 2, width - 8) + 16
        scale = Linear(_START, width - self._figure_room(width), self._largest() or 1.0)
        y, spans = top, []
        for case in self.plot.cases:
            below = self._case(canvas, scale, y, case)
            # Beside the bars only: a limit does not run through the words of the next case.
            spans.append((y + 14, below - 14))
            y = below
        self._lines(canvas, scale, spans, y - 6)
        description = "; ".join(self._said(case) for case in self.plot.cases)
        return canvas.render(y + 40, title=self.labels.title, description=description)

    def _largest(self) -> float:
        totals = [sum(map(amount, load)) for c in self.plot.cases for load in c.loads_kw if load]
        return max([0.0, amount(self.plot.limit_kw), amount(self.plot.breaker_kw) * 1.02, *totals])

    def _words(self, load: Sequence[float]) -> str:
        return self.labels.load % {"value": self.number(sum(map(amount, load)))}

    def _figure_room(self, width: float) -> float:
        """Room to the right of the longest bar for its figure."""
        words = [self._words(load) for c in self.plot.cases for load in c.loads_kw if load]
        return min(max([40.0, *(text_width(w, _FIGURE) for w in words)]) + 18, width / 2)

    def _case(self, canvas: Canvas, scale: Linear, top: float, case: FeedCase) -> float:
        look = Type(12, weight=600)
        room = min(text_width(case.word, look) + 14, canvas.width * 0.45)
        canvas.verdict(case.status, case.word, canvas.width - room - 4, top + 4, room=room, size=12)
        title = Type(12.5, weight=600)
        canvas.write(case.title, 4, top + 8, title, room=canvas.width - room - 24, plate=svg.PLATE)
        for index, load in enumerate(case.loads_kw):
            self._feed(canvas, scale, top + 20 + index * _PITCH, feed_name(index), load)
        return top + 40 + max(len(case.loads_kw), 1) * _PITCH

    def _feed(
        self, canvas: Canvas, scale: Linear, y: float, name: str, load: Sequence[float] | None
    ) -> None:
        canvas.write(name, 8, y + 15, _FEED, room=_START - 10)
        if load is None:
            width = scale.length(self.plot.breaker_kw or self.plot.limit_kw or scale.top)
            canvas.draw(svg.rect(scale.start, y, width, _BAR, _LOST))
            room = canvas.width - _START - 16
            canvas.write(self.labels.lost, scale.start + 8, y + 15, NOTE, room=room)
            return
        so_far = 0.0
        for value, texture in zip(load, _TEXTURES, strict=False):
            x = scale.at(so_far)
            so_far += amount(value)
            width = scale.at(so_far) - x
            if width > 0:
                canvas.draw(block(texture, x, y, width, _BAR))
        words = self._words(load)
        x = self._clear_of_lines(scale, scale.at(so_far), words)
        canvas.write(words, x, y + 15, _FIGURE, room=canvas.width - x - 4, plate=svg.PLATE)

    def _clear_of_lines(self, scale: Linear, end: float, words: str) -> float:
        """Where a bar's figure may begin without a limit running through it."""
        x, width = end + 6, text_width(words, _FIGURE)
        lines = [scale.at(v) for v in (self.plot.limit_kw, self.plot.breaker_kw) if v is not None]
        for line in sorted(lines):
            if x - 4 < line < x + width + 4 and line + 8 + width < scale.end + self._figure_room(
                _WIDE
            ):
                x = line + 8
        return x

    def _lines(
        self,
        canvas: Canvas,
        scale: Linear,
        spans: Sequence[tuple[float, float]],
        bottom: float,
    ) -> None:
        """The policy's limit and the breaker, beside the bars of all cases, named at the foot."""
        if self.plot.limit_kw is not None:
            x = scale.at(self.plot.limit_kw)
            self._through(canvas, x, spans, _LIMIT)
            words = self.labels.limit % {"value": self.number(self.plot.limit_kw)}
            look = Type(10.5, "c-t", INK, mono=True)
            canvas.write(
                words, x + 2, bottom + 20, look, "end" if x > canvas.width * 0.3 else "start"
            )
        if self.plot.breaker_kw is not None:
            x = scale.at(self.plot.breaker_kw)
            self._through(canvas, x, spans, _BREAKER)
            words = self.labels.breaker % {"value": self.number(self.plot.breaker_kw)}
            spots = [
                Spot(x + 4, bottom + 20),
                Spot(x, bottom + 34, "middle"),
                Spot(x, bottom + 34, "end"),
            ]
            if not canvas.offer(words, _BREAKER_WORDS, spots, plate=None):
                canvas.write(words, x, bottom + 34, _BREAKER_WORDS, "middle")

    @staticmethod
    def _through(
        canvas: Canvas, x: float, spans: Sequence[tuple[float, float]], paint: Paint
    ) -> None:
        for top, bottom in spans:
            canvas.draw(svg.line(x, top, x, bottom, paint))

    def _said(self, case: FeedCase) -> str:
        loads = [
            self.labels.feed_load
            % {
                "feed": feed_name(i),
                "load": self.labels.lost if load is None else self._words(load),
            }
            for i, load in enumerate(case.loads_kw)
        ]
        return self.labels.row % {"case": case.title, "loads": ", ".join(loads), "word": case.word}


def feed_name(index: int) -> str:
    """A, B and on, as feeds are called."""
    return chr(ord("A") + index % 26)
