"""Whose hands a sent revision went through, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.requisitions.models import Revision


def sender_words(*, sent_by: str, on_behalf_of: str, prepared_by: str) -> str:
    """One sentence when a manager had a hand in it; else nothing."""
    if on_behalf_of:
        return _("Sent by the manager %(manager)s on behalf of the client: %(client)s.") % {
            "manager": sent_by,
            "client": on_behalf_of,
        }
    if prepared_by and sent_by:
        return _("Filled in by the manager %(manager)s, confirmed and sent by %(client)s.") % {
            "manager": prepared_by,
            "client": sent_by,
        }
    return ""


def sender_words_of(revision: Revision) -> str:
    """The same of a revision."""
    return sender_words(
        sent_by=str(revision.submitted_by or ""),
        on_behalf_of=str(revision.on_behalf_of or ""),
        prepared_by=str(revision.prepared_by or ""),
    )
