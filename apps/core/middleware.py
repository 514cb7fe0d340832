"""What every response carries, and how errors become pages."""

import re
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from apps.core.errors import DomainError

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
    """The cookie decides the language, then the browser; Russian when neither says anything."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = self._chosen(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    def _chosen(self, request: HttpRequest) -> str:
        supported = dict(settings.LANGUAGES)
        cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        if cookie in supported:
            return cookie
        wanted = request.headers.get("Accept-Language", "")
        for code in re.findall(r"[a-zA-Z]{2,3}(?:-[a-zA-Z]+)?", wanted):
            short = str(code).split("-")[0].lower()
            if short in supported:
                return short
        return str(settings.LANGUAGE_CODE)


class DomainErrorMiddleware:
    """Show a `DomainError` that no view handled as a page with its status."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DomainError):
            return None
        template = "409.html" if exception.status == 409 else "domain_error.html"
        context = {"message": exception.message, "code": exception.code}
        return render(request, template, context, status=exception.status)
