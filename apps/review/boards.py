"""What the manager's board reads. Every row is somebody's to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEvent
from apps.audit.selectors import events_for
from apps.audit.services import subject_key
from apps.documents.models import Document
from apps.requisitions import policy
from apps.requisitions.models import OPEN_THREAD, Annotation, Requisition, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import requisitions_for, revisions_for
from apps.requisitions.standing import matching, standing_in, with_standing
from apps.requisitions.workflow import UNDER_WAY, State

_OWN = Revision.objects.filter(requisition=OuterRef("pk"), state__in=sorted(UNDER_WAY))

OPEN_THREADS = Prefetch(
    "annotations",
    Annotation.objects.filter(OPEN_THREAD).only("revision_id"),
    to_attr="open_threads",
)
"""Threads that nobody has resolved, as `open_threads` of each revision of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFilter:
    """`state` is a state of the workflow or ""; `due` is "today" (or overdue), "late", "paused" or
    ""; `company` and `engineer` are ids or None."""

    state: str = ""
    due: str = ""
    company: int | None = None
    engineer: int | None = None
    search: str = ""


def board_for(user: User, chosen: BoardFilter) -> QuerySet[Requisition]:
    """Requisitions that were ever sent, with their standing, the newest number first.

    The state is left to `of_state`, so that the others can be counted.
    """
    rows = with_standing(requisitions_for(user).filter(number__isnull=False))
    if chosen.company is not None:
        rows = rows.filter(company_id=chosen.company)
    if chosen.engineer is not None:
        rows = rows.filter(Exists(_OWN.filter(engineer=chosen.engineer)))
    if chosen.due:
        rows = rows.filter(Exists(_OWN.filter(_due(chosen.due))))
    rows = matching(rows, chosen.search)
    revisions = Revision.objects.select_related("engineer").order_by("index")
    revisions = revisions.prefetch_related(OPEN_THREADS)
    return rows.prefetch_related(Prefetch("revisions", revisions)).order_by("-number")


def _due(due: str) -> Q:
    now = timezone.now()
    if due == "paused":
        return Q(state=State.CHANGES_REQUESTED)
    return Q(due_at__lt=now if due == "late" else tomorrow(now))


def tomorrow(now: datetime) -> datetime:
    """The midnight that ends the day."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1)


def of_state(rows: QuerySet[Any], state: str) -> QuerySet[Any]:
    """Of `board_for`, those that stand in a state; all when it is ""."""
    return rows.filter(standing_in(State(state))) if state else rows


def due_counts(user: User) -> dict[str, int]:
    """How many requisitions are late, due today or late, and paused. One query."""
    now = timezone.now()
    rows = revisions_for(user).filter(state__in=sorted(UNDER_WAY)).order_by()
    counted: dict[str, int] = rows.aggregate(
        late=Count("pk", filter=Q(due_at__lt=now)),
        today=Count("pk", filter=Q(due_at__lt=tomorrow(now))),
        paused=Count("pk", filter=Q(state=State.CHANGES_REQUESTED)),
    )
    return counted


def board_companies(user: User) -> list[tuple[int, str]]:
    """(id, name) of companies that have sent something."""
    numbered = requisitions_for(user).filter(number__isnull=False)
    pairs = numbered.order_by("company__name", "company_id").values_list(
        "company_id", "company__name"
    )
    return list(pairs.distinct())


def board_engineers(user: User) -> list[tuple[int, str]]:
    """(id, name) of engineers who have something under way."""
    under_way = revisions_for(user).filter(state__in=sorted(UNDER_WAY), engineer__isnull=False)
    people = User.objects.filter(pk__in=under_way.order_by().values("engineer"))
    return sorted(((person.pk, str(person)) for person in people), key=lambda pair: pair[1])


def last_events(revisions: Sequence[Revision]) -> dict[str, AuditEvent]:
    """The latest event of each revision, by the key of the subject. Two queries."""
    if not revisions:
        return {}
    latest = (
        events_for(*revisions).order_by().values("subject").annotate(last=Max("seq"))
    ).values_list("last", flat=True)
    return {e.subject: e for e in AuditEvent.objects.filter(seq__in=list(latest))}


def event_of(events: dict[str, AuditEvent], revision: Revision) -> AuditEvent | None:
    return events.get(subject_key(revision))


def final_documents_for(user: User, revisions: Sequence[Revision]) -> dict[UUID, list[Document]]:
    """What may be handed to a client, by revision: the approved documents; of a revision that a
    later one replaced, the copies that say so; of one that ended without an assessment, its note.
    One query.
    """
    deeds = (Deed.DOWNLOAD_FINAL, Deed.DOWNLOAD_NOTE)
    wanted = [r for r in revisions if any(policy.may(user, deed, r) for deed in deeds)]
    rows = Document.objects.filter(
        Q(kind=Document.Kind.FINAL, revision__state=State.APPROVED)
        | Q(kind=Document.Kind.SUPERSEDED, revision__state=State.SUPERSEDED)
        | Q(kind=Document.Kind.NOTE),
        revision__in=wanted,
    )
    found: dict[UUID, list[Document]] = {}
    for document in rows.select_related("revision").order_by("revision__index", "-language"):
        found.setdefault(document.revision_id, []).append(document)
    return found
