"""What else there is across the catalog: a compact section after the variants."""

from __future__ import annotations

from dataclasses import dataclass

from apps.documents.sheets.reading import Reading
from apps.estimation.presenters import PlanView, plan_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSheet:
    """Left out of the document when nothing was planned."""

    conclusion: str
    view: PlanView | None


def plan_sheet_of(reading: Reading) -> PlanSheet:
    view = plan_of(reading.result)
    return PlanSheet(conclusion=view.conclusion if view else "", view=view)
