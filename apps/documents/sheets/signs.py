"""Signs of the house on paper."""

from __future__ import annotations

from functools import cache

from apps.core.palette import ACCENT, INK
from apps.core.svg import Paint, document, path


@cache
def logo() -> str:
    posts = path("M2.5 5v16M23.5 5v16", Paint("b-frame", stroke=INK, width=2))
    arrow = path(
        "M2.5 13h21M5.5 10l-3 3 3 3M20.5 10l3 3-3 3", Paint("b-line", stroke=ACCENT, width=1.6)
    )
    dot = path("M13 8.5 17.5 13 13 17.5 8.5 13Z", Paint("b-dot", ACCENT))
    return document(26, 26, posts + arrow + dot, title="", css="logo")
