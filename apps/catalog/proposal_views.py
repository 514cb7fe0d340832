"""Correcting the catalog: for the staff."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.access import for_roles, person
from apps.accounts.models import Role, User
from apps.catalog.cards import line_of
from apps.catalog.forms import AnswerForm, ProposalForm
from apps.catalog.freshness import fact_age_days, oldest_fresh_day
from apps.catalog.models import Proposal
from apps.catalog.proposals import (
    proposal_approve,
    proposal_decline,
    proposal_make,
    proposal_withdraw,
)
from apps.catalog.releases import present_catalog
from apps.catalog.selectors import item_get, old_facts, proposal_get, proposals_all
from apps.core.errors import DomainError
from apps.core.paging import page_of

STAFF: Final = (Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR)


@require_http_methods(["GET", "POST"])
@for_roles(*STAFF)
def propose(request: HttpRequest, slug: str) -> HttpResponse:
    item = item_get(slug, drafts=True)
    form = ProposalForm(request.POST or None, item=item, key=request.GET.get("key", "")[:60])
    if form.is_valid():
        try:
            proposal_make(item=item, correction=form.correction(), actor=person(request))
        except DomainError as problem:
            form.add_error("value", problem.message)
        else:
            messages.success(request, _("Proposed. An administrator decides."))
            return redirect("catalog:item", slug)
    status = 422 if form.errors else 200
    return render(request, "catalog/propose.html", {"item": item, "form": form}, status=status)


@require_GET
@for_roles(*STAFF)
def proposals(request: HttpRequest) -> HttpResponse:
    """Those that wait first, then the latest."""
    page = page_of(request, proposals_all())
    oldest = oldest_fresh_day(present_catalog())
    rows = [(proposal, line_of(proposal.as_fact(), oldest)) for proposal in page]
    may_decide = person(request).has_role(Role.ADMINISTRATOR)
    context = {"page": page, "rows": rows, "query": "", "may_decide": may_decide}
    return render(request, "catalog/proposals.html", context)


@require_GET
@for_roles(*STAFF)
def freshness(request: HttpRequest) -> HttpResponse:
    """Facts whose sources have to be looked at again, the oldest first."""
    catalog = present_catalog()
    oldest = oldest_fresh_day(catalog)
    page = page_of(request, old_facts(oldest))
    rows = [(fact.item, line_of(fact, oldest)) for fact in page]
    context = {"page": page, "rows": rows, "query": "", "age_days": fact_age_days(catalog)}
    return render(request, "catalog/old_facts.html", context)


@require_POST
@for_roles(Role.ADMINISTRATOR)
def approve(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    return _decide(
        request, proposal_id, _approve, _("Approved: in force from the next calculation.")
    )


@require_POST
@for_roles(Role.ADMINISTRATOR)
def decline(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    return _decide(request, proposal_id, _decline, _("Declined."))


@require_POST
@for_roles(*STAFF)
def withdraw(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    return _decide(request, proposal_id, _withdraw, _("Taken back."))


def _decide(
    request: HttpRequest,
    proposal_id: UUID,
    deed: Callable[[Proposal, User, str], Proposal],
    said: str,
) -> HttpResponse:
    form = AnswerForm(request.POST)
    answer = form.cleaned_data["answer"] if form.is_valid() else ""
    deed(proposal_get(proposal_id), person(request), answer)
    messages.success(request, said)
    return redirect("catalog:proposals")


def _approve(proposal: Proposal, actor: User, answer: str) -> Proposal:
    return proposal_approve(proposal=proposal, actor=actor, answer=answer)


def _decline(proposal: Proposal, actor: User, answer: str) -> Proposal:
    return proposal_decline(proposal=proposal, actor=actor, answer=answer)


def _withdraw(proposal: Proposal, actor: User, _answer: str) -> Proposal:
    return proposal_withdraw(proposal=proposal, actor=actor)
