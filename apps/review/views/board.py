"""The manager's board: where every requisition stands, and the documents to hand out."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts.models import Role
from apps.core.paging import page_of, query_with
from apps.review.access import for_roles, person
from apps.review.forms import SearchForm
from apps.review.presenters.lists import board_row, shown_revision
from apps.review.selectors import board_for, final_documents_for, last_events


@require_GET
@for_roles(Role.MANAGER)
def board(request: HttpRequest) -> HttpResponse:
    user = person(request)
    search = SearchForm(request.GET).text()
    page = page_of(request, board_for(user, search))
    shown = [shown_revision(requisition) for requisition in page]
    events = last_events(shown)
    every = [revision for requisition in page for revision in requisition.revisions.all()]
    documents = final_documents_for(user, every)
    context = {
        "page": page,
        "rows": [board_row(requisition, events, documents) for requisition in page],
        "search": search,
        "query": query_with(request.GET),
    }
    return render(request, "review/board.html", context)
