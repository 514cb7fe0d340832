"""The series of runs, the planned cycles and the price of speed: after the variants."""

from __future__ import annotations

from dataclasses import dataclass

from apps.documents.sheets.reading import Reading
from apps.estimation.presenters import ProgrammeView, programme_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammeSheet:
    """Left out of the document where the length of a run is not known."""

    conclusion: str
    view: ProgrammeView | None


def programme_sheet_of(reading: Reading) -> ProgrammeSheet:
    view = programme_of(reading.result)
    return ProgrammeSheet(conclusion=view.conclusion if view else "", view=view)
