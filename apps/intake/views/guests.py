"""The client's side of links to a section: made, sent, prolonged, revoked; who opened them."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import throttle
from apps.accounts.links import absolute
from apps.accounts.views.common import letters_folder, too_many
from apps.intake.access import person, signed_in
from apps.intake.guest_forms import DAYS, USUAL_DAYS, GuestForm, days_of
from apps.intake.guests import guest_get_for, links_of, section_choices, wanted_for
from apps.intake.selectors import Draft
from apps.intake.views.common import draft_stamp, with_draft
from apps.questionnaire.due import due_day
from apps.requisitions import services as requisitions
from apps.requisitions.guest_keys import Secret
from apps.requisitions.models import GuestInvitation


@never_cache
@require_http_methods(["GET", "POST"])
@with_draft
def guests(request: HttpRequest, draft: Draft) -> HttpResponse:
    """All links of the draft with what became of them, and a form for another one."""
    if request.method == "POST":
        return _invite(request, draft)
    return _page(request, draft, _empty_form(request, draft))


def _empty_form(request: HttpRequest, draft: Draft) -> GuestForm:
    """Begun with what an open question says of who may know, and by when."""
    first: dict[str, Any] = {"section": request.GET.get("section", "")}
    wanted = _wanted(draft, request.GET.get("question", ""))
    if wanted is not None:
        due = wanted.due if wanted.due and wanted.due >= timezone.localdate() else None
        first = {"section": wanted.section, "name": wanted.name, "email": wanted.email}
        first["due"] = date_format(due, "d.m.Y") if due else ""
    return GuestForm(sections=section_choices(draft), initial=first)


def _wanted(draft: Draft, key: str) -> Any:
    raw = draft.raw.get(key)
    due = due_day(raw.when, timezone.localdate()) if raw else None
    return wanted_for(draft, key, due)


def _invite(request: HttpRequest, draft: Draft) -> HttpResponse:
    form = GuestForm(request.POST, sections=section_choices(draft))
    if not form.is_valid():
        return _page(request, draft, form, status=422)
    actor = person(request)
    if form.by_letter and not throttle.may_send_letter(actor.pk):
        return too_many(request, "letters")
    wanted = _wanted(draft, request.POST.get("question", ""))
    question = wanted.question if wanted and wanted.section == form.cleaned_data["section"] else ""
    invitation = requisitions.guest_invite(
        revision=draft.revision,
        wish=form.wish(question),
        actor=actor,
        pk=_form_id(request.POST.get("form", "")),
    )
    if form.by_letter:
        return _send(request, invitation)
    secret = requisitions.guest_link(invitation=invitation, actor=actor)
    return _page(request, draft, _empty_form(request, draft), given=(invitation, secret))


def _form_id(text: str) -> UUID | None:
    """Of the form as it was shown: pressed twice, it makes one invitation."""
    try:
        return UUID(text)
    except ValueError:
        return None


def _send(request: HttpRequest, invitation: GuestInvitation) -> HttpResponse:
    requisitions.guest_letter(invitation=invitation, actor=person(request))
    said = _("The letter to %(email)s is on its way.") % {"email": invitation.email}
    messages.success(request, said)
    return _back(invitation)


def _page(
    request: HttpRequest,
    draft: Draft,
    form: GuestForm,
    *,
    given: tuple[GuestInvitation, Secret] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "draft": draft,
        "stamp": draft_stamp(draft),
        "form": form,
        "form_id": uuid.uuid4(),
        "question": request.POST.get("question") or request.GET.get("question", ""),
        "links": links_of(draft.revision, with_log=True),
        "days": DAYS,
        "usual_days": USUAL_DAYS,
        "given": given[0] if given else None,
        "secret": given[1] if given else None,
        "code_url": absolute(reverse("intake:guest-code")),
        "letters_folder": letters_folder(),
    }
    return render(request, "intake/guests.html", context, status=status)


@never_cache
@require_POST
@with_draft
def guest_new_link(request: HttpRequest, draft: Draft, *, invitation_id: UUID) -> HttpResponse:
    """One more link to the same invitation, shown once."""
    actor = person(request)
    invitation = guest_get_for(actor, draft.requisition.pk, invitation_id)
    secret = requisitions.guest_link(invitation=invitation, actor=actor)
    return _page(request, draft, _empty_form(request, draft), given=(invitation, secret))


@require_POST
@with_draft
def guest_send(request: HttpRequest, draft: Draft, *, invitation_id: UUID) -> HttpResponse:
    """The letter once more, with a link of its own."""
    actor = person(request)
    invitation = guest_get_for(actor, draft.requisition.pk, invitation_id)
    if not throttle.may_send_letter(actor.pk):
        return too_many(request, "letters")
    return _send(request, invitation)


@require_POST
@with_draft
def guest_prolong(request: HttpRequest, draft: Draft, *, invitation_id: UUID) -> HttpResponse:
    """The links that were handed out work again, or longer; who asked for one by mail is told."""
    actor = person(request)
    invitation = guest_get_for(actor, draft.requisition.pk, invitation_id)
    waits = invitation.asked_again_at is not None and invitation.email
    days = days_of(request.POST.get("days", ""))
    requisitions.guest_prolong(invitation=invitation, days=days, actor=actor)
    messages.success(request, _("The link works longer now."))
    if waits and throttle.may_send_letter(actor.pk):
        return _send(request, invitation)
    return _back(invitation)


@require_POST
@signed_in
def guest_revoke(request: HttpRequest, requisition_id: UUID, invitation_id: UUID) -> HttpResponse:
    actor = person(request)
    invitation = guest_get_for(actor, requisition_id, invitation_id)
    requisitions.guest_revoke(invitation=invitation, actor=actor)
    messages.success(request, _("The link is revoked: it opens nothing. Answers that came stay."))
    return _back(invitation)


def _back(invitation: GuestInvitation) -> HttpResponse:
    requisition_id = invitation.revision.requisition_id
    if not invitation.revision.is_draft:
        return redirect("intake:status", requisition_id)
    return HttpResponseRedirect(reverse("intake:guests", args=[requisition_id]))
