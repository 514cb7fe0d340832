"""Trying other values on the estimate of record, and taking those that convince."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role
from apps.core.errors import DomainError
from apps.estimation.selectors import latest_assessment
from apps.requisitions.models import Revision
from apps.review import services
from apps.review.access import READERS, for_roles, person
from apps.review.dossier import dossier_of
from apps.review.forms import TakeForm
from apps.review.presenters.what_if_page import address_of, page_of
from apps.review.selectors import staff_revision_get_for
from apps.review.views.workspace import heading_of
from apps.review.what_if import Record, differences_of, record_of, tried
from apps.review.what_if_typed import VARIANT, typed_of


@require_GET
@for_roles(*READERS)
def what_if(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The whole page; its moving parts alone when htmx asks for them."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    record = _record_of(revision, request.GET.get(VARIANT, ""))
    if record is None:
        return render(request, "review/what_if.html", _heading(revision))
    typed = typed_of(request.GET, record)
    parts = "HX-Request" in request.headers and request.headers.get("HX-Target") == "what-if-result"
    if not parts and request.GET.dict() != dict(typed.pairs()):
        return redirect(address_of(revision, typed))
    page = page_of(user, revision, record, typed, tried(record, typed.values))
    if not parts:
        return render(request, "review/what_if.html", _heading(revision) | page)
    response = render(request, "review/partials/what_if_answer.html", page)
    response["HX-Push-Url"] = address_of(revision, typed)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _record_of(revision: Revision, wanted: str) -> Record | None:
    assessment = latest_assessment(revision)
    return record_of(assessment, wanted) if assessment else None


def _heading(revision: Revision) -> dict[str, object]:
    dossier = dossier_of(revision)
    return heading_of(revision, dossier, "review:what-if") | {
        "running": dossier.running or dossier.assessment is None
    }


@require_POST
@for_roles(Role.ENGINEER)
def take(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Make the chosen differences the engineer's values."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    record = _record_of(revision, request.POST.get(VARIANT, ""))
    if record is None:
        raise DomainError(_("There is no estimate yet."))
    typed, form = typed_of(request.POST, record), TakeForm(request.POST)
    trial = tried(record, typed.values)
    if not form.is_valid() or typed.errors:
        page = page_of(user, revision, record, typed, trial, form)
        return render(request, "review/what_if.html", _heading(revision) | page, status=422)
    chosen = form.cleaned_data["take"]
    values = {
        path: value
        for one in differences_of(record, trial)
        if one.key in chosen
        for path, value in one.values.items()
    }
    services.trial_take(
        revision=revision,
        actor=user,
        values=values,
        reason=form.cleaned_data["reason"],
        expected_version=form.cleaned_data["expected_version"],
    )
    messages.success(request, _("Taken as your values; the estimate runs again."))
    return redirect("review:workspace", revision.pk)
