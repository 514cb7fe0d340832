"""SVG elements as text: presentation attributes and classes, nothing that a strict policy blocks.

No ids, `<style>`, `style=`, `currentColor` or `var()`: several drawings share one page, and the
PDF renderer understands none of the last two. Text is escaped here and only here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from apps.core.palette import INK, INK_2, INK_3, SHEET

SANS: Final = "Golos Text, Noto Sans, sans-serif"
MONO: Final = "JetBrains Mono, DejaVu Sans Mono, monospace"

# XML 1.0 has no place for these, not even escaped.
_NOT_XML: Final = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paint:
    """How a shape looks: `css` classes for the themes, the light colours as attributes."""

    css: str
    fill: str = "none"
    stroke: str = ""
    width: float = 1.0
    dash: str = ""

    def attributes(self) -> str:
        parts = [f'class="{self.css}"', f'fill="{self.fill}"']
        if self.stroke:
            parts.append(f'stroke="{self.stroke}" stroke-width="{coordinate(self.width)}"')
        if self.dash:
            parts.append(f'stroke-dasharray="{self.dash}"')
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Type:
    """How text looks. `mono` is always 400, as labels of a drawing are."""

    size: float = 12.0
    css: str = "c-t"
    fill: str = INK
    weight: int = 400
    mono: bool = False


BODY: Final = Type()
LABEL: Final = Type(10, "c-t3", INK_3, mono=True)
NOTE: Final = Type(11, "c-t2", INK_2)
PLATE: Final = Paint("c-sheet", SHEET)
LINE: Final = Paint("c-ink", stroke=INK)
OUTLINE: Final = Paint("c-none c-edge", stroke=INK, width=0.9)


def coordinate(value: float) -> str:
    """One decimal of a pixel is enough; no trailing zero, no minus zero."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """`text` ready to stand inside an element or an attribute."""
    return escape(_NOT_XML.sub("", text))


def line(x1: float, y1: float, x2: float, y2: float, paint: Paint = LINE) -> str:
    c = coordinate
    return f'<line x1="{c(x1)}" y1="{c(y1)}" x2="{c(x2)}" y2="{c(y2)}" {paint.attributes()}/>'


def rect(x: float, y: float, width: float, height: float, paint: Paint = PLATE) -> str:
    c = coordinate
    size = f'width="{c(max(width, 0))}" height="{c(max(height, 0))}"'
    return f'<rect x="{c(x)}" y="{c(y)}" {size} {paint.attributes()}/>'


def circle(x: float, y: float, radius: float, paint: Paint) -> str:
    c = coordinate
    return f'<circle cx="{c(x)}" cy="{c(y)}" r="{c(max(radius, 0))}" {paint.attributes()}/>'


def polygon(points: Iterable[Point], paint: Paint) -> str:
    return f'<polygon points="{_joined(points)}" {paint.attributes()}/>'


def polyline(points: Iterable[Point], paint: Paint) -> str:
    return f'<polyline points="{_joined(points)}" {paint.attributes()}/>'


def path(commands: str, paint: Paint) -> str:
    return f'<path d="{commands}" {paint.attributes()}/>'


def text(x: float, y: float, content: str, look: Type = BODY, anchor: str = "start") -> str:
    """`y` is the baseline; `anchor` is start, middle or end."""
    family = MONO if look.mono else SANS
    parts = [f'class="{look.css}"', f'x="{coordinate(x)}"', f'y="{coordinate(y)}"']
    parts += [f'font-family="{family}"', f'font-size="{coordinate(look.size)}"']
    if look.weight != 400:
        parts.append(f'font-weight="{look.weight}"')
    if anchor != "start":
        parts.append(f'text-anchor="{anchor}"')
    return f'<text {" ".join(parts)} fill="{look.fill}">{clean(content)}</text>'


def document(
    width: float, height: float, body: str, *, title: str, description: str = "", css: str = "chart"
) -> str:
    """The whole drawing. `title` names it, `description` says its numbers to a screen reader."""
    w, h = coordinate(width), coordinate(height)
    described = f"<desc>{clean(description)}</desc>" if description else ""
    return (
        f'<svg class="{css}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" '
        f'width="{w}" height="{h}" role="img"><title>{clean(title)}</title>{described}{body}</svg>'
    )


def _joined(points: Iterable[Point]) -> str:
    return " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in points)
