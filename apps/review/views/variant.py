"""One variant, as the engineer completes it: its part number, its lines, whether it is the choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role
from apps.core.errors import DomainError
from apps.estimation.models import VariantRemark
from apps.requisitions.models import Revision
from apps.requisitions.services.answers import MAX_FILE_BYTES
from apps.review import editing
from apps.review.access import READERS, for_roles, person
from apps.review.dossier import Dossier, dossier_of
from apps.review.forms_variant import LineChangeForm, LineForm, PartForm, WithdrawForm
from apps.review.presenters.variant_page import variant_page
from apps.review.selectors import staff_revision_get_for
from apps.review.views.pages import accepted
from apps.review.views.workspace import heading_of


def _variant(dossier: Dossier, key: str) -> Mapping[str, Any]:
    """The variant's part of the result as people read it, or Http404."""
    found = next((v.block for v in dossier.variants if v.key == key), None)
    if found is None:
        raise Http404
    return found


def _back(revision: Revision, key: str, anchor: str) -> HttpResponse:
    return redirect(reverse("review:variant", args=[revision.pk, key]) + anchor)


@require_GET
@for_roles(*READERS)
def variant(request: HttpRequest, revision_id: UUID, variant_key: str) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    dossier = dossier_of(revision)
    _variant(dossier, variant_key)
    context = heading_of(revision, dossier, "review:variants")
    context |= variant_page(user, dossier, variant_key)
    return render(request, "review/variant.html", context)


@require_POST
@for_roles(Role.ENGINEER)
def part(request: HttpRequest, revision_id: UUID, variant_key: str) -> HttpResponse:
    """Confirm the part number with a document."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    data = accepted(PartForm(request.POST))
    uploaded = request.FILES.get("document")
    if uploaded is None:
        raise DomainError(_("Attach the supplier's document: without it nothing is confirmed."))
    editing.part_confirm(
        revision=revision,
        actor=user,
        variant=_variant(dossier_of(revision), variant_key),
        file_name=uploaded.name or "",
        content=uploaded.read(MAX_FILE_BYTES + 1),  # never more than may be kept
        **data,
    )
    messages.success(request, _("The part number is confirmed."))
    return _back(revision, variant_key, "#part")


@require_POST
@for_roles(Role.ENGINEER)
def part_withdraw(request: HttpRequest, revision_id: UUID, variant_key: str) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    data = accepted(WithdrawForm(request.POST))
    editing.part_withdraw(
        revision=revision,
        actor=user,
        variant=_variant(dossier_of(revision), variant_key),
        **data,
    )
    messages.success(request, _("The confirmation is taken back."))
    return _back(revision, variant_key, "#part")


@require_POST
@for_roles(Role.ENGINEER)
def line(request: HttpRequest, revision_id: UUID, variant_key: str) -> HttpResponse:
    """Add a line, rewrite one, hide a computed one, or recommend the variant."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    data = accepted(LineForm(request.POST))
    instead = data.pop("instead")
    editing.line_write(
        revision=revision,
        actor=user,
        variant=_variant(dossier_of(revision), variant_key),
        instead=_remark(revision, instead) if instead else None,
        **data,
    )
    return _back(revision, variant_key, f"#{data['kind']}")


@require_POST
@for_roles(Role.ENGINEER)
def line_change(
    request: HttpRequest, revision_id: UUID, variant_key: str, remark_id: UUID
) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    remark = _remark(revision, remark_id)
    data = accepted(LineChangeForm(request.POST))
    editing.line_change(revision=revision, actor=user, remark=remark, **data)
    return _back(revision, variant_key, f"#{remark.kind}")


def _remark(revision: Revision, remark_id: UUID) -> VariantRemark:
    return get_object_or_404(revision.variant_remarks, pk=remark_id)
