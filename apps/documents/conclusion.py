"""What an assessment comes to, for pages that lead to the document."""

from __future__ import annotations

from dataclasses import dataclass

from apps.documents.models import Document
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.summary import headline_text, readiness_text
from apps.documents.sheets.variants import picked, variants_of
from apps.documents.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The title of the cover and how near a purchase is, in the active language."""

    title: str
    readiness: str


def conclusion_of(document: Document) -> Conclusion:
    """The document's own words; not for a note, which has no result."""
    reading = Reading(snapshot=Snapshot.read(document.snapshot_text), kind=document.kind)
    variant = picked(variants_of(reading))
    return Conclusion(title=headline_text(reading, variant), readiness=readiness_text(reading))
