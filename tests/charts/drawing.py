"""Reading a drawing back: its words as boxes, its shapes as points, what it must not hold."""

import re
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from apps.charts.canvas import Box
from apps.charts.measure import ASCENT_RATIO, DESCENT_RATIO, text_width
from apps.core.svg import Type

_SVG: Final = "{http://www.w3.org/2000/svg}"
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_COORDINATES: Final = {"line": ("x1", "y1", "x2", "y2"), "circle": ("cx", "cy"), "rect": ("x", "y")}
# A stroke, a mark and the foot of a diagonal may lean over the edge by so many pixels.
_LEAN: Final = 8.0


@dataclass(frozen=True)
class Word:
    text: str
    box: Box


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def size_of(root: ET.Element) -> tuple[float, float]:
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    return width, height


def words_of(root: ET.Element) -> list[Word]:
    found = []
    for element in root.iter(f"{_SVG}text"):
        text, size = element.text or "", float(element.attrib["font-size"])
        look = Type(
            size,
            weight=int(element.attrib.get("font-weight", 400)),
            mono="JetBrains" in element.attrib["font-family"],
        )
        width, x, y = text_width(text, look), float(element.attrib["x"]), float(element.attrib["y"])
        left = (
            x
            - {"start": 0, "middle": width / 2, "end": width}[
                element.attrib.get("text-anchor", "start")
            ]
        )
        found.append(
            Word(text, Box(left, y - ASCENT_RATIO * size, left + width, y + DESCENT_RATIO * size))
        )
    return found


def points_of(root: ET.Element) -> list[tuple[float, float]]:
    """Every corner of every shape."""
    found: list[tuple[float, float]] = []
    for element in root.iter():
        name = element.tag.removeprefix(_SVG)
        values = [float(element.attrib[k]) for k in _COORDINATES.get(name, ())]
        if name in ("polygon", "polyline", "path"):
            values = [float(v) for v in _NUMBER.findall(element.attrib.get("points", ""))]
        if name == "rect":
            width, height = float(element.attrib["width"]), float(element.attrib["height"])
            values += [values[0] + width, values[1] + height]
        found += zip(values[::2], values[1::2], strict=True)
    return found


def problems_of(drawing: str) -> list[str]:
    """Everything that is wrong with a drawing, in words; empty when it is right."""
    root = parsed(drawing)
    width, height = size_of(root)
    words = words_of(root)
    found = [
        f"blocked by the policy: {bad}"
        for bad in ("style", " id=", "url(", "currentColor", "var(")
        if re.search(re.escape(bad), re.sub(r">[^<]*<", "><", drawing))
    ]
    found += [
        f"not a number: {bad}"
        for bad in ("nan", "inf", "e+", "e-")
        if re.search(rf'"[^"]*\b-?{re.escape(bad)}\b[^"]*"', _geometry(root))
    ]
    found += [f"outside: {w.text!r} {w.box}" for w in words if not _inside(w.box, width, height)]
    found += [
        f"shape outside: {p}"
        for p in points_of(root)
        if not (-_LEAN <= p[0] <= width + _LEAN and -_LEAN <= p[1] <= height + _LEAN)
    ]
    for index, word in enumerate(words):
        found += [
            f"{word.text!r} meets {o.text!r}" for o in words[index + 1 :] if word.box.meets(o.box)
        ]
    for element in root.iter():
        for name in ("width", "height", "r", "stroke-width", "font-size"):
            if float(element.attrib.get(name, 0)) < 0:
                found.append(f"negative {name}")
    return found


def _geometry(root: ET.Element) -> str:
    keys = ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "points", "d")
    return " ".join(f'"{e.attrib[k]}"' for e in root.iter() for k in keys if k in e.attrib)


def _inside(box: Box, width: float, height: float) -> bool:
    return box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height + 0.5
