"""Fills with a drawing hatch each: grey print and colour-blind readers tell them apart.

A hatch is lines clipped by arithmetic, not an SVG `<pattern>`: patterns need ids, and several
drawings share a page.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from apps.core import svg
from apps.core.palette import HATCH_DARK, HATCH_LIGHT, MEMORY_FILLS
from apps.core.svg import OUTLINE, Paint, Type

Texture: TypeAlias = Literal["solid", "rising", "falling", "dots", "lines", "open"]

# The part of memory that lends each texture its colour and its class.
_PART_OF: Final[dict[Texture, str]] = {
    "solid": "weights",
    "rising": "gradients",
    "falling": "optimizer",
    "dots": "activations",
    "lines": "buffers",
}
_LIGHT: Final = Paint("c-hl", stroke=HATCH_LIGHT, width=0.9)
_DARK: Final = Paint("c-hd", stroke=HATCH_DARK, width=0.7)
_OPEN: Final = Paint("c-sheet c-edge", svg.PLATE.fill, HATCH_DARK, 0.9, "3 2")
_MOST_LINES: Final = 400


def fill_of(texture: Texture) -> Paint:
    """The flat colour under a texture, also the plate of words on it."""
    if texture == "open":
        return svg.PLATE
    part = _PART_OF[texture]
    return Paint(f"m-{part}", MEMORY_FILLS[part])


def words_on(texture: Texture, size: float = 11) -> Type:
    """Words that read on the texture's plate."""
    if texture in ("solid", "rising"):
        return Type(size, "c-hlt", "#ffffff", 600)
    if texture == "open":
        return Type(size, "c-t", svg.BODY.fill, 600)
    return Type(size, "c-hdt", HATCH_DARK, 600)


def block(texture: Texture, x: float, y: float, width: float, height: float) -> str:
    """A bar or a swatch: colour, hatch, edge."""
    if texture == "open":
        return svg.rect(x, y, width, height, _OPEN)
    flat = svg.rect(x, y, width, height, fill_of(texture))
    return flat + _hatch(texture, x, y, width, height) + svg.rect(x, y, width, height, OUTLINE)


def diagonals(
    x: float,
    y: float,
    width: float,
    height: float,
    step: float,
    paint: Paint,
    *,
    rising: bool = True,
) -> str:
    """Lines at 45 degrees across a rectangle, none of them outside."""
    step = max(step, (width + height) / _MOST_LINES)
    lines, offset = [], step / 2
    while offset < width + height:
        x1, y1 = x + min(offset, width), y + max(0.0, offset - width)
        x2, y2 = x + max(0.0, offset - height), y + min(offset, height)
        if not rising:
            x1, x2 = 2 * x + width - x1, 2 * x + width - x2
        lines.append(svg.line(x1, y1, x2, y2, paint))
        offset += step
    return "".join(lines)


def _hatch(texture: Texture, x: float, y: float, width: float, height: float) -> str:
    if width < 2 or height < 2:
        return ""
    if texture == "rising":
        return diagonals(x, y, width, height, 6, _LIGHT)
    if texture == "falling":
        return diagonals(x, y, width, height, 8, _DARK, rising=False)
    if texture == "lines":
        rows = range(4, int(height), 5)
        return "".join(svg.line(x, y + row, x + width, y + row, _DARK) for row in rows)
    return _dots(x, y, width, height) if texture == "dots" else ""


def _dots(x: float, y: float, width: float, height: float) -> str:
    paint = Paint("c-hdf", HATCH_DARK)
    return "".join(
        svg.circle(x + column, y + row, 0.9, paint)
        for index, row in enumerate(range(4, int(height), 6))
        for column in range(4 if index % 2 else 8, int(width) - 1, 8)
    )
