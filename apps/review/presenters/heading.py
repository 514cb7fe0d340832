"""What stands on top of every page of a revision: the stamp and the tabs."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core.formatting import short_moment
from apps.requisitions.models import Revision
from apps.requisitions.selectors import base_of
from apps.requisitions.workflow import State


@dataclass(frozen=True, slots=True, kw_only=True)
class StampCell:
    """One field of the title block; `kind` as in `partials/stamp.html`."""

    label: str
    value: str
    kind: str = ""


def stamp_cells(revision: Revision) -> list[StampCell]:
    requisition = revision.requisition
    engineer = str(revision.engineer) if revision.engineer else pgettext("engineer", "nobody")
    return [
        StampCell(label=_("Requisition"), value=requisition.display_number, kind="no"),
        StampCell(label=_("Revision"), value=revision.letter, kind="rev"),
        StampCell(label=_("Client"), value=requisition.company.name, kind="m"),
        StampCell(label=_("Task"), value=requisition.title, kind="wide"),
        StampCell(label=_("State"), value=str(State(revision.state).label)),
        StampCell(label=pgettext("requisition", "Since"), value=short_moment(revision.state_since)),
        StampCell(label=_("Engineer"), value=engineer),
        *_due(revision),
    ]


def _due(revision: Revision) -> list[StampCell]:
    """By when the assessment is to be ready; nothing once the clock has stopped."""
    if revision.state == State.CHANGES_REQUESTED and revision.clock_id:
        return [StampCell(label=_("Due"), value=pgettext("clock", "paused"))]
    if revision.due_at is None:
        return []
    return [StampCell(label=_("Due"), value=short_moment(revision.due_at))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """`key` leads there after «g»."""

    label: str
    href: str
    current: bool
    key: str


def tabs(revision: Revision, current: str, variant_count: int) -> list[Tab]:
    """Pages of one revision; `current` is the name of the page's address."""
    variants = (
        _("Variants %(count)s") % {"count": variant_count} if variant_count else _("Variants")
    )
    changes = [("review:changes", _("Changes"), "h")] if base_of(revision) else []
    pages = [
        ("review:workspace", _("Review"), "r"),
        ("review:variants", variants, "v"),
        ("review:what-if", _("What if"), "w"),
        *changes,
        ("pilots:pilot", _("Pilot"), "p"),
        ("review:document", _("Document"), "d"),
        ("review:journal", _("Journal"), "l"),
    ]
    return [
        Tab(label=label, href=reverse(name, args=[revision.pk]), current=name == current, key=key)
        for name, label, key in pages
    ]
