"""What makes it fit and how far the recipe goes; work of its own that several nodes bring."""

from __future__ import annotations

from dataclasses import dataclass

from apps.documents.sheets.reading import Reading
from apps.estimation.presenters import LadderView, LimitsView, ladder_of, limits_of
from apps.estimation.texts import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSheet:
    conclusion: str
    ladder: LadderView | None
    limits: LimitsView | None
    separate: tuple[str, ...]


def fit_of(reading: Reading) -> FitSheet:
    """Left out where there was nothing to climb: the section on methods says why."""
    ladder = ladder_of(reading.result)
    return FitSheet(
        conclusion=ladder.conclusion if ladder else "",
        ladder=ladder,
        limits=limits_of(reading.result),
        separate=tuple(sentences(reading.result.get("separate_work") or ())),
    )
