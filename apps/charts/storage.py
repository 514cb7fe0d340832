"""Volumes on one scale: what lies there, what stays free, and what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.canvas import Box, Canvas
from apps.charts.labels import StorageLabels
from apps.charts.measure import text_width, wrap
from apps.charts.scale import Linear, amount
from apps.charts.textures import Texture, block
from apps.charts.values import NARROW, WIDE, Drawing, Formatter, readable
from apps.core import svg
from apps.core.palette import INK, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, NOTE, Paint, Type

_BAR = 36.0
_NAME = Type(13, weight=600)
_CAPACITY = Type(10.5, "c-t", INK, mono=True)
_FRAME = Paint("c-none c-edge", stroke=INK, width=1.6)
_OVER = Paint("c-none c-blocked-s", stroke=STATE_COLOURS["blocked"].line, width=2.4)
_STOP = Paint("c-blocked-s", stroke=STATE_COLOURS["blocked"].line, width=3)


@dataclass(frozen=True, slots=True)
class VolumePart:
    """One kind of data on a volume; `texture` tells it apart from its neighbours."""

    name: str
    gb: float
    texture: Texture


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """One volume. `notes` are up to two short lines; `capacity_gb` is None when not known."""

    name: str
    notes: Sequence[str]
    parts: Sequence[VolumePart]
    capacity_gb: float | None
    status: str
    word: str

    @property
    def need_gb(self) -> float:
        return sum(amount(part.gb) for part in self.parts)


def storage_chart(
    volumes: Sequence[Volume], *, labels: StorageLabels, number: Formatter
) -> Drawing:
    """Draw the volumes under one scale, so that a small disk looks small."""
    chart = _StorageChart(volumes, labels, number)
    return Drawing(wide=chart.at(WIDE), narrow=chart.at(NARROW, narrow=True))


class _StorageChart:
    def __init__(self, volumes: Sequence[Volume], labels: StorageLabels, number: Formatter) -> None:
        self.volumes = volumes
        self.labels = labels
        self.number = readable(number)

    def at(self, width: float, *, narrow: bool = False) -> str:
        canvas = Canvas(width)
        largest = max([0.0, *(max(v.need_gb, amount(v.capacity_gb)) for v in self.volumes)])
        left = 4.0 if narrow else self._name_column()
        # Parts of a whole are compared by length: the scale ends at the largest, not at a tick.
        scale = Linear(left, width - 12, largest or 1.0)
        y = 4.0
        for volume in self.volumes:
            y = _VolumeRow(self, canvas, scale, y, narrow=narrow).draw(volume)
        canvas.write(self.labels.unit, width - 4, y + 6, LABEL, "end")
        description = "; ".join(self._said(volume) for volume in self.volumes)
        return canvas.render(y + 14, title=self.labels.title, description=description)

    def _name_column(self) -> float:
        widths = [text_width(v.name, _NAME) for v in self.volumes]
        widths += [text_width(note, NOTE) for v in self.volumes for note in v.notes]
        return min(max([110.0, *widths]), 200.0) + 24

    def _said(self, volume: Volume) -> str:
        unknown = volume.capacity_gb is None
        return self.labels.row % {
            "name": volume.name,
            "need": self.number(volume.need_gb),
            "capacity": "?" if unknown else self.number(amount(volume.capacity_gb)),
        }


class _VolumeRow:
    """One volume with its top at `top`."""

    def __init__(
        self, chart: _StorageChart, canvas: Canvas, scale: Linear, top: float, *, narrow: bool
    ) -> None:
        self.chart = chart
        self.canvas = canvas
        self.scale = scale
        self.narrow = narrow
        self.top = top
        self.bar_top = top + (54 if narrow else 20)

    def draw(self, volume: Volume) -> float:
        """Draw and return the y where the next one may begin."""
        names_end = self._names(volume)
        self._bar(volume)
        label = self._capacity(volume)
        legend_end = self._legend(volume)
        self._verdict(volume, label)
        return max(names_end, legend_end) + 18

    def _names(self, volume: Volume) -> float:
        canvas = self.canvas
        if self.narrow:
            canvas.write(volume.name, 4, self.top + 10, _NAME)
            return self.bar_top
        room = self.scale.start - 20
        canvas.write(volume.name, 8, self.bar_top + 14, _NAME, room=room)
        lines = [line for note in volume.notes for line in wrap(note, NOTE, room, 2)][:4]
        for index, text in enumerate(lines):
            canvas.write(text, 8, self.bar_top + 31 + index * 15, NOTE, room=room)
        return self.bar_top + 31 + len(lines) * 15

    def _bar(self, volume: Volume) -> None:
        start, y = self.scale.start, self.bar_top
        if volume.capacity_gb is not None:
            trough = Paint("c-sunken", SUNKEN)
            self.canvas.draw(
                svg.rect(start, y, self.scale.length(volume.capacity_gb), _BAR, trough)
            )
        so_far = 0.0
        for part in volume.parts:
            x = self.scale.at(so_far)
            so_far += amount(part.gb)
            width = self.scale.at(so_far) - x
            if width > 0:
                self.canvas.draw(block(part.texture, x, y, width, _BAR))

    def _capacity(self, volume: Volume) -> Box | None:
        """Returns the box of the capacity's words above the bar."""
        if volume.capacity_gb is None:
            return None
        y, end = self.bar_top, self.scale.at(volume.capacity_gb)
        over = volume.need_gb > amount(volume.capacity_gb)
        self.canvas.draw(
            svg.rect(self.scale.start, y, end - self.scale.start, _BAR, _OVER if over else _FRAME)
        )
        if over:
            self.canvas.draw(svg.line(end, y - 6, end, y + _BAR + 6, _STOP))
        words = self.chart.labels.capacity % {"value": self.chart.number(volume.capacity_gb)}
        long = text_width(words, _CAPACITY) < end - self.scale.start
        return self.canvas.write(words, end, y - 8, _CAPACITY, "end" if long else "start")

    def _legend(self, volume: Volume) -> float:
        canvas, left = self.canvas, self.scale.start
        right = canvas.width - 6
        x, y = left, self.bar_top + _BAR + 16
        for part in volume.parts:
            words = f"{part.name} {self.chart.number(amount(part.gb))}"
            width = 15 + text_width(words, NOTE)
            if x > left and x + width > right:
                x, y = left, y + 17
            canvas.draw(block(part.texture, x, y - 9, 10, 10))
            canvas.write(words, x + 15, y, NOTE, room=right - x - 15)
            x += width + 16
        return y

    def _verdict(self, volume: Volume, label: Box | None) -> None:
        """Beside the bar, else inside its free end, else above it."""
        canvas, middle = self.canvas, self.bar_top + _BAR / 2
        if self.narrow:
            canvas.verdict(
                volume.status, volume.word, 11, self.top + 25, room=canvas.width - 20, size=12
            )
            return
        need = text_width(volume.word, Type(12.5, weight=600)) + 22
        used, end = self.scale.at(volume.need_gb), self.scale.at(amount(volume.capacity_gb))
        after = max(used, end) + 16
        if after + need < canvas.width - 4:
            canvas.verdict(volume.status, volume.word, after, middle, room=need)
        elif end - used > need + 12:
            canvas.verdict(volume.status, volume.word, used + 14, middle, room=need)
        else:
            self._verdict_above(volume, label)

    def _verdict_above(self, volume: Volume, label: Box | None) -> None:
        """On the line of the capacity's words, on the side that they leave free."""
        left, right = self.scale.start + 7, self.canvas.width - 4
        if label is not None and label.left - left > right - label.right:
            right = label.left - 10
        elif label is not None:
            left = label.right + 16
        self.canvas.verdict(volume.status, volume.word, left, self.bar_top - 12, room=right - left)
