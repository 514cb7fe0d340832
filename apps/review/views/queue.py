"""The engineer's queue: what waits, who has it, taking and giving back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role
from apps.core.paging import FilterLink, page_of, query_with
from apps.requisitions import services as requisitions
from apps.requisitions.workflow import State
from apps.review.access import for_roles, person
from apps.review.forms import QueueForm
from apps.review.presenters.lists import queue_row, queue_summary
from apps.review.selectors import (
    IN_QUEUE,
    QueueFilter,
    queue_counts,
    queue_for,
    staff_revision_get_for,
    troubles_of,
    workload,
)
from apps.worktime.sizes import SizeClass


@require_GET
@for_roles(Role.ENGINEER)
def queue(request: HttpRequest) -> HttpResponse:
    user = person(request)
    chosen = QueueForm(request.GET).chosen()
    page = page_of(request, queue_for(user, chosen))
    troubles = troubles_of(list(page))
    counts = queue_counts(user)
    context = {
        "page": page,
        "rows": [queue_row(user, revision, troubles.get(revision.pk)) for revision in page],
        "summary": queue_summary(counts),
        "filters": _filters(request, chosen, counts),
        "sizes": _sizes(request, chosen, counts),
        "loads": _loads(request, chosen),
        "chosen": chosen,
        "narrowed": chosen != QueueFilter(),
        "query": query_with(request.GET),
    }
    return render(request, "review/queue.html", context)


def _filters(request: HttpRequest, chosen: QueueFilter, counts: dict[str, int]) -> list[FilterLink]:
    """One choice of the queue at a time; a class, a person and a search narrow it further."""
    due = [
        ("today", pgettext("queue", "Due today or late"), "today"),
        ("late", pgettext("queue", "Late"), "late"),
        ("failed", pgettext("queue", "Failed calculations"), "failed"),
    ]
    choices = [
        ({"whose": ""}, pgettext("queue", "All"), "all"),
        ({"whose": "mine"}, pgettext("queue", "Mine"), "mine"),
        ({"whose": "free"}, pgettext("queue", "Free"), "free"),
        *(({"due": value}, label, key) for value, label, key in due),
        *(({"state": s.value}, str(State(s).label), s.value) for s in IN_QUEUE),
    ]
    nothing = {"whose": "", "due": "", "state": ""}
    now = {"whose": chosen.whose, "due": chosen.due, "state": chosen.state}
    return [
        FilterLink(
            label=label,
            count=counts[key],
            query=query_with(request.GET, **nothing | choice),
            current=now == nothing | choice,
        )
        for choice, label, key in choices
    ]


def _sizes(request: HttpRequest, chosen: QueueFilter, counts: dict[str, int]) -> list[FilterLink]:
    """Classes; a second press on the one that is chosen shows both again."""
    return [
        FilterLink(
            label=pgettext("queue", "Large")
            if size == SizeClass.LARGE
            else pgettext("queue", "Usual"),
            count=counts[size.value],
            query=query_with(request.GET, size="" if chosen.size == size else size.value),
            current=chosen.size == size,
        )
        for size in SizeClass
    ]


def _loads(request: HttpRequest, chosen: QueueFilter) -> list[tuple[FilterLink, int]]:
    """How much each engineer has in review, and how much of it is late."""
    links = []
    for load in workload(person(request)):
        key = str(load.engineer.pk)
        links.append(
            (
                FilterLink(
                    label=str(load.engineer),
                    count=load.count,
                    query=query_with(
                        request.GET,
                        due="",
                        whose="" if chosen.whose == key else key,
                        state="" if chosen.whose == key else State.IN_REVIEW.value,
                    ),
                    current=chosen.whose == key,
                ),
                load.late,
            )
        )
    return links


@require_POST
@for_roles(Role.ENGINEER)
def take(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    requisitions.revision_take(revision=revision, actor=person(request))
    messages.success(request, _("The requisition is yours now."))
    return redirect("review:workspace", revision.pk)


@require_POST
@for_roles(Role.ENGINEER)
def give_back(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    requisitions.revision_give_back(revision=revision, actor=person(request))
    messages.success(request, _("The requisition is back in the queue."))
    return redirect("review:queue")
