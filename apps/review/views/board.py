"""The manager's board: where every requisition stands, the documents to hand out, and the drafts
that the manager fills in for clients."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET

from apps.accounts.models import Role
from apps.core.paging import FilterLink, page_of, query_with
from apps.requisitions.selectors import drafts_for_clients, leading_of
from apps.requisitions.standing import state_counts
from apps.requisitions.workflow import State
from apps.review.access import for_roles, person
from apps.review.forms import BoardForm
from apps.review.presenters.lists import behalf_row, board_row
from apps.review.selectors import (
    board_companies,
    board_for,
    final_documents_for,
    last_events,
    of_state,
)

_MOST_DRAFTS: Final = 50


@require_GET
@for_roles(Role.MANAGER)
def board(request: HttpRequest) -> HttpResponse:
    user = person(request)
    chosen = BoardForm(request.GET).chosen()
    found = board_for(user, chosen)
    page = page_of(request, of_state(found, chosen.state))
    every = [list(requisition.revisions.all()) for requisition in page]
    events = last_events([leading_of(revisions) for revisions in every])
    documents = final_documents_for(user, [r for revisions in every for r in revisions])
    context = {
        "page": page,
        "rows": [board_row(requisition, events, documents) for requisition in page],
        "drafts": [behalf_row(draft) for draft in drafts_for_clients(user)[:_MOST_DRAFTS]],
        "chosen": chosen,
        "filters": _filters(request, chosen.state, state_counts(found)),
        "companies": board_companies(user),
        "query": query_with(request.GET),
    }
    return render(request, "review/board.html", context)


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
