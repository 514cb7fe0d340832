"""Everything that is proposed of one item: what moves, and one decision about all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.access import for_roles, person
from apps.accounts.models import Role, User
from apps.catalog.additions import lacking_of, proposals_approve, proposals_decline
from apps.catalog.cards import FactLine, line_of
from apps.catalog.forms import AnswerForm
from apps.catalog.freshness import oldest_fresh_day
from apps.catalog.models import Item, Proposal
from apps.catalog.proposal_views import STAFF
from apps.catalog.releases import present_catalog
from apps.catalog.selectors import item_get, proposals_open, uses_count
from apps.catalog.values import fact_text
from apps.core.errors import DomainError

_Deed = Callable[[Item, User, str], Sequence[Proposal]]
_BAD_REQUEST: Final = 422


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A fact as it is and as it would be; `was` is empty where nothing is stated."""

    proposal: Proposal
    was: str
    becomes: FactLine


@require_GET
@for_roles(*STAFF)
def waiting(request: HttpRequest, slug: str) -> HttpResponse:
    """What would change in the item, and what it still lacks when it is new."""
    return _page(request, item_get(slug, drafts=True))


@require_POST
@for_roles(Role.ADMINISTRATOR)
def approve_all(request: HttpRequest, slug: str) -> HttpResponse:
    def deed(item: Item, actor: User, answer: str) -> Sequence[Proposal]:
        return proposals_approve(item=item, actor=actor, answer=answer)

    return _decide(request, slug, deed)


@require_POST
@for_roles(Role.ADMINISTRATOR)
def decline_all(request: HttpRequest, slug: str) -> HttpResponse:
    def deed(item: Item, actor: User, answer: str) -> Sequence[Proposal]:
        return proposals_decline(item=item, actor=actor, answer=answer)

    return _decide(request, slug, deed)


def _decide(request: HttpRequest, slug: str, deed: _Deed) -> HttpResponse:
    item = item_get(slug, drafts=True)
    form = AnswerForm(request.POST)
    answer = form.cleaned_data["answer"] if form.is_valid() else ""
    try:
        made = deed(item, person(request), answer)
    except DomainError as problem:
        return _page(request, item, error=problem.message)
    said = ngettext("%(count)s proposal is decided.", "%(count)s proposals are decided.", len(made))
    messages.success(request, said % {"count": len(made)})
    return redirect("catalog:item", slug)


def _page(request: HttpRequest, item: Item, error: str = "") -> HttpResponse:
    oldest = oldest_fresh_day(present_catalog())
    in_force = {fact.key: fact for fact in item.facts.all() if not fact.superseded}
    proposals = list(proposals_open(item))
    moves = [
        Move(
            proposal=proposal,
            was=fact_text(in_force[proposal.key]) if proposal.key in in_force else "",
            becomes=line_of(proposal.as_fact(), oldest),
        )
        for proposal in proposals
    ]
    actor = person(request)
    context = {
        "item": item,
        "moves": moves,
        "missing": lacking_of(item) if item.draft else [],
        "uses": uses_count(item.slug),
        "may_decide": actor.has_role(Role.ADMINISTRATOR),
        "own": any(proposal.proposed_by_id == actor.pk for proposal in proposals),
        "error": error,
        "answer": request.POST.get("answer", "")[:2000],
    }
    status = _BAD_REQUEST if error else 200
    return render(request, "catalog/waiting.html", context, status=status)
