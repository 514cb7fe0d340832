"""The row of swatches with their names."""

from __future__ import annotations

from collections.abc import Sequence

from apps.charts.canvas import Canvas
from apps.charts.measure import text_width
from apps.charts.textures import Texture, block
from apps.core.svg import NOTE

_SWATCH, _GAP, _LINE = 12.0, 16.0, 20.0


def draw_legend(
    canvas: Canvas, entries: Sequence[tuple[str, Texture]], left: float, top: float, room: float
) -> float:
    """Draw (name, texture) pairs, in as many lines as they need. Returns the y under them."""
    x, y = left, top
    for name, texture in entries:
        width = _SWATCH + 6 + text_width(name, NOTE)
        if x > left and x + width > left + room:
            x, y = left, y + _LINE
        canvas.draw(block(texture, x, y, _SWATCH, _SWATCH))
        canvas.write(name, x + _SWATCH + 6, y + 10, NOTE, room=left + room - x - _SWATCH - 6)
        x += width + _GAP
    return y + _LINE
