"""What the screens share: too many letters, entering by a link, the language that goes along."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.models import PATH_MAX_CHARS, Role, User
from apps.core.views import keep_preference

_BACKEND = "django.contrib.auth.backends.ModelBackend"
LETTER_TO = "letter-to"


def home_of(user: User) -> str:
    """The page where this person's work starts."""
    if user.has_role(Role.ENGINEER):
        return reverse("review:queue")
    if user.has_role(Role.APPROVER):
        return reverse("review:approvals")
    if user.has_role(Role.MANAGER):
        return reverse("review:board")
    if user.has_role(Role.ADMINISTRATOR):
        return reverse("catalog:list")
    return reverse("intake:list")


def speak(request: HttpRequest, response: HttpResponse, language: str) -> HttpResponse:
    """From here on pages speak the language that the person's letters are in."""
    return keep_preference(request, response, settings.LANGUAGE_COOKIE_NAME, language)


def page_of_ours(request: HttpRequest, wanted: str) -> str:
    """The path that somebody is on the way to; "" for what is no page of this site."""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    if not ours or not wanted.startswith("/") or len(wanted) > PATH_MAX_CHARS:
        return ""
    return wanted


def enter(
    request: HttpRequest, person: User, welcome: Promise, next_path: str = ""
) -> HttpResponse:
    """Sign in whoever has just shown the mailbox and the password, and go on where they were going."""
    login(request, person, backend=_BACKEND)
    with translation.override(person.language):
        messages.success(request, str(welcome))
    return speak(request, HttpResponseRedirect(next_path or home_of(person)), person.language)


def too_many(request: HttpRequest, kind: str) -> HttpResponse:
    """`kind`: passwords or letters."""
    return render(request, "accounts/too_many.html", {"kind": kind}, status=429)


def link_page(request: HttpRequest, case: str, *, status: int) -> HttpResponse:
    """What became of a link that opens nothing: see the template for the cases."""
    home = home_of(request.user) if isinstance(request.user, User) else ""
    return render(request, "accounts/link.html", {"case": case, "home": home}, status=status)


def letters_folder() -> str:
    """Where this installation keeps letters instead of sending them; "" when it sends them."""
    folder = getattr(settings, "EMAIL_FILE_PATH", None)
    return str(folder) if settings.EMBEDDED and folder else ""


def sent_page(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    """A letter is under way; the address is that of this browser's last form."""
    said = {"letter_to": request.session.get(LETTER_TO, ""), "letters_folder": letters_folder()}
    return render(request, template, said | context)
