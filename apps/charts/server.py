"""The front of a server for its catalog card: a plain diagram, so that it promises nothing."""

from __future__ import annotations

from dataclasses import dataclass

from apps.charts.canvas import Canvas
from apps.charts.labels import ServerLabels
from apps.core import svg
from apps.core.palette import ACCENT, INK, RULE_2, SHEET, STATE_COLOURS, SUNKEN
from apps.core.svg import LABEL, Paint, Type

_WIDTH, _LEFT, _RIGHT, _TOP = 280.0, 30.0, 240.0, 30.0
_FRAME = Paint("c-sheet c-edge", SHEET, INK, 1.6)
_SLOT = Paint("c-info-bg c-accent-s", STATE_COLOURS["info"].bg, ACCENT)
_BAY = Paint("c-sunken c-rule2-s", SUNKEN, RULE_2, 0.8)
_HAIR = Paint("c-ink", stroke=INK, width=0.7)
_TICK = Paint("c-ink", stroke=INK, width=1.1)


@dataclass(frozen=True, slots=True)
class ServerFront:
    """`unit_count` rack units, `slot_count` places for GPUs (0: not known)."""

    unit_count: int
    slot_count: int


def server_front(front: ServerFront, *, labels: ServerLabels) -> str:
    """Draw the front, 280 px wide, its height after the units."""
    units = min(max(front.unit_count, 1), 12)
    height = 24.0 + units * 16
    canvas = Canvas(_WIDTH)
    canvas.draw(svg.rect(_LEFT, _TOP, _RIGHT - _LEFT, height, _FRAME))
    _face(canvas, front.slot_count, height)
    bottom = _TOP + height
    _width_mark(canvas, bottom + 22, labels.width)
    _height_mark(canvas, bottom, labels.height % {"count": front.unit_count})
    words = labels.slots % {"count": front.slot_count} if front.slot_count > 0 else labels.no_slots
    canvas.write(words, _LEFT, 20, LABEL)
    return canvas.render(bottom + 38, title=labels.title, description=words)


def _face(canvas: Canvas, slot_count: int, height: float) -> None:
    """GPU places, drive bays under them, as far as the height allows."""
    bays = 13.0 if height > 45 else 0.0
    slots_height = height - 16 - bays - (6 if bays else 0)
    count = min(max(slot_count, 0), 20)
    pitch = (_RIGHT - _LEFT - 14) / max(count, 1)
    for index in range(count):
        x = _LEFT + 8 + index * pitch
        canvas.draw(svg.rect(x, _TOP + 8, pitch * 0.77, slots_height, _SLOT))
    if not bays:
        return
    for index in range(16):
        x = _LEFT + 8 + index * (_RIGHT - _LEFT - 14) / 16
        canvas.draw(svg.rect(x, _TOP + height - 8 - bays, 9, bays, _BAY))


def _width_mark(canvas: Canvas, y: float, words: str) -> None:
    for x in (_LEFT, _RIGHT):
        canvas.draw(
            svg.line(x, y - 18, x, y + 6, _HAIR), svg.line(x - 3, y + 3, x + 3, y - 3, _TICK)
        )
    canvas.draw(svg.line(_LEFT, y, _RIGHT, y, _HAIR))
    middle = (_LEFT + _RIGHT) / 2
    canvas.write(
        words, middle, y + 4, Type(11), "middle", room=_RIGHT - _LEFT - 30, plate=svg.PLATE
    )


def _height_mark(canvas: Canvas, bottom: float, words: str) -> None:
    x = _RIGHT + 20
    for y in (_TOP, bottom):
        canvas.draw(
            svg.line(_RIGHT + 10, y, x + 7, y, _HAIR), svg.line(x - 3, y + 3, x + 3, y - 3, _TICK)
        )
    canvas.draw(svg.line(x, _TOP, x, bottom, _HAIR))
    middle = (_TOP + bottom) / 2 + 4
    canvas.write(words, x, middle, Type(11, weight=600), "middle", room=34, plate=svg.PLATE)
