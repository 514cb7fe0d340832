"""Where an item of the catalog is used: the requisitions that a correction of it touches."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.catalog.selectors import item_get
from apps.core.paging import page_of, query_with
from apps.review.access import READERS, for_roles, person
from apps.review.presenters.where_used import where_used_row
from apps.review.selectors import resting_on


@require_GET
@for_roles(*READERS)
def where_used(request: HttpRequest, slug: str) -> HttpResponse:
    page = page_of(request, resting_on(person(request), slug))
    context = {
        "item": item_get(slug),
        "page": page,
        "rows": [where_used_row(slug, revision) for revision in page],
        "query": query_with(request.GET),
    }
    return render(request, "review/where_used.html", context)
