"""What the views share: paging of lists, words for a changed page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from apps.core.errors import DomainError

PAGE_SIZE = 25


def page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """The page that the address asks for; the nearest one when it does not exist."""
    return Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))


def query_with(query: QueryDict, **changes: str) -> str:
    """The address's query with some parts changed, back on its first page; "" drops a part."""
    changed = query.copy()
    changed.pop("page", None)
    for name, value in changes.items():
        changed.pop(name, None)
        if value:
            changed[name] = value
    return changed.urlencode()


def accepted(form: forms.Form) -> dict[str, Any]:
    """What a form without a page of its own carries.

    Raises:
        DomainError: the first thing that is wrong, for the page that says so.
    """
    if form.is_valid():
        return form.cleaned_data
    shown = [str(text) for name, texts in form.errors.items() if name in _TYPED for text in texts]
    raise DomainError(shown[0] if shown else _("The form was not complete. Go back and try again."))


# Fields that people type; what is wrong with the others is nothing they could mend.
_TYPED = frozenset({"text", "comment", "reason", "owner_name", "due_text"})


def first_error(form: forms.Form, name: str) -> str:
    """What is wrong with a field that was sent; "" when nothing is."""
    return str(form.errors[name][0]) if form.is_bound and name in form.errors else ""
