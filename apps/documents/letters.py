"""The letters of a requisition side by side: states, dates, documents, what changed in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import pgettext, pgettext_lazy

from apps.accounts.models import User
from apps.core.formatting import short_moment
from apps.documents.models import Document
from apps.documents.selectors import DocumentRun, document_runs, documents_for
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.selectors import base_among
from apps.requisitions.workflow import State

# The colour of a state that somebody waits for or may rest on; the others are plain text.
_TAGS: Final[Mapping[str, str]] = {
    State.ESTIMATING: "info",
    State.IN_REVIEW: "info",
    State.CHANGES_REQUESTED: "tight",
    State.IN_APPROVAL: "info",
    State.APPROVED: "ok",
    State.REJECTED: "blocked",
}
_ENDED: Final[Mapping[str, Promise]] = {
    State.REJECTED: pgettext_lazy("revision", "rejected %(moment)s"),
    State.REDIRECTED: pgettext_lazy("revision", "redirected %(moment)s"),
    State.WITHDRAWN: pgettext_lazy("revision", "withdrawn %(moment)s"),
    State.SUPERSEDED: pgettext_lazy("revision", "replaced %(moment)s"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where the pages of a letter are, for the person who reads; "" for nowhere.

    `changes` is of a letter (the second) since an earlier one (the first).
    """

    page: Callable[[Revision], str]
    changes: Callable[[Revision, Revision], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRow:
    """One revision. `since` is the letter that `changes` compares it with; "" for none."""

    letter: str
    href: str
    current: bool
    state: str
    tag: str
    moments: tuple[str, ...]
    replaced_by: str
    documents: Sequence[DocumentRun]
    changes: str
    since: str


def letter_rows(
    user: User, requisition: Requisition, links: Links, *, shown: Revision | None = None
) -> list[LetterRow]:
    """Every revision the person may know of, the newest first; `shown` is the one of the page.

    The caller has got the requisition through a `*_for` selector. A draft of the next letter is
    named to everybody; its answers are its client's.
    """
    revisions = list(requisition.revisions.all())
    runs = _runs(user, revisions)
    return [
        _row(revision, revisions, runs.get(revision.pk, ()), links, shown)
        for revision in reversed(revisions)
    ]


def _runs(user: User, revisions: Iterable[Revision]) -> dict[UUID, list[DocumentRun]]:
    """What may be handed to a client, of each revision."""
    kinds = (Document.Kind.FINAL, Document.Kind.SUPERSEDED, Document.Kind.NOTE)
    found: dict[UUID, list[DocumentRun]] = {}
    for revision in revisions:
        offered = documents_for(user, revision).filter(kind__in=kinds)
        if revision.state == State.SUPERSEDED:
            offered = offered.filter(kind=Document.Kind.SUPERSEDED)
        found[revision.pk] = document_runs(offered.order_by("-language"))
    return found


def _row(
    revision: Revision,
    revisions: Sequence[Revision],
    runs: Sequence[DocumentRun],
    links: Links,
    shown: Revision | None,
) -> LetterRow:
    base = base_among(revisions, revision)
    changes = links.changes(base, revision) if base is not None else ""
    return LetterRow(
        letter=revision.letter,
        href=links.page(revision),
        current=shown is not None and shown.pk == revision.pk,
        state=str(State(revision.state).label),
        tag=_TAGS.get(revision.state, ""),
        moments=tuple(_moments(revision)),
        replaced_by=replaced_by(revision, revisions),
        documents=runs,
        changes=changes,
        since=base.letter if base is not None and changes else "",
    )


def _moments(revision: Revision) -> Iterable[str]:
    ended = _ENDED.get(revision.state)
    dated = (
        (pgettext("revision", "sent %(moment)s"), revision.submitted_at),
        (pgettext("revision", "approved %(moment)s"), revision.approved_at),
        (str(ended or ""), revision.state_since if ended else None),
    )
    return [pattern % {"moment": short_moment(at)} for pattern, at in dated if at is not None]


def replaced_by(revision: Revision, revisions: Sequence[Revision]) -> str:
    """An approved letter gives way to the next approved one, any other to the next that was sent."""
    if revision.state != State.SUPERSEDED:
        return ""
    later = [r for r in revisions if r.index > revision.index and r.submitted_at]
    if revision.was_approved:
        later = [r for r in later if r.was_approved] or later
    return later[0].letter if later else ""
