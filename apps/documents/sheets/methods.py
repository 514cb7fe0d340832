"""The methods side by side: a section of its own, before any hardware."""

from __future__ import annotations

from dataclasses import dataclass

from apps.documents.sheets.reading import Reading
from apps.estimation.presenters import MethodsView, methods_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsSheet:
    """Left out of the document when there is no conclusion."""

    conclusion: str
    view: MethodsView | None


def methods_sheet_of(reading: Reading) -> MethodsSheet:
    view = methods_of(reading.result)
    if view is None:
        return MethodsSheet(conclusion="", view=None)
    return MethodsSheet(conclusion=view.conclusion or view.reason, view=view)
