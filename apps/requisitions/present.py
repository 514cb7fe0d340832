"""The state of a requisition for somebody who came too late with a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.core.formatting import short_moment
from apps.core.present import Present
from apps.requisitions.models import Revision
from apps.requisitions.selectors import revisions_for

_APPROVER_PAGES: Final = frozenset({"review:decide", "review:approval-drafts"})


def present_state(user: User, places: Mapping[str, Any], view_name: str) -> Present | None:
    """What the revision or the requisition that an address names is like now, and where to look.

    Args:
        places: the values of the address: `revision_id` or `requisition_id`.
    """
    if "revision_id" in places:
        revision = revisions_for(user).filter(pk=places["revision_id"]).first()
        page = "review:approval" if view_name in _APPROVER_PAGES else "review:workspace"
        return _present(revision, page, places["revision_id"])
    latest = (
        revisions_for(user)
        .filter(requisition=places.get("requisition_id"))
        .order_by("index")
        .last()
    )
    return _present(latest, "intake:status", places.get("requisition_id"))


def _present(revision: Revision | None, page: str, place: Any) -> Present | None:
    if revision is None:
        return None
    values = {
        "name": str(revision.requisition.display_number or _("The requisition")),
        "letter": revision.letter,
        "state": revision.get_state_display(),
        "since": short_moment(revision.state_since),
    }
    text = _("%(name)s, revision %(letter)s: “%(state)s” since %(since)s.")
    return Present(text=text % values, href=reverse(page, args=[place]))
