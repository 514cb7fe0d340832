"""A manager opens a requisition for a client and hands it over to be confirmed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.errors import AddressTaken
from apps.accounts.models import Role, User
from apps.core.errors import Conflict
from apps.intake import services
from apps.intake.access import person, signed_in
from apps.intake.behalf import MOST_SHOWN, contacts, start_for_new
from apps.intake.forms import ContactForm, NewContactForm
from apps.intake.gate import GATE_SECTION
from apps.intake.selectors import Draft, client_revision_for, draft_of
from apps.intake.views.common import with_draft
from apps.requisitions import services as requisitions

_SEARCH_LENGTH = 100


@require_http_methods(["GET", "POST"])
@signed_in
def behalf(request: HttpRequest) -> HttpResponse:
    """For whom: somebody who is known, or a new contact who gets an invitation."""
    actor = person(request)
    if not actor.has_role(Role.MANAGER):
        raise PermissionDenied
    known = ContactForm(contacts=contacts())
    new = NewContactForm()
    if request.method == "POST" and request.POST.get("who") == "new":
        new = NewContactForm(request.POST)
        draft = _start_for_new(new, actor) if new.is_valid() else None
    elif request.method == "POST":
        known = ContactForm(request.POST, contacts=contacts())
        draft = _start_for(known, actor) if known.is_valid() else None
    else:
        draft = None
    if draft is not None:
        return redirect("intake:section", draft.requisition.pk, GATE_SECTION)
    return render(request, "intake/behalf.html", _context(request, known, new))


def _context(request: HttpRequest, known: ContactForm, new: NewContactForm) -> dict[str, Any]:
    search = request.GET.get("q", "")[:_SEARCH_LENGTH]
    found = contacts(search)
    return {
        "known": known,
        "new": new,
        "search": search,
        "people": found[:MOST_SHOWN],
        "left_out": max(0, found.count() - MOST_SHOWN),
        "problems": [
            {"id": form[name].id_for_label, "text": text}
            for form in (known, new)
            for name, texts in form.errors.items()
            for text in texts
        ],
    }


def _start_for(form: ContactForm, actor: User) -> Draft:
    return services.requisition_start(actor=actor, contact=form.cleaned_data["contact"])


def _start_for_new(form: NewContactForm, actor: User) -> Draft | None:
    try:
        return start_for_new(actor=actor, **form.cleaned_data)
    except AddressTaken as problem:
        form.add_error("email", problem.message)
        return None


@require_POST
@with_draft
def ask_confirmation(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Hand the draft over. What was seen is what is handed over."""
    seen = request.POST.get("seen", "")[:64]
    try:
        services.confirmation_ask(draft=draft, seen_digest=seen, actor=person(request))
    except (services.NotReady, Conflict) as problem:
        messages.error(request, problem.message)
    return redirect("intake:check", draft.requisition.pk)


@require_POST
@signed_in
def take_back(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    actor = person(request)
    revision = client_revision_for(actor, requisition_id)
    requisitions.confirmation_take_back(revision=revision, actor=actor)
    messages.success(request, _("The draft is yours again."))
    return redirect("intake:hub", draft_of(revision).requisition.pk)
