"""What changed since an earlier letter, and the engineer's word on values that fell away."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role
from apps.requisitions.selectors import letter_get
from apps.review import services
from apps.review.access import READERS, for_roles, person
from apps.review.dossier import dossier_of
from apps.review.presenters.changes import changes_of
from apps.review.selectors import staff_revision_get_for
from apps.review.views.workspace import heading_of


@require_GET
@for_roles(*READERS)
def changes(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Since the usual letter, or since the one that is named."""
    revision = staff_revision_get_for(person(request), revision_id)
    since = request.GET.get("since", "")
    base = letter_get(revision.requisition, since) if since else None
    if base is not None and (base.index >= revision.index or not base.answers_text):
        raise Http404
    context = heading_of(revision, dossier_of(revision), "review:changes") | {
        "changes": changes_of(revision, base)
    }
    return render(request, "review/changes.html", context)


@require_POST
@for_roles(Role.ENGINEER)
def recheck(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """A value of an earlier letter is not needed in this one."""
    revision = staff_revision_get_for(person(request), revision_id)
    services.value_drop(
        revision=revision, actor=person(request), field=request.POST.get("field", "")
    )
    messages.success(request, _("The earlier value is settled: it does not count here."))
    return redirect("review:workspace", revision.pk)
