"""Pages that belong to no app: preferences and health."""

import logging
from http import HTTPStatus

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

logger = logging.getLogger(__name__)
COOKIE_AGE_S = 365 * 86400
THEMES = {"light", "dark", "system"}


def back_to(request: HttpRequest) -> str:
    """Where the person came from, if that is a page of ours; else the landing page."""
    target = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else reverse("home")


def keep_preference(
    request: HttpRequest, response: HttpResponse, name: str, value: str
) -> HttpResponse:
    """Let the browser remember a wish for a year. Returns the response."""
    response.set_cookie(
        name, value, max_age=COOKIE_AGE_S, samesite="Lax", secure=request.is_secure(), httponly=True
    )
    return response


def _with_cookie(request: HttpRequest, name: str, value: str) -> HttpResponse:
    return keep_preference(request, _going_back(request), name, value)


def _going_back(request: HttpRequest) -> HttpResponse:
    """Back to the page; with the form that came along, where the page sent one (`typed`).

    A 307 makes the browser post the same fields to the page that they are of, so what was typed is
    still there in the other language, without a script.
    """
    back = HttpResponseRedirect(back_to(request))
    if "typed" in request.POST and back.url == request.POST.get("next"):
        back.status_code = HTTPStatus.TEMPORARY_REDIRECT
    return back


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    return _with_cookie(request, "theme", theme if theme in THEMES else "system")


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    language = request.POST.get("language", "")
    supported = dict(settings.LANGUAGES)
    chosen = language if language in supported else settings.LANGUAGE_CODE
    return _with_cookie(request, settings.LANGUAGE_COOKIE_NAME, chosen)


@require_GET
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers. Says nothing about people or requisitions."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the health check could not reach the database")
        return JsonResponse({"status": "database unreachable"}, status=503)
    return JsonResponse({"status": "ok"})
