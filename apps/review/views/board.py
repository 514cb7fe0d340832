"""The manager's board: where every requisition stands, the documents to hand out, and the drafts
that the manager fills in for clients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role, User
from apps.core.downloads import file_to_keep
from apps.core.paging import FilterLink, page_of, query_with
from apps.core.spreadsheets import csv_text
from apps.requisitions.models import Requisition
from apps.requisitions.selectors import drafts_for_clients, leading_of
from apps.requisitions.services.links import link_send_again
from apps.requisitions.standing import state_counts
from apps.requisitions.workflow import State
from apps.review.access import for_roles, person
from apps.review.boards import (
    BoardFilter,
    board_companies,
    board_engineers,
    board_for,
    due_counts,
    final_documents_for,
    last_events,
    of_state,
)
from apps.review.forms_board import BoardForm
from apps.review.presenters.board_table import board_table
from apps.review.presenters.lists import BoardRow, behalf_row, board_row
from apps.review.selectors import staff_revision_get_for

_MOST_DRAFTS: Final = 50
_MOST_LINES: Final = 2_000


@require_GET
@for_roles(Role.MANAGER)
def board(request: HttpRequest) -> HttpResponse:
    user = person(request)
    chosen = BoardForm(request.GET).chosen()
    found = board_for(user, chosen)
    page = page_of(request, of_state(found, chosen.state))
    context = {
        "page": page,
        "rows": _rows(user, page),
        "drafts": [behalf_row(draft) for draft in drafts_for_clients(user)[:_MOST_DRAFTS]],
        "chosen": chosen,
        "narrowed": chosen != BoardFilter(),
        "filters": _filters(request, chosen.state, state_counts(found)),
        "dues": _dues(request, chosen.due, due_counts(user)),
        "companies": board_companies(user),
        "engineers": board_engineers(user),
        "query": query_with(request.GET),
    }
    return render(request, "review/board.html", context)


@require_GET
@for_roles(Role.MANAGER)
def board_csv(request: HttpRequest) -> HttpResponse:
    """What the board shows under these filters, the newest lines of it."""
    user = person(request)
    chosen = BoardForm(request.GET).chosen()
    rows = _rows(user, of_state(board_for(user, chosen), chosen.state)[:_MOST_LINES])
    return file_to_keep(csv_text(board_table(rows)), "text/csv; charset=utf-8", "requisitions.csv")


@require_POST
@for_roles(Role.MANAGER)
def client_link(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Send the client the link to the requisition, and return to the list as it was."""
    revision = staff_revision_get_for(person(request), revision_id)
    people = link_send_again(revision=revision, actor=person(request))
    names = ", ".join(str(one) for one in people)
    messages.success(request, _("The link is sent: %(names)s.") % {"names": names})
    back = request.POST.get("back", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/m/?")
    return redirect(back if safe else "review:board")


def _rows(user: User, requisitions: Iterable[Requisition]) -> list[BoardRow]:
    listed = list(requisitions)
    every = [list(requisition.revisions.all()) for requisition in listed]
    events = last_events([leading_of(revisions) for revisions in every])
    documents = final_documents_for(user, [r for revisions in every for r in revisions])
    return [board_row(requisition, events, documents) for requisition in listed]


def _filters(request: HttpRequest, state: str, counts: dict[str, int]) -> list[FilterLink]:
    """All, and the states in which there is something."""
    every = [("", pgettext("requisitions", "All"), sum(counts.values()))]
    every += [(s.value, str(s.label), counts.get(s.value, 0)) for s in State if s != State.DRAFT]
    return [
        FilterLink(
            label=label,
            count=count,
            query=query_with(request.GET, state=value),
            current=value == state,
        )
        for value, label, count in every
        if count or value in {"", state}
    ]


def _dues(request: HttpRequest, due: str, counts: dict[str, int]) -> list[FilterLink]:
    """By the time that is left; a second press takes the filter back."""
    every = [
        ("late", pgettext("queue", "Late")),
        ("today", pgettext("queue", "Due today or late")),
        ("paused", pgettext("clock", "Paused")),
    ]
    return [
        FilterLink(
            label=label,
            count=counts[value],
            query=query_with(request.GET, due="" if value == due else value),
            current=value == due,
        )
        for value, label in every
    ]
