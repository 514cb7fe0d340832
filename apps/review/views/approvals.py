"""The approver's screens: what waits, and the decision about one document."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Role, User
from apps.core.paging import page_of, query_with
from apps.requisitions.models import Revision
from apps.requisitions.outcomes import Refusal
from apps.requisitions.senders import sender_words_of
from apps.review import services
from apps.review.access import for_roles, person
from apps.review.forms import DecisionForm
from apps.review.presenters.approval import approval_page, draft_panel
from apps.review.presenters.heading import stamp_cells
from apps.review.presenters.lists import approval_row
from apps.review.selectors import approvals_for, staff_revision_get_for
from apps.talk.presenters import talk_panel


@require_GET
@for_roles(Role.APPROVER)
def approvals(request: HttpRequest) -> HttpResponse:
    user = person(request)
    page = page_of(request, approvals_for(user))
    context = {
        "page": page,
        "rows": [approval_row(user, revision) for revision in page],
        "query": query_with(request.GET),
    }
    return render(request, "review/approvals.html", context)


@require_GET
@for_roles(Role.APPROVER)
def approval(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    context = _context(person(request), revision, about=request.GET.get("about", ""))
    return render(request, "review/approval.html", context)


def _context(
    user: User, revision: Revision, form: DecisionForm | None = None, about: str = ""
) -> dict[str, Any]:
    return {
        "revision": revision,
        "stamp": stamp_cells(revision),
        "sender": sender_words_of(revision),
        "talk": talk_panel(user, revision, about=about, back="approval"),
        **approval_page(user, revision, form),
    }


@require_GET
@for_roles(Role.APPROVER)
def approval_drafts(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The draft documents, asked for again while they are being made."""
    revision = staff_revision_get_for(person(request), revision_id)
    panel = draft_panel(revision)
    response = render(
        request, "review/partials/drafts.html", {"revision": revision, "drafts": panel}
    )
    if not panel.waiting:
        # The form has to carry the hash of the document that is there now.
        response["HX-Refresh"] = "true"
    return response


@require_POST
@for_roles(Role.APPROVER)
def decide(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Approve, return or reject what was on the screen."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        context = _context(user, revision, form)
        return render(request, "review/approval.html", context, status=422)
    said = _DECISIONS[form.cleaned_data["decision"]](user, revision, form.cleaned_data)
    messages.success(request, said)
    return redirect("review:approval", revision.pk)


def _approve(user: User, revision: Revision, data: dict[str, Any]) -> str:
    services.revision_approve(
        revision=revision,
        actor=user,
        comment=data["comment"],
        document_sha256=data["document_sha256"],
        expected_version=data["expected_version"],
    )
    return _("Approved. The final documents are being made.")


def _return(user: User, revision: Revision, data: dict[str, Any]) -> str:
    services.revision_return(
        revision=revision,
        actor=user,
        comment=data["comment"],
        expected_version=data["expected_version"],
    )
    return _("Returned to the engineer.")


def _reject(user: User, revision: Revision, data: dict[str, Any]) -> str:
    services.revision_reject(
        revision=revision,
        actor=user,
        refusal=Refusal(data["refusal"]),
        comment=data["comment"],
        expected_version=data["expected_version"],
    )
    return _("Rejected. The document with the reason is being made.")


_DECISIONS = {
    DecisionForm.APPROVE: _approve,
    DecisionForm.RETURN: _return,
    DecisionForm.REJECT: _reject,
}
