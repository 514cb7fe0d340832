"""Where many requisitions stand, as queries: what `selectors.leading_of` says of one.

Two queries for a list of any length, so that five thousand are searched and filtered in no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from apps.core.searching import search_words
from apps.requisitions.models import Requisition, Revision
from apps.requisitions.workflow import State

_OWN: Final = Revision.objects.filter(requisition=OuterRef("pk"))
_SENT: Final = ~Q(answers_sha256="") | Q(state=State.REDIRECTED)

# What a client's list is filtered by: name of the group -> condition.
GROUPS: Final[Mapping[str, Q]] = {
    "": Q(draft_open=True) | Q(stands__isnull=False),
    "waiting": Q(draft_open=True) | Q(stands=State.CHANGES_REQUESTED),
    "work": Q(stands__in=(State.ESTIMATING, State.IN_REVIEW, State.IN_APPROVAL)),
    "approved": Q(stands=State.APPROVED),
    "closed": Q(stands__in=(State.REJECTED, State.REDIRECTED, State.WITHDRAWN, State.SUPERSEDED)),
    "deleted": Q(draft_open=False, stands__isnull=True),
}


def with_standing(rows: QuerySet[Requisition]) -> QuerySet[Requisition]:
    """Adds `stands`, the state of the leading revision (null when nothing was ever sent), and
    `draft_open`.
    """
    latest = Subquery(_OWN.filter(_SENT).order_by("-index").values("state")[:1])
    approved = Exists(_OWN.filter(state=State.APPROVED))
    stands = Case(
        When(Q(approved, latest_sent=State.WITHDRAWN), then=Value(State.APPROVED.value)),
        default=F("latest_sent"),
        output_field=CharField(),
    )
    draft_open = Exists(_OWN.filter(state=State.DRAFT))
    return rows.annotate(latest_sent=latest).annotate(stands=stands, draft_open=draft_open)


def matching(rows: QuerySet[Requisition], search: str) -> QuerySet[Requisition]:
    """Those whose number, task, company or contact hold every word of `search`."""
    for word in search_words(search):
        rows = rows.filter(search_text__contains=word)
    return rows


def group_counts(rows: QuerySet[Any]) -> dict[str, int]:
    """How many of `rows` (with their standing) each group of `GROUPS` holds. One query."""
    counts = {f"n_{name}": Count("pk", filter=condition) for name, condition in GROUPS.items()}
    return {name.removeprefix("n_"): n for name, n in rows.aggregate(**counts).items()}


def state_counts(rows: QuerySet[Any]) -> dict[str, int]:
    """How many of `rows` (with their standing) stand in each state; only states that occur."""
    counted = rows.order_by().values("stands").annotate(count=Count("pk"))
    return {row["stands"]: row["count"] for row in counted if row["stands"] is not None}
