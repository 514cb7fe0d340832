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
)


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
        "chosen": chosen,
        "query": query_with(request.GET),
    }
    return render(request, "review/queue.html", context)


def _filters(request: HttpRequest, chosen: QueueFilter, counts: dict[str, int]) -> list[FilterLink]:
    whose = [
        ("", pgettext("queue", "All"), "all"),
        ("mine", pgettext("queue", "Mine"), "mine"),
        ("free", pgettext("queue", "Free"), "free"),
    ]
    links = [
        FilterLink(
            label=label,
            count=counts[key],
            query=query_with(request.GET, whose=value, state=""),
            current=chosen.whose == value and not chosen.state,
        )
        for value, label, key in whose
    ]
    return links + [
        FilterLink(
            label=str(State(state).label),
            count=counts[state.value],
            query=query_with(request.GET, whose="", state=state.value),
            current=chosen.state == state.value,
        )
        for state in IN_QUEUE
    ]


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
