"""In what training differs from inference, and the part of the document that each leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

# Template of the part -> what differs.
_POINTS: Final = {
    "memory": _(
        "Memory: beside the weights it holds gradients, states of the optimizer and activations."
    ),
    "pace": _("Exchange: GPUs exchange at every step, not once a request."),
    "storage": _("Storage: the data are read again and again, and checkpoints are written."),
    "rack": _("Load: full power for hours or weeks, without the pauses of a service."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """`section` is the number of the part, `anchor` its place in the document."""

    text: str
    section: int
    anchor: str


def points_of(numbers: Mapping[str, int]) -> tuple[Point, ...]:
    """The four points; none where a part that one leads to is not in the document."""
    if not _POINTS.keys() <= numbers.keys():
        return ()
    return tuple(
        Point(text=str(text), section=numbers[key], anchor=key) for key, text in _POINTS.items()
    )
