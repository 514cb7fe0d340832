"""The front of a rack at true unit heights: what is taken, the server, room for growth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from apps.charts.canvas import Canvas
from apps.charts.labels import RackLabels
from apps.charts.measure import text_width
from apps.charts.power import feed_name
from apps.charts.textures import diagonals
from apps.charts.values import Formatter, readable
from apps.core import svg
from apps.core.palette import ACCENT, INK, RULE, RULE_2, SHEET, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, NOTE, Paint, Type

ItemKind: TypeAlias = Literal["busy", "server", "growth"]

_UNIT, _WIDTH, _LEFT, _RIGHT, _TOP = 12.0, 300.0, 52.0, 232.0, 44.0
_MOST_UNITS, _MOST_FEEDS = 60, 4
# Between the frame and the units stand the strips of outlets.
_POST, _STRIP = 8.0, 6.0
_OUTLETS = Paint("c-sunken c-edge", SUNKEN, INK, 0.8)
_OUTLET = Paint("c-ink", stroke=INK, width=1.6)
_FRAME = Paint("c-none c-edge", stroke=INK, width=1.6)
_FACE = Paint("c-sheet c-edge", SHEET, INK, 0.8)
_SERVER = Paint("c-info-bg c-accent-s", STATE_COLOURS["info"].bg, ACCENT, 2)
_BUSY = Paint("c-sunken c-rule2-s", SUNKEN, RULE_2, 0.8)
_GROWTH = Paint("c-sheet c-tight-s", SHEET, STATE_COLOURS["tight"].line, 1.4, "6 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class RackItem:
    """A run of units from `first_unit` up. Slots are the GPU places of a server, used ones filled."""

    kind: ItemKind
    name: str
    detail: str
    first_unit: int
    unit_count: int
    slot_count: int = 0
    used_slot_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """The shown part of a rack: `shown_unit_count` units from `first_unit` up.

    `title` and `note` stand above, `foot` below (depth and weight, for instance). Of `feed_count`
    feeds the first ends in outlets (PDU) on the left of the units, the others on the right.
    """

    title: str
    note: str
    foot: str
    first_unit: int
    shown_unit_count: int
    items: Sequence[RackItem]
    feed_count: int = 0


def rack_chart(rack: Rack, *, labels: RackLabels, number: Formatter) -> str:
    """Draw the rack, 300 px wide: the same drawing fits every screen and half a sheet."""
    return _RackDrawing(rack, labels, number).render()


class _RackDrawing:
    def __init__(self, rack: Rack, labels: RackLabels, number: Formatter) -> None:
        self.rack, self.labels, self.number = rack, labels, readable(number)
        self.first = rack.first_unit
        self.count = min(max(rack.shown_unit_count, 1), _MOST_UNITS)
        self.canvas = Canvas(_WIDTH)
        self.bottom = _TOP + self.count * _UNIT

    def render(self) -> str:
        self.canvas.write(self.rack.title, _LEFT, 14, LABEL)
        self.canvas.write(self.rack.note, _LEFT, 27, LABEL)
        self._frame()
        self._outlets()
        for item in self.rack.items:
            self._item(item)
        self.canvas.write(self.rack.foot, (_LEFT + _RIGHT) / 2, self.bottom + 28, LABEL, "middle")
        description = "; ".join(
            self.labels.row
            % {"name": i.name, "first": i.first_unit, "last": i.first_unit + i.unit_count - 1}
            for i in self.rack.items
        )
        return self.canvas.render(
            self.bottom + 34, title=self.labels.title, description=description
        )

    def _y_of(self, unit: int) -> float:
        """The upper edge of a unit, kept inside the shown part."""
        inside = min(max(unit, self.first - 1), self.first + self.count - 1)
        return self.bottom - (inside - self.first + 1) * _UNIT

    def _frame(self) -> None:
        width, height = _RIGHT - _LEFT, self.count * _UNIT
        self.canvas.draw(
            svg.rect(_LEFT - 10, _TOP - 6, width + 20, height + 12, _FRAME),
            svg.rect(_LEFT, _TOP, width, height, _FACE),
        )
        for unit in range(self.first, self.first + self.count):
            y = self._y_of(unit) + _UNIT
            self.canvas.draw(svg.line(_LEFT, y, _RIGHT, y, Paint("c-rule", stroke=RULE, width=0.7)))
            if unit % 2 == 1:
                look = Type(9, LABEL.css, LABEL.fill, mono=True)
                self.canvas.write(str(unit), _LEFT - 14, y - 2.5, look, "end", room=34)

    def _outlets(self) -> None:
        """A strip of outlets for each side, named by its feeds at the foot."""
        feeds = [feed_name(index) for index in range(min(self.rack.feed_count, _MOST_FEEDS))]
        height = self.count * _UNIT
        for named, x, edge, anchor in (
            (feeds[:1], _LEFT - _POST, _LEFT - _POST, "start"),
            (feeds[1:], _RIGHT + _POST - _STRIP, _RIGHT + _POST, "end"),
        ):
            if not named:
                continue
            self.canvas.draw(svg.rect(x, _TOP, _STRIP, height, _OUTLETS))
            for unit in range(1, self.count):
                y = _TOP + unit * _UNIT
                self.canvas.draw(svg.line(x, y, x + _STRIP, y, _OUTLET))
            words = self.labels.outlets % {"feeds": ", ".join(named)}
            look = Type(9, LABEL.css, LABEL.fill, mono=True)
            self.canvas.write(words, edge, self.bottom + 16, look, anchor, room=80)

    def _item(self, item: RackItem) -> None:
        top = self._y_of(item.first_unit + item.unit_count - 1)
        height = self._y_of(item.first_unit - 1) - top
        if height <= 0:
            return
        if item.kind == "busy":
            self._busy(item, top, height)
        elif item.kind == "server":
            self._server(item, top, height)
        else:
            self._growth(item, top, height)

    def _busy(self, item: RackItem, top: float, height: float) -> None:
        width = _RIGHT - _LEFT - 2
        self.canvas.draw(
            svg.rect(_LEFT + 1, top, width, height, _BUSY),
            diagonals(
                _LEFT + 1, top, width, height, 7, Paint("c-rule2", stroke=RULE_2, width=0.45)
            ),
        )
        if height >= 2 * _UNIT:
            middle = top + height / 2 + 4
            self.canvas.write(item.name, _LEFT + 16, middle, NOTE, room=width - 30, plate=svg.PLATE)

    def _server(self, item: RackItem, top: float, height: float) -> None:
        room = _RIGHT - _LEFT - 20
        self.canvas.draw(svg.rect(_LEFT + 1, top, _RIGHT - _LEFT - 2, height, _SERVER))
        if height < 2 * _UNIT:
            return self.canvas_name(item.name, top + height - 2.5, 9, room)
        self.canvas_name(item.name, top + 15, 12, room)
        if height >= 3 * _UNIT:
            detail = Type(10, "c-t2", NOTE.fill, mono=True)
            self.canvas.write(item.detail, _LEFT + 10, top + 28, detail, room=room)
        if height >= 4.5 * _UNIT:
            self._slots(item, top + height - 20, room)
        self._height_mark(item, top, height)
        return None

    def canvas_name(self, name: str, y: float, size: float, room: float) -> None:
        self.canvas.write(name, _LEFT + 10, y, Type(size, weight=600), room=room)

    def _slots(self, item: RackItem, y: float, room: float) -> None:
        count = min(item.slot_count, 16)
        if count < 1:
            return
        pitch = room / max(count, 8)
        for index in range(count):
            used = index < item.used_slot_count
            paint = Paint("c-accent-f c-accent-s", ACCENT, ACCENT)
            free = Paint("c-sheet c-accent-s", SHEET, ACCENT, 1, "2 2")
            x = _LEFT + 10 + index * pitch
            self.canvas.draw(svg.rect(x, y, pitch * 0.74, 14, paint if used else free))

    def _height_mark(self, item: RackItem, top: float, height: float) -> None:
        """A dimension line beside the server."""
        x, bottom = _RIGHT + 22, top + height
        for y in (top, bottom):
            self.canvas.draw(
                svg.line(_RIGHT + 12, y, x + 6, y, Paint("c-ink", stroke=INK, width=0.8)),
                svg.line(x - 3, y + 3, x + 3, y - 3, Paint("c-ink", stroke=INK, width=1.2)),
            )
        self.canvas.draw(svg.line(x, top, x, bottom))
        words = self.labels.units % {"count": self.number(item.unit_count)}
        self.canvas.write(
            words, x + 8, (top + bottom) / 2 + 4, Type(12, weight=600), room=_WIDTH - x - 12
        )

    def _growth(self, item: RackItem, top: float, height: float) -> None:
        width = _RIGHT - _LEFT - 2
        self.canvas.draw(svg.rect(_LEFT + 1, top + 1, width, height - 2, _GROWTH))
        look = Type(11.5, "c-tight-t", STATE_COLOURS["tight"].fg, 600)
        if text_width(item.name, look) and height >= 1.5 * _UNIT:
            two = height >= 3 * _UNIT
            middle = top + height / 2 + (0 if two else 4)
            self.canvas.write(item.name, _LEFT + 10, middle, look, room=width - 20)
            if two:
                detail = Type(10, "c-t2", NOTE.fill, mono=True)
                self.canvas.write(item.detail, _LEFT + 10, middle + 14, detail, room=width - 20)
