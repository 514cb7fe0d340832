"""Own, rented or both, for a client who has not decided: use in GPU-hours, and from when to buy."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.documents.sheets.reading import Reading
from apps.estimation.presenters import OwnView, own_of
from apps.questionnaire.ways import PLACES, Comparison
from apps.sizing.ownership import UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipSheet:
    """Left out of the document when there is no conclusion: the client has decided."""

    conclusion: str
    view: OwnView | None = None
    comparison: Comparison | None = None


def ownership_of(reading: Reading) -> OwnershipSheet:
    acquisition = reading.snapshot.context.get("acquisition") or {}
    if acquisition.get("acquisition") != UNDECIDED:
        return OwnershipSheet(conclusion="")
    view = own_of(reading.result)
    conclusion = (
        view.conclusion
        if view
        else _(
            "The use of an own server cannot be counted yet: there is no variant to count it for."
        )
    )
    return OwnershipSheet(conclusion=conclusion, view=view, comparison=PLACES)
