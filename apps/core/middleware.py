"""What every response carries, and how errors become pages."""

import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from apps.core.error_views import not_allowed, page_before, too_large
from apps.core.errors import DomainError
from apps.core.languages import language_of
from apps.core.present import present_state

GetResponse = Callable[[HttpRequest], HttpResponse]

_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
)
CONTENT_SECURITY_POLICY = "; ".join(_POLICY)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class RequestIdMiddleware:
    """Give each request an id that error pages show and logs repeat."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.id = uuid.uuid4().hex[:12]  # type: ignore[attr-defined]
        response: HttpResponse = self.get_response(request)
        response["X-Request-Id"] = request.id  # type: ignore[attr-defined]
        return response


class SecurityHeadersMiddleware:
    """Set what Django does not; a view that set its own policy (a download) keeps it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in _HEADERS.items():
            response.setdefault(name, value)
        return response


class NoStoreMiddleware:
    """Nothing that a signed-in person sees may stay in a cache."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated or settings.SESSION_COOKIE_NAME in request.COOKIES:
            response["Cache-Control"] = "no-store"
        return response


class LanguageMiddleware:
    """Answer in the language of `language_of`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


class DomainErrorMiddleware:
    """Make pages of what no view handled: a `DomainError`, a body too large, a wrong method."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _declared_bytes(request) > settings.MAX_BODY_BYTES:
            return too_large(request)
        response = self.get_response(request)
        if response.status_code != 405 or response.streaming or response.content:
            return response
        page = not_allowed(request)
        page["Allow"] = response["Allow"]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DomainError):
            return None
        context: dict[str, object] = {"message": exception.message, "code": exception.code}
        if exception.status == 409:
            now = present_state(request)
            return render(request, "409.html", context | {"now": now}, status=409)
        context |= {"status": exception.status, "back": page_before(request)}
        return render(request, "domain_error.html", context, status=exception.status)


def _declared_bytes(request: HttpRequest) -> int:
    """What the request says it brings; nothing is read before that is known to be bearable."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
