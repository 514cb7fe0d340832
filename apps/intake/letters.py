"""Where the letters of a requisition are for its client."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from apps.accounts.models import User
from apps.documents.letters import LetterRow, Links, letter_rows
from apps.requisitions.models import Revision


def client_letters(user: User, shown: Revision) -> Sequence[LetterRow]:
    """Every letter, the one of the page marked; nothing for an only one."""
    if shown.requisition.revisions.count() == 1:
        return ()
    links = Links(page=_page, changes=_changes)
    return letter_rows(user, shown.requisition, links, shown=shown)


def _page(revision: Revision) -> str:
    if revision.is_draft:
        return reverse("intake:hub", args=[revision.requisition_id])
    if revision.never_sent:
        return ""
    status = reverse("intake:status", args=[revision.requisition_id])
    return f"{status}?letter={revision.letter}"


def _changes(old: Revision, new: Revision) -> str:
    if new.never_sent and not new.is_draft:
        return ""
    return reverse("intake:changes", args=[new.requisition_id, old.letter, new.letter])
