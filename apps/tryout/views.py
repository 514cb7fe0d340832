"""Calculating without an account, and making a requisition of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from apps.accounts import throttle
from apps.accounts.models import Role, User
from apps.core.errors import NotAllowed
from apps.intake.access import person
from apps.tryout import kept as keeping
from apps.tryout.accuracy import accuracy_page
from apps.tryout.kept import Kept, kept_of
from apps.tryout.page import page_of, page_of_kept
from apps.tryout.recipe import typed_of
from apps.tryout.services import requisition_from

# A person who turns every knob needs one calculation every few seconds; a program needs no page.
TRIES: Final = throttle.Limit("try", 120, timedelta(minutes=10))


@require_http_methods(["GET", "POST"])
def tryout(request: HttpRequest) -> HttpResponse:
    """Fields in the address are calculated at once; a form leads there unless a text is pasted."""
    posted = kept_of(request.POST)
    if request.method == "POST" and not posted.settings and not posted.report:
        return HttpResponseRedirect(f"{reverse('tryout:try')}?{posted.typed.query()}")
    shown = posted if request.method == "POST" else Kept(typed=typed_of(request.GET))
    if not shown.typed.blank or shown.settings or shown.report:
        key = TRIES.key(throttle.client_address(request))
        if throttle.is_blocked(TRIES, key):
            return _too_many(request)
        throttle.record(key)
    chosen = request.POST.get("card", "")[:100]
    page = page_of(shown, chosen=chosen, plain="plain" in request.POST)
    about = {"may_ask": _may_ask(request), "kept_form": "try-form"}
    return render(request, "tryout/try.html", page | about)


def _too_many(request: HttpRequest) -> HttpResponse:
    response = render(request, "tryout/too_many.html", status=429)
    response["Retry-After"] = str(int(TRIES.window.total_seconds()))
    return response


def _may_ask(request: HttpRequest) -> bool:
    """Whether «make it a requisition» leads somewhere: for clients, and for who may become one."""
    user = request.user
    return not isinstance(user, User) or (user.has_role(Role.CLIENT) and user.company is not None)


@require_http_methods(["GET", "POST"])
def requisition(request: HttpRequest) -> HttpResponse:
    """A form makes a draft; whoever is not signed in does so first and finds it kept here."""
    posted = kept_of(request.POST) if request.method == "POST" else None
    if not request.user.is_authenticated:
        if posted is not None and not posted.typed.blank:
            keeping.keep(request, posted)
        query = urlencode({"next": reverse("tryout:requisition")})
        return HttpResponseRedirect(f"{resolve_url(settings.LOGIN_URL)}?{query}")
    actor = person(request)
    if not _may_ask(request):
        raise NotAllowed(_("A requisition is made by a client; your role is another one."))
    if posted is not None and not posted.typed.blank:
        draft = requisition_from(kept=posted, actor=actor)
        keeping.forget(request)
        return redirect("intake:hub", draft.requisition.pk)
    known = keeping.take(request)
    if known is None:
        return redirect("tryout:try")
    return render(request, "tryout/requisition.html", page_of_kept(known))


@require_GET
def accuracy(request: HttpRequest) -> HttpResponse:
    return render(request, "tryout/accuracy.html", accuracy_page())
