"""Memory on one GPU: parts stacked, the range above, the card's capacity as a limit.

The capacity is that of one GPU. Memory of several GPUs is never pooled: training fails on the
first card that runs out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.charts.canvas import Canvas, Spot
from apps.charts.labels import MemoryLabels
from apps.charts.legend import draw_legend
from apps.charts.measure import text_width
from apps.charts.scale import Linear, amount, linear
from apps.charts.textures import Texture, block, diagonals, fill_of, words_on
from apps.charts.values import NARROW, WIDE, Drawing, Formatter, RangeLike, readable, span_of
from apps.core import svg
from apps.core.glyphs import dimension_line
from apps.core.palette import INK, RULE, RULE_2, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, Paint, Type

# Always this order and these hatches: a reader learns them once.
PARTS: tuple[tuple[str, Texture], ...] = (
    ("weights", "solid"),
    ("gradients", "rising"),
    ("optimizer", "falling"),
    ("activations", "dots"),
    ("buffers", "lines"),
)
RESERVE_RATIO = 0.10
_WIDEST_NAME, _WIDEST_WORD = 210.0, 128.0
_KEY = Type(14, weight=600)
_NAME = Type(12.5)
_FIGURE = Type(10.5, "c-t", INK, mono=True)
_WEIGHTS = Paint("c-info-s", stroke=STATE_COLOURS["info"].line, width=1.4, dash="5 3")
_WEIGHTS_WORDS = Type(11, "c-info-t", STATE_COLOURS["info"].fg)
_LIMIT = Paint("c-ink", stroke=INK, width=2.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBar:
    """One variant.

    `components_gib` holds weights, gradients, optimizer, activations and buffers of the peak
    phase, in GiB on the worst GPU. `device_gib` is what the device shows. `capacity_gib` is what
    one GPU offers, None when it is not known. `word` says the verdict `status` in words.
    """

    key: str
    name: str
    hardware: str
    components_gib: Mapping[str, float]
    device_gib: RangeLike
    capacity_gib: float | None
    status: str
    word: str

    @property
    def rest_gib(self) -> float:
        """What the device shows beyond the parts: the allocator's cache, the driver's context."""
        counted = sum(amount(self.components_gib.get(part)) for part, _ in PARTS)
        return max(amount(self.device_gib.typical) - counted, 0.0)

    @property
    def largest_gib(self) -> float:
        counted = sum(amount(self.components_gib.get(part)) for part, _ in PARTS)
        ends = (self.device_gib.high, self.device_gib.typical, self.capacity_gib, counted)
        return max(amount(v) for v in ends)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Sizes that differ between the wide and the narrow drawing."""

    narrow: bool
    scale: Linear
    row: float
    bar: float
    word_x: float
    word_room: float


def memory_chart(
    bars: Sequence[MemoryBar],
    *,
    weights_only_gib: float | None,
    labels: MemoryLabels,
    number: Formatter,
) -> Drawing:
    """Draw the variants under one scale.

    `weights_only_gib` is what the model weighs in inference, drawn as a dashed line to show that
    training is sized by something else; None leaves it out.
    """
    draw = _MemoryChart(bars, weights_only_gib, labels, number)
    return Drawing(wide=draw.at(WIDE), narrow=draw.at(NARROW, narrow=True))


def memory_drawing(
    bars: Sequence[MemoryBar],
    width: float,
    *,
    weights_only_gib: float | None,
    labels: MemoryLabels,
    number: Formatter,
) -> str:
    """The narrow form at another width: a half column on a wide page."""
    return _MemoryChart(bars, weights_only_gib, labels, number).at(width, narrow=True)


class _MemoryChart:
    def __init__(
        self,
        bars: Sequence[MemoryBar],
        weights_only_gib: float | None,
        labels: MemoryLabels,
        number: Formatter,
    ) -> None:
        self.bars = bars
        self.weights_only_gib = weights_only_gib
        self.labels = labels
        self.number = readable(number)

    def at(self, width: float, *, narrow: bool = False) -> str:
        canvas, plan = Canvas(width), self._plan(width, narrow=narrow)
        top = self._legend(canvas, plan) + (14 if narrow else 22)
        end = top + plan.row * len(self.bars)
        self._grid(canvas, plan, top - 6, end + 8)
        for index, bar in enumerate(self.bars):
            _Row(self, canvas, plan, top + index * plan.row).draw(bar)
        height = self._foot(canvas, plan, top - 6, end)
        description = "; ".join(self._said(bar) for bar in self.bars)
        return canvas.render(height, title=self.labels.title, description=description)

    def _plan(self, width: float, *, narrow: bool) -> _Plan:
        largest = max([amount(self.weights_only_gib), *(b.largest_gib for b in self.bars)])
        words = max([0.0, *(text_width(b.word, Type(12.5, weight=600)) for b in self.bars)])
        if narrow:
            room = min(words + 12, width * 0.5)
            scale = linear(8, width - 8, largest, 5)
            return _Plan(narrow, scale, 92, 26, width - room - 8, room)
        names = [text_width(b.key, _KEY) + 8 + text_width(b.name, _NAME) for b in self.bars]
        names += [text_width(b.hardware, LABEL) + 26 for b in self.bars]
        left = min(max([100.0, *names]), _WIDEST_NAME) + 30
        room = min(max(words, 60.0), _WIDEST_WORD) + 12
        scale = linear(left, width - room - 24, largest, 8)
        return _Plan(narrow, scale, 66, 28, width - room - 6, room)

    def _legend(self, canvas: Canvas, plan: _Plan) -> float:
        entries = [(str(getattr(self.labels, part)), texture) for part, texture in PARTS]
        if any(bar.rest_gib > 0.005 * bar.largest_gib for bar in self.bars):
            entries.append((self.labels.rest, "open"))
        return draw_legend(canvas, entries, plan.scale.start, 2, canvas.width - plan.scale.start)

    def _grid(self, canvas: Canvas, plan: _Plan, top: float, bottom: float) -> None:
        for value in plan.scale.ticks(5 if plan.narrow else 8):
            x = plan.scale.at(value)
            canvas.draw(svg.line(x, top, x, bottom, Paint("c-rule", stroke=RULE)))
            spots = [Spot(x, bottom + 13, "middle"), Spot(x + 3, bottom + 13, "end")]
            canvas.offer(self.number(value), LABEL, spots, plate=None)

    def _foot(self, canvas: Canvas, plan: _Plan, top: float, end: float) -> float:
        """Words under the axis. Returns the height of the drawing."""
        right = canvas.width - 8 if plan.narrow else plan.scale.end
        canvas.write(self.labels.unit, right, end + 36, LABEL, "end", room=right - 8)
        if not amount(self.weights_only_gib) or self.weights_only_gib is None:
            return end + 42
        x = plan.scale.at(self.weights_only_gib)
        if not plan.narrow:
            canvas.draw(svg.line(x, top, x, end + 8, _WEIGHTS))
        canvas.draw(svg.line(x, end + 24, x, end + 40, _WEIGHTS))
        pattern = self.labels.weights_only_short if plan.narrow else self.labels.weights_only
        words = pattern % {"value": self.number(self.weights_only_gib)}
        look = _WEIGHTS_WORDS
        if canvas.offer(words, look, [Spot(x + 6, end + 36), Spot(x - 6, end + 36, "end")]):
            return end + 42
        canvas.write(words, x + 6, end + 52, look)
        return end + 58

    def _said(self, bar: MemoryBar) -> str:
        known = bar.capacity_gib is not None
        pattern = self.labels.row if known else self.labels.row_without_capacity
        return pattern % {
            "name": f"{bar.key} {bar.hardware}",
            "range": span_of(bar.device_gib, self.number),
            "capacity": self.number(amount(bar.capacity_gib)),
            "word": bar.word,
        }


class _Row:
    """One variant at height `top`."""

    def __init__(self, chart: _MemoryChart, canvas: Canvas, plan: _Plan, top: float) -> None:
        self.chart = chart
        self.canvas = canvas
        self.plan = plan
        self.top = top
        self.bar_top = top + (36 if plan.narrow else 16)

    def draw(self, bar: MemoryBar) -> None:
        self._head(bar)
        self._capacity(bar)
        self._parts(bar)
        self._range(bar)
        self._limit(bar)

    def _head(self, bar: MemoryBar) -> None:
        canvas, plan = self.canvas, self.plan
        if plan.narrow:
            canvas.verdict(
                bar.status, bar.word, plan.word_x + 6, self.top + 4, room=plan.word_room, size=12
            )
            room = plan.word_x - 18
            canvas.write(
                f"{bar.key}  {bar.name}",
                8,
                self.top + 8,
                Type(13, weight=600),
                room=room,
                plate=svg.PLATE,
            )
            return
        middle = self.bar_top + plan.bar / 2
        canvas.verdict(bar.status, bar.word, plan.word_x + 4, middle, room=plan.word_room)
        right = plan.scale.start - 16
        key = canvas.write(bar.key, 8, self.bar_top + 10, _KEY, room=right - 8)
        left = max(34.0, key.right + 8) if key else 34.0
        canvas.write(bar.name, left, self.bar_top + 10, _NAME, room=right - left)
        canvas.write(bar.hardware, min(left, 34.0), self.bar_top + 25, LABEL, room=right - 34)

    def _capacity(self, bar: MemoryBar) -> None:
        """The card as a trough, its reserve hatched at the end."""
        scale, y, height = self.plan.scale, self.bar_top, self.plan.bar
        if bar.capacity_gib is None:
            return
        end, start = scale.at(bar.capacity_gib), scale.at(bar.capacity_gib * (1 - RESERVE_RATIO))
        self.canvas.draw(
            svg.rect(scale.start, y, end - scale.start, height, Paint("c-sunken", SUNKEN)),
            diagonals(start, y, end - start, height, 4, Paint("c-rule2", stroke=RULE_2, width=0.6)),
        )

    def _parts(self, bar: MemoryBar) -> None:
        scale, y, height = self.plan.scale, self.bar_top, self.plan.bar
        figures = [(amount(bar.components_gib.get(part)), texture) for part, texture in PARTS]
        if bar.rest_gib > 0.005 * bar.largest_gib:
            figures.append((bar.rest_gib, "open"))
        so_far = 0.0
        for value, texture in figures:
            x, width = scale.at(so_far), scale.at(so_far + value) - scale.at(so_far)
            so_far += value
            if width <= 0:
                continue
            self.canvas.draw(block(texture, x, y, width, height))
            words, look = self.chart.number(value), words_on(texture)
            if text_width(words, look) + 10 < width:
                centre = y + height / 2 + 4
                self.canvas.write(
                    words, x + width / 2, centre, look, "middle", plate=fill_of(texture)
                )

    def _range(self, bar: MemoryBar) -> None:
        scale, y = self.plan.scale, self.bar_top - 7
        low, typical, high = (scale.at(v) for v in _ordered(bar.device_gib))
        self.canvas.draw(dimension_line(low, typical, high, y))
        words = span_of(bar.device_gib, self.chart.number)
        spots = [Spot(high + 7, y + 4), Spot(low - 7, y + 4, "end")]
        self.canvas.offer(words, _FIGURE, spots)

    def _limit(self, bar: MemoryBar) -> None:
        scale, y, height = self.plan.scale, self.bar_top, self.plan.bar
        if self.plan.narrow and amount(self.chart.weights_only_gib):
            x = scale.at(amount(self.chart.weights_only_gib))
            self.canvas.draw(svg.line(x, y - 4, x, y + height + 6, _WEIGHTS))
        if bar.capacity_gib is None:
            return
        x = scale.at(bar.capacity_gib)
        self.canvas.draw(svg.line(x, y - 5, x, y + height + 6, _LIMIT))
        words = self.chart.labels.available % {"value": self.chart.number(bar.capacity_gib)}
        below = y + height + 14
        self.canvas.offer(words, LABEL, [Spot(x - 3, below, "end"), Spot(x + 5, below)])


def _ordered(value: RangeLike) -> list[float]:
    return sorted(amount(v) for v in (value.low, value.typical, value.high))
