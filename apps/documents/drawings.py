"""HTML of a document made ready for the press: charts as files beside it, and what tags need."""

from __future__ import annotations

import re
from typing import Final

_DRAWING: Final = re.compile(
    r'<svg class="chart".*?<title>(?P<title>.*?)</title>(?:<desc>(?P<desc>.*?)</desc>)?.*?</svg>',
    re.DOTALL,
)


def drawings_apart(html: str) -> tuple[str, dict[str, str]]:
    """Take the charts out of the HTML: as files beside it they are read several times faster, and
    their numbers become the text that a screen reader says.

    The pattern meets our own drawings only: a person's text never holds a raw `<`.
    """
    drawings: dict[str, str] = {}

    def apart(found: re.Match[str]) -> str:
        name = f"asset:drawing-{len(drawings) + 1}.svg"
        drawings[name] = found[0]
        said = ". ".join(part for part in (found["title"], found["desc"]) if part)
        return f'<img class="chart" src="{name}" alt="{said}">'

    return _DRAWING.sub(apart, html), drawings


_BODY: Final = re.compile(r"<tbody.*?</tbody>", re.DOTALL)
# What is set word by word: text between tags, outside the head and the drawings.
_APART: Final = re.compile(r"(<head>.*?</head>|<svg\b.*?</svg>|<[^>]*>)", re.DOTALL)
_NUMBER: Final = r"\d(?:[\d\u202f\u00a0.,]*\d)?"
_WHOLE: Final = re.compile(
    rf"(?<![\w–-])(?:{_NUMBER}–{_NUMBER}(?:\u00a0[^\s.,;:)&]+)?|[A-Z]{{2,4}}(?:-[0-9A-Z]+){{1,3}}|GPU-(?:ч|h)\b)"
)
_MOST_WHOLE: Final = 20
_UNNAMED: Final = re.compile(r"(<svg\b[^>]*>)(?:<title></title>)?(?!<title>)")


def tagged(html: str) -> str:
    """What the tags of the PDF need and a browser guesses: heads of rows say that they are, and a
    sign whose words stand beside it has a blank text instead of none.
    """
    rowed = _BODY.sub(lambda body: re.sub(r"<th(?=[ >])", '<th scope="row"', body[0]), html)
    return _UNNAMED.sub(r"\1<title> </title>", rowed)


def typeset(html: str) -> str:
    """What may not be torn apart at the end of a line: two ends of a range and its unit, a part
    number, a dash and the word before it, a per cent sign and its number."""
    pieces = _APART.split(html)
    # Every second piece is a tag, a drawing or the head.
    pieces[::2] = map(_set, pieces[::2])
    return "".join(pieces)


def _set(text: str) -> str:
    joined = re.sub(r"(?<=\S) —(?=\s)", "\u00a0—", re.sub(r"(?<=\d) %", "\u00a0%", text))
    # «160 мес.» at the end of a sentence needs no second stop.
    joined = re.sub(r"\b(мес|дн)\.\.(?!\.)", r"\1.", joined)
    return _WHOLE.sub(_kept, joined)


def _kept(found: re.Match[str]) -> str:
    """In one line, unless it is so long that a narrow column would not hold it."""
    return found[0] if len(found[0]) > _MOST_WHOLE else f'<span class="nb">{found[0]}</span>'
