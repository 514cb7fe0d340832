"""Where many requisitions stand, as queries: what `selectors.leading_of` says of one.

The number of queries does not depend on the length of the list; an index holds all that they read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from apps.core.searching import search_words
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.workflow import State

_OWN: Final = Revision.objects.filter(requisition=OuterRef("pk"))
_SENT: Final = ~Q(answers_sha256="") | Q(state=State.REDIRECTED)
_WITHDRAWN_LATER: Final = Q(latest_sent=State.WITHDRAWN, has_approved=True)

_WORK: Final = frozenset({State.ESTIMATING, State.IN_REVIEW, State.IN_APPROVAL})
_CLOSED: Final = frozenset({State.REJECTED, State.REDIRECTED, State.WITHDRAWN, State.SUPERSEDED})


def with_standing(rows: QuerySet[Requisition]) -> QuerySet[Requisition]:
    """Adds `latest_sent` (a state; null when nothing was ever sent), `has_approved`, `draft_open`:
    what `standing_in`, `in_group` and the counts read.
    """
    latest = Subquery(_OWN.filter(_SENT).order_by("-index").values("state")[:1])
    return rows.annotate(
        latest_sent=latest,
        has_approved=Exists(_OWN.filter(state=State.APPROVED)),
        draft_open=Exists(_OWN.filter(state=State.DRAFT)),
    )


def newest_first(rows: QuerySet[Requisition]) -> QuerySet[Requisition]:
    """Rows (with their standing) by the date that a client's list shows: since when the open draft
    is, else since when the leading revision stands as it does.
    """
    since = Case(
        When(draft_open=True, then=_since(state=State.DRAFT)),
        When(_WITHDRAWN_LATER, then=_since(state=State.APPROVED)),
        default=Coalesce(_since(_SENT), _since()),
    )
    return rows.annotate(shown_since=since).order_by("-shown_since", "-created_at")


def _since(*conditions: Q, **fields: Any) -> Subquery:
    latest = _OWN.filter(*conditions, **fields).order_by("-index")
    return Subquery(latest.values("state_since")[:1])


def standing_in(*states: State) -> Q:
    """Those whose leading revision is in one of `states`: one that was withdrawn leaves the word
    to what is approved."""
    plain = [state for state in states if state != State.WITHDRAWN]
    found = Q(latest_sent__in=plain)
    if State.WITHDRAWN in states:
        found |= Q(latest_sent=State.WITHDRAWN, has_approved=False)
    return found | _WITHDRAWN_LATER if State.APPROVED in states else found


def in_group(group: str) -> Q:
    """Those that a client's list shows under a filter: waiting, work, approved, closed, deleted;
    any other word stands for all but deleted drafts.
    """
    conditions: dict[str, Callable[[], Q]] = {
        "waiting": lambda: Q(draft_open=True) | standing_in(State.CHANGES_REQUESTED),
        "work": lambda: standing_in(*_WORK),
        "approved": lambda: standing_in(State.APPROVED),
        "closed": lambda: standing_in(*_CLOSED),
        "deleted": lambda: Q(draft_open=False, latest_sent__isnull=True),
    }
    alive = Q(draft_open=True) | Q(latest_sent__isnull=False)
    return conditions[group]() if group in conditions else alive


def matching(rows: QuerySet[Requisition], search: str) -> QuerySet[Requisition]:
    """Those whose number, task, company or contact hold every word of `search`."""
    for word in search_words(search):
        rows = rows.filter(search_text__contains=word)
    return rows


def state_counts(rows: QuerySet[Any]) -> dict[str, int]:
    """How many of `rows` (with their standing) stand in each state. One query."""
    counts: dict[str, int] = {}
    for state, _draft_open, count in _counted(rows):
        if state is not None:
            counts[state] = counts.get(state, 0) + count
    return counts


def group_counts(rows: QuerySet[Any]) -> dict[str, int]:
    """How many of `rows` (with their standing) each group holds; "" is all. One query."""
    counts = dict.fromkeys(("", "waiting", "work", "approved", "closed", "deleted"), 0)
    for state, draft_open, count in _counted(rows):
        for group in _groups_of(state, draft_open=draft_open):
            counts[group] += count
    return counts


def _counted(rows: QuerySet[Any]) -> Iterator[tuple[str | None, bool, int]]:
    """(state of the leading revision, draft open, how many)."""
    names = ("latest_sent", "has_approved", "draft_open")
    for row in rows.order_by().values(*names).annotate(count=Count("pk")):
        state = row["latest_sent"]
        if state == State.WITHDRAWN and row["has_approved"]:
            state = State.APPROVED.value
        yield state, row["draft_open"], row["count"]


def _groups_of(state: str | None, *, draft_open: bool) -> Iterator[str]:
    yield "deleted" if state is None and not draft_open else ""
    if draft_open or state == State.CHANGES_REQUESTED:
        yield "waiting"
    if state in _WORK:
        yield "work"
    if state == State.APPROVED:
        yield "approved"
    if state in _CLOSED:
        yield "closed"
