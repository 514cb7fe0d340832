"""What a guest sees: whose link it is, one section, and a word at the end.

A guest has no account. A GET of the link shows whom it is for and changes nothing, because programs
that look through mail open links; the button gives the browser a pass for this invitation alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import throttle
from apps.intake.access import SAVED_HEADER, is_htmx, keep_typed
from apps.intake.fields import typed_echo
from apps.intake.guest_forms import CodeForm, GuestNameForm
from apps.intake.guests import guest_section_of
from apps.intake.navigation import home_url, page_url, place_of
from apps.intake.review_rows import check_section
from apps.intake.selectors import Draft, draft_of
from apps.intake.views.section import answer_page, save_alone
from apps.questionnaire.sections import QUESTIONS, SECTION_OF, section_for
from apps.requisitions import services as requisitions
from apps.requisitions.guest_keys import key_of_code, key_of_pass, key_of_token, pass_of
from apps.requisitions.models import GuestInvitation, GuestKey
from apps.requisitions.selectors import guest_invitation_get

View = Callable[..., HttpResponse]

# Codes are ten digits. Guesses from one place are few; from everywhere together they are not many.
CODES: Final = throttle.Limit("guest-code", 10, timedelta(minutes=15))
CODES_OF_ALL: Final = throttle.Limit("guest-codes", 300, timedelta(hours=1))


def private(view: View) -> View:
    """Keep the page out of caches and search engines, and its address out of other requests."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        response["Referrer-Policy"] = "strict-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return guarded


@private
@require_http_methods(["GET", "POST"])
def guest_link(request: HttpRequest, token: str) -> HttpResponse:
    key = key_of_token(token)
    if key is None:
        return _shut(request, "broken", status=404)
    over = _over(key.invitation)
    if over:
        return _shut(request, over, guest=key.invitation)
    return _begin(request, key, request.path)


@sensitive_post_parameters("code")
@private
@require_http_methods(["GET", "POST"])
def guest_code(request: HttpRequest) -> HttpResponse:
    """The code of a letter, for whoever cannot open its link."""
    form = CodeForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return render(request, "intake/guest_code.html", {"form": form})
    everybody = (CODES_OF_ALL, CODES_OF_ALL.key(""))
    here = (CODES, CODES.key(throttle.client_address(request)))
    if any(throttle.is_blocked(limit, counted) for limit, counted in (here, everybody)):
        return render(request, "intake/guest_too_many.html", status=429)
    key = key_of_code(form.cleaned_data["code"])
    if key is None:
        for _limit, counted in (here, everybody):
            throttle.record(counted)
        form.add_error("code", _("No link has this code. Check the ten digits."))
        return render(request, "intake/guest_code.html", {"form": form}, status=422)
    over = _over(key.invitation)
    if over:
        return _shut(request, over, guest=key.invitation)
    return _begin(request, key, request.path, code=form.cleaned_data["code"])


def _begin(request: HttpRequest, key: GuestKey, here: str, *, code: str = "") -> HttpResponse:
    """Whom it is for and what for; once the button is pressed, the browser gets its pass."""
    guest = key.invitation
    pressed = request.method == "POST" and "begin" in request.POST
    form = GuestNameForm(request.POST if pressed else None)
    if not pressed or (not guest.name and not form.is_valid()):
        context = {
            "guest": guest,
            "section": section_for(guest.section),
            "form": None if guest.name else form,
            "here": here,
            "code": code,
        }
        return render(request, "intake/guest_begin.html", context)
    name = "" if guest.name else form.cleaned_data["name"]
    guest = requisitions.guest_begin(invitation=guest, name=name)
    draft = draft_of(guest.revision, guest)
    page = place_of(draft, guest_section_of(draft, guest), None).page
    response = HttpResponseRedirect(page_url(draft, guest_section_of(draft, guest), page.key))
    response.set_cookie(
        _cookie(guest.pk),
        pass_of(key),
        max_age=max(0, int((guest.expires_at - timezone.now()).total_seconds())),
        path=reverse("intake:guest-home", args=[guest.pk]),
        secure=request.is_secure() or settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _cookie(invitation_id: UUID) -> str:
    return f"guest-{invitation_id.hex}"


def _over(guest: GuestInvitation) -> str:
    """Why the link lets nobody answer any more; "" while it does."""
    if guest.revoked_at:
        return "revoked"
    if not guest.revision.is_draft:
        return "sent" if guest.revision.submitted_at else "given-up"
    if guest.is_expired:
        return "expired"
    try:
        guest_section_of(draft_of(guest.revision, guest), guest)
    except Http404:
        return "not-asked"
    return ""


def _shut(
    request: HttpRequest, case: str, *, status: int = 410, guest: GuestInvitation | None = None
) -> HttpResponse:
    """What became of the link. Of one whose time is over, another one can be asked for."""
    asked = False
    if guest is not None and case == "expired" and "again" in request.POST:
        requisitions.guest_ask_again(invitation=guest)
        asked = True
    context: dict[str, Any] = {"case": case, "guest": guest, "asked": asked, "here": request.path}
    if guest is not None:
        context["asked"] = asked or guest.asked_again_at is not None
        context["section"] = section_for(guest.section)
    return render(request, "intake/guest_shut.html", context, status=status)


def for_guest(view: View) -> View:
    """Give the view the draft as its guest may read it; what was typed in vain is kept."""

    @wraps(view)
    def guarded(request: HttpRequest, invitation_id: UUID, **kwargs: Any) -> HttpResponse:
        guest = guest_invitation_get(invitation_id)
        shown = request.COOKIES.get(_cookie(invitation_id), "")
        known = guest is not None and key_of_pass(shown, guest) is not None
        over = _over(guest) if known and guest is not None else "lost"
        if guest is not None and not over:
            return view(request, draft_of(guest.revision, guest), **kwargs)
        if is_htmx(request):
            page = render(request, "intake/partials/guest_shut.html")
            page[SAVED_HEADER] = "none"
            return page
        if request.method == "POST" and "asked" in request.POST:
            keep_typed(request)
        status = 403 if over == "lost" else 410
        return _shut(request, over, status=status, guest=guest if known else None)

    return private(guarded)


@require_http_methods(["GET", "POST"])
@for_guest
def guest_section(request: HttpRequest, draft: Draft) -> HttpResponse:
    """A page of the section: the client's own page, for the guest."""
    assert draft.guest is not None
    return answer_page(request, draft, guest_section_of(draft, draft.guest))


@require_POST
@for_guest
def guest_autosave(request: HttpRequest, draft: Draft) -> HttpResponse:
    assert draft.guest is not None
    return save_alone(request, draft, guest_section_of(draft, draft.guest))


@require_GET
@for_guest
def guest_echo(request: HttpRequest, draft: Draft, *, key: str) -> HttpResponse:
    """What is understood of a text that is being typed into the guest's section."""
    assert draft.guest is not None
    if key not in QUESTIONS or SECTION_OF[key].key != draft.guest.section:
        raise Http404
    context = typed_echo(QUESTIONS[key], request.GET.get(key, ""))
    return render(request, "partials/question_echo.html", context)


@require_http_methods(["GET", "POST"])
@for_guest
def guest_home(request: HttpRequest, draft: Draft) -> HttpResponse:
    """The answers of the section, and the guest's word on it: answered, or data is missing."""
    guest = draft.guest
    assert guest is not None
    section = guest_section_of(draft, guest)
    verdict = request.POST.get("verdict", "")
    if request.method == "POST" and verdict in GuestInvitation.Verdict.values:
        note = request.POST.get("note", "")
        requisitions.guest_answer(invitation=guest, verdict=verdict, note=note)
        return HttpResponseRedirect(home_url(draft))
    counts = draft.evaluated.sections[section.key]
    place = place_of(draft, section, None)
    context = {
        "guest": guest,
        "draft": draft,
        "section": section,
        "rows": check_section(draft, section),
        "counts": counts,
        "first_url": page_url(draft, section, place.page.key),
        "unsaid": request.method == "POST",
    }
    return render(
        request, "intake/guest_home.html", context, status=422 if context["unsaid"] else 200
    )
