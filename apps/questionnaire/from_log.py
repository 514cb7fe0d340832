"""What a log says of a run -> answers about it, as a person would have typed them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.from_fields import number_text
from apps.questionnaire.to_measured import PEAKS

_GIB: Final = 2**30


def measured_answers(figures: Mapping[str, Any], *, source: str) -> dict[str, RawAnswer]:
    """Answers to the questions, as a person would have typed them.

    Args:
        figures: by question key; sizes in bytes, shares 0..1; None is left out.
        source: the file's name, kept beside every answer.
    """
    return {
        key: RawAnswer(_typed(key, value), provenance="file", note=source[:500])
        for key, value in figures.items()
        if value is not None
    }


def _typed(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if key in PEAKS:
        return f"{number_text(round(value / _GIB, 2))} GiB"
    if key == "measured_wait":
        return number_text(round(value * 100, 1))
    return number_text(float(f"{value:.4g}"))
