"""Holding what a step is about, so that two steps at the same moment wait for one another."""

from __future__ import annotations

from uuid import UUID

from apps.requisitions.models import Revision


def revisions_hold(requisition_id: UUID) -> list[Revision]:
    """Hold every revision of a requisition until the transaction ends.

    Sending a letter ends the one before it, and approving one ends the approved one before it:
    such a step reads and writes several rows. All of them take the rows in the order of their
    letters and before they append to the audit trail, so that none waits for one that waits for it.

    Returns:
        The revisions as they are now, by letter.
    """
    rows = Revision.objects.filter(requisition_id=requisition_id)
    related = ("requisition__company", "requisition__owner", "engineer")
    return list(rows.select_for_update(of=("self",)).select_related(*related).order_by("index"))
