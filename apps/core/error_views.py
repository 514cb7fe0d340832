"""The pages for what goes wrong: each says what happened, what is not lost, and one way on."""

from __future__ import annotations

import logging
from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from apps.core.languages import language_of
from apps.core.present import present_state

logger = logging.getLogger(__name__)

_ACCOUNTS: Final = "/accounts/"  # passwords are typed there, and nobody comes back to it
# For the day on which not even the page of a broken server can be made.
_LAST_RESORT: Final = (
    "<!doctype html><html lang='{language}'><meta charset='utf-8'><title>500</title>"
    "<h1>500</h1><p>На нашей стороне что-то сломалось. Сохранённое цело. Попробуйте через минуту."
    "<p lang='en'>Something broke on our side. What you saved is safe. Try again in a minute."
    "<p><a href='/'>Podbor</a></html>"
)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", status=403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "404.html", status=404)


def not_allowed(request: HttpRequest) -> HttpResponse:
    """An address that only takes forms was opened: mostly by signing in anew after pressing one."""
    return render(request, "405.html", {"now": present_state(request)}, status=405)


def too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", {"back": page_before(request)}, status=413)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was too old, or came from elsewhere. What was typed in ours is not lost."""
    context = {
        "again": _typed_again(request),
        "action": request.get_full_path(),
        "back": page_before(request) or request.path,
    }
    return render(request, "csrf.html", context, status=403)


def _typed_again(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of a form of ours that is merely stale, to be sent with one more press.

    Only when the browser itself says that the form stood on a page of ours: a form of another site
    must not become ours by a press. Files cannot be kept, and passwords are not.
    """
    own = f"{request.scheme}://{request.get_host()}"
    if request.headers.get("Origin") != own or request.path.startswith(_ACCOUNTS):
        return []
    if request.FILES:
        return []
    fields = request.POST.lists()
    return [(k, v) for k, values in fields for v in values if k != "csrfmiddlewaretoken"]


def page_before(request: HttpRequest) -> str:
    """The page of ours that led here, when it is another one; else nothing."""
    before = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(
        before, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    other = ours and before != request.build_absolute_uri() and _ACCOUNTS not in before
    return before if other else ""


def server_error(request: HttpRequest) -> HttpResponse:
    """Needs no database, no session and none of what every page knows."""
    language = language_of(request)
    try:
        with translation.override(language):
            page = get_template("500.html").render({"request_id": getattr(request, "id", "")})
    except Exception:  # the page about a fault must not be one
        logger.exception("the page of a broken server is broken itself")
        page = _LAST_RESORT.format(language=language)
    return HttpResponse(page, status=500)
