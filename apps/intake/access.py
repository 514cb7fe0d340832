"""Who may open these screens, and how nothing typed is lost when the session has ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import resolve_url
from django.template.loader import render_to_string

from apps.accounts.models import User
from apps.core.error_views import page_before

View: TypeAlias = Callable[..., HttpResponse]

SAVED_HEADER: Final = "X-Saved"
"""What an autosave tells the page's script: all, part or none of it is saved."""

_KEPT: Final = "typed-before-sign-in"
_KEPT_FOR_S: Final = 3600
_KEPT_LENGTH: Final = 200_000


def signed_in(view: View) -> View:
    """Ask to sign in, and come back to the same page with what was typed.

    A form sent after the session has ended is kept in the new, still anonymous session for an
    hour; `take_typed` gives it back once the person has signed in.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if is_htmx(request):
            page = render_to_string("intake/partials/signed_out.html", request=request)
            return HttpResponse(page, headers={SAVED_HEADER: "none"})
        if request.method == "POST":
            keep_typed(request)
        query = urlencode({"next": _page_of(request)})
        return HttpResponseRedirect(f"{resolve_url(settings.LOGIN_URL)}?{query}")

    return guarded


def _page_of(request: HttpRequest) -> str:
    """Where to come back to: an address that only takes forms is no page, the one before it is."""
    before = page_before(request) if request.method == "POST" else ""
    path = urlsplit(before).path
    return path if path and path != request.path else request.get_full_path()


def person(request: HttpRequest) -> User:
    """The signed-in person of a request that `signed_in` let through."""
    assert isinstance(request.user, User)
    return request.user


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def keep_typed(request: HttpRequest) -> None:
    """Keep what was typed until its page is opened again, see `take_typed`."""
    body = request.POST.copy()
    body.pop("csrfmiddlewaretoken", None)
    text = body.urlencode()
    if len(text) <= _KEPT_LENGTH:
        request.session[_KEPT] = {"path": request.path, "body": text, "at": int(time.time())}


def take_typed(request: HttpRequest) -> QueryDict | None:
    """What was typed on this page before the session ended; given back once."""
    kept = request.session.get(_KEPT)
    if not isinstance(kept, dict) or kept.get("path") != request.path:
        return None
    del request.session[_KEPT]
    if time.time() - kept["at"] > _KEPT_FOR_S:
        return None
    return QueryDict(kept["body"])
