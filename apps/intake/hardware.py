"""What hardware an approved assessment names: before the approval a client sees none."""

from __future__ import annotations

from apps.catalog.models import Item
from apps.catalog.selectors import items_in_use
from apps.estimation.selectors import latest_assessment
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State


def hardware_named(revision: Revision) -> list[Item]:
    """Servers and accelerators in the variants of an approved revision; nothing otherwise."""
    if revision.state != State.APPROVED:
        return []
    assessment = latest_assessment(revision)
    return items_in_use(assessment.calculation_id) if assessment else []
