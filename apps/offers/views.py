"""The table of offers, and one offer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.access import person
from apps.core.downloads import file_to_keep
from apps.core.errors import Conflict, DomainError
from apps.core.spreadsheets import csv_text
from apps.offers import services
from apps.offers.comparison import gaps_of, ranking_of, rows_of
from apps.offers.forms import OfferForm, initial_of
from apps.offers.models import Offer
from apps.offers.needed import needed_of
from apps.offers.reading import readings_of
from apps.offers.selectors import (
    offer_get_for,
    offers_of,
    offers_revision_for,
    way_back,
    writable_revision_for,
)
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed


@require_GET
@login_required
def offers(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    user = person(request)
    revision = offers_revision_for(user, revision_id)
    rows = list(offers_of(revision))
    needed = needed_of(revision)
    context = {
        "revision": revision,
        "back": way_back(user, revision),
        "may_change": policy.may(user, Deed.COMPARE_OFFERS, revision),
        "offers": rows,
        "rows": rows_of(rows, needed),
        "needed": bool(needed),
        "readings": readings_of(rows),
        "ranking": ranking_of(rows),
        "asked": [(offer.supplier, gaps_of(offer)) for offer in rows if gaps_of(offer)],
        "removed": Offer.objects.filter(revision=revision, removed_at__isnull=False),
    }
    return render(request, "offers/list.html", context)


@require_GET
@login_required
def offers_csv(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = offers_revision_for(person(request), revision_id)
    rows = list(offers_of(revision))
    empty = _("not given")
    table = [[_("Criterion"), *(offer.supplier for offer in rows)]]
    table += [[row.label, *(value or empty for value in row.values)] for row in rows_of(rows)]
    what = _("offers")
    name = f"{revision.requisition.display_number}-{revision.letter}-{what}.csv"
    return file_to_keep(csv_text(table), "text/csv; charset=utf-8", name)


@require_http_methods(["GET", "POST"])
@login_required
def add(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    user = person(request)
    revision = writable_revision_for(user, revision_id)
    services.check_may_write(revision, user)
    form = OfferForm(request.POST or None)
    if form.is_valid():
        try:
            services.offer_add(revision=revision, values=form.values(), actor=user)
        except DomainError as problem:
            form.add_error(None, problem.message)
        else:
            return redirect("offers:list", revision.pk)
    return _form_page(request, revision, form)


@require_http_methods(["GET", "POST"])
@login_required
def change(request: HttpRequest, revision_id: UUID, offer_id: UUID) -> HttpResponse:
    user = person(request)
    offer = offer_get_for(user, revision_id, offer_id)
    services.check_may_write(offer.revision, user)
    form = OfferForm(request.POST or None, initial=initial_of(offer))
    if form.is_valid():
        version = form.cleaned_data["version"] or 0
        try:
            services.offer_change(offer=offer, values=form.values(), version=version, actor=user)
        except Conflict as problem:
            return _conflict(request, offer, form, problem)
        return redirect("offers:list", revision_id)
    return _form_page(request, offer.revision, form, offer=offer)


def _conflict(
    request: HttpRequest, offer: Offer, form: OfferForm, problem: Conflict
) -> HttpResponse:
    """What was typed stays in the form; what stands there now is shown beside it."""
    offer.refresh_from_db()
    form.add_error(None, problem.message)
    form.with_version(offer.version)
    rows = [row for row in rows_of([offer]) if row.values[0]]
    return _form_page(request, offer.revision, form, offer=offer, stored=rows, status=409)


def _form_page(
    request: HttpRequest,
    revision: Revision,
    form: OfferForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    code = 422 if form.errors and status == 200 else status
    return render(
        request, "offers/edit.html", {"revision": revision, "form": form} | more, status=code
    )


@require_POST
@login_required
def remove(request: HttpRequest, revision_id: UUID, offer_id: UUID) -> HttpResponse:
    offer = offer_get_for(person(request), revision_id, offer_id)
    services.offer_remove(offer=offer, actor=person(request))
    messages.success(request, _("Removed. It can be brought back below the table."))
    return redirect("offers:list", revision_id)


@require_POST
@login_required
def restore(request: HttpRequest, revision_id: UUID, offer_id: UUID) -> HttpResponse:
    offer = offer_get_for(person(request), revision_id, offer_id)
    services.offer_restore(offer=offer, actor=person(request))
    return redirect("offers:list", revision_id)
