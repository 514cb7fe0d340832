"""A client of their own accord: the form, the letter, the link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from apps.accounts import links, services, throttle
from apps.accounts.errors import LinkSpent, WrongPassword
from apps.accounts.forms import ConfirmForm, LetterForm, SignUpForm
from apps.accounts.models import SignUp, User
from apps.accounts.selectors import has_account
from apps.accounts.views.common import (
    LETTER_TO,
    enter,
    home_of,
    link_page,
    page_of_ours,
    sent_page,
    too_many,
)


def while_open(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """404 when the house takes people by invitation only."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SIGN_UP_OPEN:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@while_open
def sign_up(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, User):
        return HttpResponseRedirect(home_of(request.user))
    sent = request.POST or request.GET
    way = page_of_ours(request, sent.get("next", ""))
    form = SignUpForm(request.POST or None, initial={"language": get_language()})
    if request.method == "POST" and form.is_valid():
        if not throttle.may_ask_for_letter(request, form.cleaned_data["email"]):
            return too_many(request, "letters")
        services.sign_up_ask(**form.cleaned_data, next_path=way)
        request.session[LETTER_TO] = form.cleaned_data["email"]
        return redirect("accounts:sign-up-sent")
    return render(request, "accounts/sign_up.html", {"form": form, "next": way})


@require_GET
@while_open
def sign_up_sent(request: HttpRequest) -> HttpResponse:
    return sent_page(request, "accounts/sign_up_sent.html")


@require_http_methods(["GET", "POST"])
@while_open
def sign_up_again(request: HttpRequest) -> HttpResponse:
    """The letter once more, whoever asks and whatever is known of the address."""
    form = LetterForm(request.POST or None, initial={"email": request.session.get(LETTER_TO, "")})
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        if not throttle.may_ask_for_letter(request, email):
            return too_many(request, "letters")
        services.sign_up_letter_again(email=email, language=get_language() or "")
        request.session[LETTER_TO] = email
        return redirect("accounts:sign-up-sent")
    return render(request, "accounts/sign_up_again.html", {"form": form})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link does nothing: programs that look through mail open links too."""
    link = links.row_of(SignUp, token)
    if link is None:
        return link_page(request, "broken", status=404)
    form = ConfirmForm(request.POST or None)
    if not link.is_open:
        return _over(request, link)
    if request.method == "POST" and form.is_valid():
        answer = _confirmed(request, link, form)
        if answer is not None:
            return answer
    return render(request, "accounts/confirm.html", {"form": form, "email": link.email})


def _confirmed(request: HttpRequest, link: SignUp, form: ConfirmForm) -> HttpResponse | None:
    """The answer to the typed password; None when the form shows what is wrong with it."""
    key = throttle.CONFIRM.key(link.email)
    if throttle.is_blocked(throttle.CONFIRM, key):
        return too_many(request, "passwords")
    try:
        person, way = services.sign_up_confirm(link=link, password=form.cleaned_data["password"])
    except WrongPassword as problem:
        throttle.record(key)
        form.add_error("password", problem.message)
        return None
    except LinkSpent:
        return _over(request, link)
    welcome = _("The address is confirmed. Welcome!")
    return enter(request, person, welcome, page_of_ours(request, way))


def _over(request: HttpRequest, link: SignUp) -> HttpResponse:
    """Whoever holds the link owns the mailbox: they may know whether the address has an account."""
    if has_account(link.email):
        return link_page(request, "confirmed", status=200)
    return link_page(request, "old-sign-up", status=410)
