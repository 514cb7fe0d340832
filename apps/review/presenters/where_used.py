"""Which requisitions rest on an item of the catalog, and what a correction of it means for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.catalog.releases import contents_for, present_contents
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State

_OPEN = frozenset({State.IN_REVIEW, State.IN_APPROVAL, State.CHANGES_REQUESTED, State.ESTIMATING})


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereUsedRow:
    """One revision. `mark` is the state of a tag, or "" where nothing is to be done."""

    number: str
    letter: str
    href: str
    title: str
    client: str
    state: str
    mark: str
    text: str


def where_used_row(slug: str, revision: Revision) -> WhereUsedRow:
    """`revision` comes from `resting_on`, which says with which catalog it was calculated."""
    requisition = revision.requisition
    mark, text = _meaning(slug, revision)
    return WhereUsedRow(
        number=requisition.display_number,
        letter=revision.letter,
        href=reverse("review:workspace", args=[revision.pk]),
        title=requisition.title,
        client=requisition.company.name,
        state=str(State(revision.state).label),
        mark=mark,
        text=text,
    )


def _meaning(slug: str, revision: Revision) -> tuple[str, str]:
    then = contents_for(revision.catalog_sha256)  # type: ignore[attr-defined]
    if _said(then.rows.get(slug)) == _said(present_contents().rows.get(slug)):
        return "", _("as in the catalog now")
    if revision.was_approved:
        return "", _("the approved figures stay as they were; a next revision takes the new facts")
    if State(revision.state) in _OPEN:
        return "tight", _("its facts have changed: recalculate")
    return "", _("has ended; nothing to do")


def _said(row: Mapping[str, Any] | None) -> dict[str, object]:
    """Facts in force by their key."""
    facts = (row or {}).get("facts") or ()
    return {f["key"]: (f["value"], f.get("unit")) for f in facts if not f.get("superseded")}
