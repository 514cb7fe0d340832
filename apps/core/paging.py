"""Lists by pages: which page an address asks for, addresses of other pages and filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

PAGE_SIZE: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterLink:
    """One filter of a list. `query` is the part after the question mark."""

    label: str
    count: int
    query: str
    current: bool


def page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """The page that the address asks for; the nearest one when it does not exist.

    Keys are sorted first and rows read for those of the page: a database that sorts thousands of
    whole rows, long texts among them, takes many times longer.
    """
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PAGE_SIZE
    keys = list(rows.values_list("pk", flat=True)[first : first + PAGE_SIZE])
    page.object_list = rows.filter(pk__in=keys)
    return page


def query_with(query: QueryDict, **changes: str) -> str:
    """The address's query with some parts changed, back on its first page; "" drops a part."""
    changed = query.copy()
    changed.pop("page", None)
    for name, value in changes.items():
        changed.pop(name, None)
        if value:
            changed[name] = value
    return changed.urlencode()
