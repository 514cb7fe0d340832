"""What an engineer does to a revision: POST only, each one call of a service."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.models import Role
from apps.requisitions.outcomes import OtherWay
from apps.review import services
from apps.review.access import for_roles, person
from apps.review.dossier import dossier_of
from apps.review.forms import (
    AskForm,
    AssignForm,
    OverrideForm,
    RedirectForm,
    SendForm,
    SettleForm,
    UndoForm,
)
from apps.review.presenters.ask import ask_page
from apps.review.presenters.redirect import redirect_page
from apps.review.selectors import open_question_get_for, staff_revision_get_for
from apps.review.views.pages import accepted
from apps.review.views.workspace import heading_of, workspace_context


@require_POST
@for_roles(Role.ENGINEER)
def override(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    form = OverrideForm(request.POST)
    if not form.is_valid():
        path = request.POST.get("field", "")
        context = workspace_context(user, revision, path=path, sent=form)
        return render(request, "review/workspace.html", context, status=422)
    services.override_apply(
        revision=revision,
        actor=user,
        field=form.cleaned_data["field"],
        value=form.cleaned_data["parsed"],
        reason=form.cleaned_data["reason"],
        reason_shown=form.cleaned_data["reason_shown"],
        expected_version=form.cleaned_data["expected_version"],
    )
    messages.success(request, _("Your value stands beside the client's; the estimate runs again."))
    return redirect("review:workspace", revision.pk)


@require_POST
@for_roles(Role.ENGINEER)
def override_remove(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    data = accepted(UndoForm(request.POST))
    services.override_undo(
        revision=revision,
        actor=person(request),
        field=data["field"],
        expected_version=data["expected_version"],
    )
    messages.success(request, _("Your value is taken back; the estimate runs again."))
    return redirect("review:workspace", revision.pk)


@require_POST
@for_roles(Role.ENGINEER)
def recalculate(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    revision = staff_revision_get_for(person(request), revision_id)
    services.recalculate(revision=revision, actor=person(request))
    return redirect("review:workspace", revision.pk)


@require_http_methods(["GET", "POST"])
@for_roles(Role.ENGINEER)
def ask(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Return the revision to the client with questions."""
    user = person(request)
    revision = staff_revision_get_for(user, revision_id)
    form = AskForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.clarification_request(
            revision=revision,
            actor=user,
            asks=form.asks(),
            comment=form.cleaned_data["comment"],
            expected_version=form.cleaned_data["expected_version"],
        )
        messages.success(request, _("The client has the questions."))
        return redirect("review:workspace", revision.pk)
    dossier = dossier_of(revision)
    context = heading_of(revision, dossier, "review:ask") | ask_page(user, dossier, form)
    return render(request, "review/ask.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_roles(Role.ENGINEER)
def question_settle(request: HttpRequest, revision_id: UUID, question_id: UUID) -> HttpResponse:
    question = open_question_get_for(person(request), revision_id, question_id)
    outcome = accepted(SettleForm(request.POST))["outcome"]
    services.question_settle(
        question=question, actor=person(request), answered=outcome == "answered"
    )
    return redirect(reverse("review:workspace", args=[revision_id]) + "#questions")


@require_POST
@for_roles(Role.ENGINEER)
def question_assign(request: HttpRequest, revision_id: UUID, question_id: UUID) -> HttpResponse:
    question = open_question_get_for(person(request), revision_id, question_id)
    data = accepted(AssignForm(request.POST))
    services.question_assign(question=question, actor=person(request), **data)
    return redirect(reverse("review:workspace", args=[revision_id]) + "#questions")


@require_POST
@for_roles(Role.ENGINEER)
def send(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Hand the revision to the approvers."""
    revision = staff_revision_get_for(person(request), revision_id)
    data = accepted(SendForm(request.POST))
    services.approval_request(revision=revision, actor=person(request), **data)
    messages.success(request, _("It is with the approver now; the draft document is being made."))
    return redirect("review:document", revision.pk)


@require_http_methods(["GET", "POST"])
@for_roles(Role.ENGINEER)
def redirect_elsewhere(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """End the requisition with the advice that another way comes first."""
    revision = staff_revision_get_for(person(request), revision_id)
    form = RedirectForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.redirect_elsewhere(
            revision=revision,
            actor=person(request),
            way=OtherWay(form.cleaned_data["way"]),
            reason=form.cleaned_data["comment"],
            expected_version=form.cleaned_data["expected_version"],
        )
        messages.success(request, _("The requisition is redirected; its document is being made."))
        return redirect("review:workspace", revision.pk)
    dossier = dossier_of(revision)
    context = heading_of(revision, dossier, "review:redirect") | redirect_page(dossier, form)
    return render(request, "review/redirect.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_roles(Role.ENGINEER, Role.APPROVER)
def print_draft(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """Have the draft documents of the facts as they are now made."""
    revision = staff_revision_get_for(person(request), revision_id)
    services.drafts_print(revision=revision, actor=person(request))
    back = "review:approval" if "approval" in request.POST else "review:document"
    return redirect(back, revision.pk)
