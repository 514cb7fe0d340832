"""What the screens of engineers, approvers and managers read. Every row is somebody's to see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.catalog.selectors import calculations_with
from apps.core.searching import search_words
from apps.documents.collect import NothingCalculated, snapshot_of
from apps.documents.models import Document
from apps.estimation.models import Calculation, EstimateResult
from apps.requisitions.models import OpenQuestion, Override, Revision
from apps.requisitions.selectors import revision_get_for, revisions_for
from apps.requisitions.workflow import State
from apps.review.access import READERS
from apps.review.boards import OPEN_THREADS, tomorrow
from apps.worktime.sizes import SizeClass

IN_QUEUE = (State.IN_REVIEW, State.ESTIMATING, State.IN_APPROVAL, State.CHANGES_REQUESTED)
SLOW_AFTER = timedelta(minutes=2)

# Read for the rows of a page only: joined to thousands of rows they would all be grouped first.
_STILL_OPEN = Prefetch(
    "open_questions",
    OpenQuestion.objects.filter(state=OpenQuestion.State.OPEN).only("revision_id"),
    to_attr="still_open",
)
_OVERRIDES = Prefetch("overrides", Override.objects.only("revision_id", "author_id"))
_LETTERS = Prefetch(
    "requisition__revisions", Revision.objects.defer("answers_text").order_by("index")
)


def staff_revision_get_for(user: User, revision_id: UUID) -> Revision:
    """A sent revision for the people who review it; for everybody else it is not here.

    Raises:
        Http404: also for the client of the requisition: estimates and remarks are not theirs.
    """
    if not user.has_role(*READERS):
        raise Http404
    revision = revision_get_for(user, revision_id)
    if not revision.answers_text:
        raise Http404
    return revision


def open_question_get_for(user: User, revision_id: UUID, question_id: UUID) -> OpenQuestion:
    """An open question of a revision the person reviews, or Http404."""
    revision = staff_revision_get_for(user, revision_id)
    return get_object_or_404(
        OpenQuestion.objects.select_related("revision__requisition"),
        pk=question_id,
        revision=revision,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """`whose` is "mine", "free", the key of another engineer or "" for all; `due` is "today" (or
    overdue), "late", "failed" or ""; `state` a state of the queue or "", `size` a class or ""."""

    whose: str = ""
    due: str = ""
    state: str = ""
    size: str = ""
    search: str = ""


def _queue(user: User) -> QuerySet[Revision]:
    return revisions_for(user).filter(state__in=IN_QUEUE)


def _mine(user: User) -> Q:
    return Q(engineer=user)


# What an engineer can take now: nobody has it, and it waits for an engineer.
_FREE = Q(engineer__isnull=True, state=State.IN_REVIEW)


def queue_for(user: User, chosen: QueueFilter) -> QuerySet[Revision]:
    """Revisions in work: the first due before others, then what the client wants first, then age.

    What waits for the client has no due moment and stands last.
    """
    rows = _queue(user).filter(_whose(user, chosen.whose), _due(chosen.due))
    if chosen.state:
        rows = rows.filter(state=chosen.state)
    if chosen.size:
        rows = rows.filter(size_class=chosen.size)
    for word in search_words(chosen.search):
        rows = rows.filter(requisition__search_text__contains=word)
    rows = rows.order_by(
        F("due_at").asc(nulls_last=True),
        F("wanted_on").asc(nulls_last=True),
        "submitted_at",
        "id",
    )
    return _for_a_list(rows)


def _whose(user: User, whose: str) -> Q:
    if whose == "mine":
        return _mine(user)
    if whose == "free":
        return _FREE
    return Q(engineer=int(whose)) if whose else Q()


def _due(due: str) -> Q:
    now = timezone.now()
    if due == "late":
        return Q(due_at__lt=now)
    if due == "today":
        return Q(due_at__lt=tomorrow(now))
    return Q(pk__in=failed_revisions()) if due == "failed" else Q()


def failed_revisions() -> list[UUID]:
    """Revisions in work whose latest calculation failed as a whole or in a part. Two queries."""
    in_work = Q(calculation__revision__state__in=IN_QUEUE)
    parts = EstimateResult.objects.filter(in_work, failed=True).values_list("calculation")
    candidates = Calculation.objects.filter(
        Q(pk__in=[pk for (pk,) in parts])
        | Q(state=Calculation.State.FAILED, revision__state__in=IN_QUEUE)
    )
    found = dict(candidates.order_by("number").values_list("revision", "number"))
    latest = (
        Calculation.objects.filter(revision__in=found)
        .order_by()
        .values_list("revision")
        .annotate(last=Max("number"))
    )
    return [revision for revision, last in latest if found[revision] == last]


def _for_a_list(rows: QuerySet[Revision]) -> QuerySet[Revision]:
    """With `still_open`, its open questions, and `open_threads`, without the texts that no list
    shows."""
    light = rows.defer("answers_text", "finished_sections")
    return light.prefetch_related(_STILL_OPEN, OPEN_THREADS)


def queue_counts(user: User) -> dict[str, int]:
    """How many rows each filter of the queue holds: all, mine, free, today, late, failed, states and
    classes."""
    now = timezone.now()
    counts = {"all": Count("pk"), "mine": Count("pk", filter=_mine(user))}
    counts |= {"free": Count("pk", filter=_FREE)}
    counts |= {state.value: Count("pk", filter=Q(state=state)) for state in IN_QUEUE}
    counts |= {size.value: Count("pk", filter=Q(size_class=size)) for size in SizeClass}
    counts["late"] = Count("pk", filter=Q(due_at__lt=now))
    counts["today"] = Count("pk", filter=Q(due_at__lt=tomorrow(now)))
    counted: dict[str, int] = _queue(user).aggregate(**counts)
    return counted | {"failed": len(failed_revisions())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What an engineer has in review, and how much of it is late."""

    engineer: User
    count: int
    late: int


def workload(user: User) -> list[Load]:
    """What each engineer has to do now, those with most first. Two queries."""
    mine = _queue(user).filter(state=State.IN_REVIEW, engineer__isnull=False)
    late = Count("pk", filter=Q(due_at__lt=timezone.now()))
    rows = mine.order_by().values_list("engineer").annotate(count=Count("pk"), late=late)
    counted = {pk: (count, late) for pk, count, late in rows}
    people = User.objects.filter(
        Q(pk__in=counted) | Q(is_active=True, grants__role=Role.ENGINEER)
    ).distinct()
    loads = [
        Load(engineer=person, count=count, late=late)
        for person in people
        for count, late in [counted.get(person.pk, (0, 0))]
    ]
    return sorted(loads, key=lambda load: (-load.count, str(load.engineer)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What is wrong with the latest calculation of a revision."""

    failed_estimators: tuple[str, ...]
    assembly_failed: bool
    slow: bool


def troubles_of(revisions: Sequence[Revision]) -> dict[UUID, Trouble]:
    """Revisions whose latest calculation failed somewhere or takes long. Two queries."""
    fields = ("pk", "revision_id", "number", "state", "created_at")
    rows = Calculation.objects.filter(revision__in=revisions).only(*fields).order_by("number")
    latest = {calculation.revision_id: calculation for calculation in rows}
    failed: dict[UUID, list[str]] = {}
    results = EstimateResult.objects.filter(calculation__in=latest.values(), failed=True)
    for calculation_id, name in results.values_list("calculation_id", "estimator"):
        failed.setdefault(calculation_id, []).append(name)
    found = {
        revision_id: _trouble(calculation, failed.get(calculation.pk, ()))
        for revision_id, calculation in latest.items()
    }
    return {revision_id: trouble for revision_id, trouble in found.items() if trouble}


def _trouble(calculation: Calculation, failed: Iterable[str]) -> Trouble | None:
    running = calculation.state == Calculation.State.RUNNING
    trouble = Trouble(
        failed_estimators=tuple(sorted(failed)),
        assembly_failed=calculation.state == Calculation.State.FAILED,
        slow=running and calculation.created_at < timezone.now() - SLOW_AFTER,
    )
    return trouble if trouble.failed_estimators or trouble.assembly_failed or trouble.slow else None


def approvals_for(user: User) -> QuerySet[Revision]:
    """Revisions that wait for an approver, the longest waiting first."""
    rows = revisions_for(user).filter(state=State.IN_APPROVAL).order_by("state_since", "id")
    return _for_a_list(rows).prefetch_related(_OVERRIDES, _LETTERS)


def resting_on(user: User, slug: str) -> QuerySet[Revision]:
    """Sent revisions whose latest calculation names the item, the newest first, each with
    `catalog_sha256`: the catalog that the calculation began with."""
    latest = Calculation.objects.filter(revision=OuterRef("pk")).order_by("-number")
    rows = revisions_for(user).annotate(
        latest_calculation=Subquery(latest.values("pk")[:1]),
        catalog_sha256=Subquery(latest.values("catalog_sha256")[:1]),
    )
    return rows.filter(latest_calculation__in=calculations_with(slug)).order_by(
        "-submitted_at", "id"
    )


def current_drafts(revision: Revision) -> list[Document]:
    """The drafts of the facts as they are now, one a language, printed or not; none when nobody
    asked for them or nothing is calculated.
    """
    try:
        facts_sha256 = snapshot_of(revision).facts_sha256()
    except NothingCalculated:
        return []
    rows = Document.objects.filter(
        revision=revision, kind=Document.Kind.DRAFT, snapshot_sha256=facts_sha256
    )
    return list(rows.select_related("revision__requisition").order_by("-language"))


def final_documents(revision: Revision) -> list[Document]:
    """The approved documents, or the note, of a revision the person has got through a `*_for`
    selector."""
    kinds = (Document.Kind.FINAL, Document.Kind.NOTE)
    rows = Document.objects.filter(revision=revision, kind__in=kinds)
    return list(rows.select_related("revision__requisition").order_by("-language"))
