"""A drawing in the making: shapes below, words above, and no two words on one spot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from apps.charts.measure import ASCENT_RATIO, DESCENT_RATIO, shorten, text_width
from apps.core import svg
from apps.core.glyphs import mark
from apps.core.palette import STATE_COLOURS, state_of
from apps.core.svg import BODY, PLATE, Paint, Type

_EDGE = 2.0  # pixels between a word and the border of the drawing
_GAP_X, _GAP_Y = 1.0, 0.1  # between words; coordinates are written to a tenth of a pixel
_PAD_X, _PAD_Y = 3.0, 2.0


class Spot(NamedTuple):
    """Where a word may stand: baseline and anchor (start, middle, end)."""

    x: float
    y: float
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def grown(self, by_x: float, by_y: float) -> Box:
        return Box(self.left - by_x, self.top - by_y, self.right + by_x, self.bottom + by_y)


def _box(spot: Spot, width: float, size: float) -> Box:
    left = spot.x - {"start": 0.0, "middle": width / 2, "end": width}[spot.anchor]
    return Box(left, spot.y - ASCENT_RATIO * size, left + width, spot.y + DESCENT_RATIO * size)


def _words(text: str, look: Type) -> str:
    # The mono family has no narrow space; its ordinary one keeps the column.
    return text.replace("\u202f", "\u00a0") if look.mono else text


class Canvas:
    """Collects shapes and words for one drawing `width` pixels wide."""

    def __init__(self, width: float) -> None:
        self.width = width
        self._shapes: list[str] = []
        self._texts: list[str] = []
        self._taken: list[Box] = []

    def draw(self, *elements: str) -> None:
        self._shapes.extend(elements)

    def reserve(self, box: Box) -> None:
        """Keep words off a mark."""
        self._taken.append(box)

    def write(
        self,
        text: str,
        x: float,
        y: float,
        look: Type = BODY,
        anchor: str = "start",
        *,
        room: float | None = None,
        plate: Paint | None = None,
    ) -> Box | None:
        """Write words that must stand; they are cut to `room` and kept inside the drawing.

        Returns the box that they take, None when nothing fitted.
        """
        inside = self.width - 2 * _EDGE
        shown = shorten(_words(text, look), look, min(inside, inside if room is None else room))
        if not shown:
            return None
        width = text_width(shown, look)
        spot = Spot(x, y, anchor)
        box = _box(spot, width, look.size)
        shift = max(_EDGE - box.left, 0) - max(box.right - (self.width - _EDGE), 0)
        self._put(shown, Spot(x + shift, y, anchor), look, plate)
        return _box(Spot(x + shift, y, anchor), width, look.size)

    def offer(
        self, text: str, look: Type, spots: Iterable[Spot], *, plate: Paint | None = PLATE
    ) -> bool:
        """Write words at the first spot that is inside and free; leave them out when none is."""
        shown = _words(text, look)
        width = text_width(shown, look)
        for spot in spots:
            box = _box(spot, width, look.size)
            inside = box.left >= _EDGE and box.right <= self.width - _EDGE and box.top >= 0
            if inside and self.is_free(box.grown(_GAP_X, _GAP_Y)):
                self._put(shown, spot, look, plate)
                return True
        return False

    def is_free(self, box: Box) -> bool:
        return not any(box.meets(other) for other in self._taken)

    def verdict(
        self, status: str | None, word: str, x: float, y: float, *, room: float, size: float = 12.5
    ) -> None:
        """The mark at (x, y) with its word to the right, baseline matched."""
        state = state_of(status)
        self.draw(mark(state, x, y))
        self.reserve(Box(x - 7, y - 7, x + 7, y + 7))
        look = Type(size, f"c-{state}-t", STATE_COLOURS[state].fg, 600)
        self.write(word, x + 11, y + 4, look, room=room - 11)

    def render(self, height: float, *, title: str, description: str) -> str:
        body = "".join(self._shapes) + "".join(self._texts)
        return svg.document(self.width, height, body, title=title, description=description)

    def _put(self, text: str, spot: Spot, look: Type, plate: Paint | None) -> None:
        box = _box(spot, text_width(text, look), look.size)
        if plate is not None:
            padded = box.grown(_PAD_X, _PAD_Y / 2)
            size = (padded.right - padded.left, padded.bottom - padded.top)
            self._texts.append(svg.rect(padded.left, padded.top, *size, plate))
        self._texts.append(svg.text(spot.x, spot.y, text, look, spot.anchor))
        self._taken.append(box)
