"""How wide a text is, and how to make it fit."""

from __future__ import annotations

import unicodedata

from apps.charts.font_widths import MONO_WIDTH, OTHER_WIDTH, WIDTHS
from apps.core.svg import Type

ELLIPSIS = "…"
# Golos from its baseline, as shares of the size: above (capitals with a diaeresis) and below.
ASCENT_RATIO = 0.8
DESCENT_RATIO = 0.22


def text_width(text: str, look: Type) -> float:
    """Pixels that `text` takes. Kerning is left out: it only narrows."""
    if look.mono:
        wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
        return (len(text) + wide) * MONO_WIDTH / 1000 * look.size
    widths = WIDTHS[600 if look.weight >= 600 else 400]
    return sum(widths.get(c, OTHER_WIDTH) for c in text) / 1000 * look.size


def shorten(text: str, look: Type, room: float) -> str:
    """`text`, or its beginning with an ellipsis; nothing when not even that fits."""
    if text_width(text, look) <= room:
        return text
    kept = text
    while kept and text_width(kept + ELLIPSIS, look) > room:
        # A long text is cut in big steps first: a number may come with hundreds of digits.
        excess = text_width(kept + ELLIPSIS, look) - room
        step = max(1, int(excess / (OTHER_WIDTH / 1000 * look.size)))
        kept = kept[:-step]
    kept = kept.rstrip(" \u00a0\u202f,.;:–-")
    return kept + ELLIPSIS if kept else ""


def wrap(text: str, look: Type, room: float, line_count: int) -> list[str]:
    """`text` in at most `line_count` lines; what is left over ends in an ellipsis."""
    words, lines = text.split(), [""]
    while words:
        longer = f"{lines[-1]} {words[0]}".strip()
        if text_width(longer, look) <= room or (not lines[-1] and len(lines) == line_count):
            lines[-1] = longer
            words.pop(0)
        elif not lines[-1]:
            lines[-1] = shorten(words.pop(0), look, room)
        elif len(lines) < line_count:
            lines.append("")
        else:
            lines[-1] = shorten(" ".join([lines[-1], *words]), look, room)
            break
    return [shorten(line, look, room) for line in lines if line]
