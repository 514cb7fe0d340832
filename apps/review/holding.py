"""Holding a revision as the person saw it, so that two people do not decide past each other."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.core.errors import Conflict
from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision


def held(revision: Revision, expected_version: int) -> Revision:
    """The row as the person saw it, held with its sisters until the transaction ends.

    Raises:
        Conflict: it has changed since.
    """
    rows = requisitions.revisions_hold(revision.requisition_id)
    row = next(row for row in rows if row.pk == revision.pk)
    if row.version != expected_version:
        raise Conflict(_("Somebody was quicker: the requisition changed meanwhile."))
    return row
