"""Correcting the catalog: one person proposes a fact, an administrator who is another approves.

The old value stays beside the new one. What is approved is in force for the next calculation.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.audit.services import record
from apps.catalog.fact_specs import SPECS
from apps.catalog.models import Fact, Item, Kind, Proposal
from apps.catalog.rows import number_of, words_of
from apps.catalog.schema import CatalogError, parse_fact
from apps.catalog.services import hold_head, publish
from apps.catalog.typed import read_value
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.sizing.compatibility_rules import stands_on

NAMING_CARDS = frozenset({"accelerators", "accelerators_seen"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is proposed, as it was typed; `source_ref` may be empty."""

    key: str
    value: str
    source: str
    source_ref: str
    as_of: date
    confidence: str
    reason: str


@transaction.atomic
def proposal_make(*, item: Item, correction: Correction, actor: User) -> Proposal:
    """Propose a fact of an item.

    Raises:
        NotAllowed: clients propose nothing.
        DomainError: the value cannot be true of such a fact.
    """
    if not actor.is_staff_member:
        raise NotAllowed(_("Only the staff corrects the catalog."))
    proposal = Proposal.objects.create(
        item=item,
        proposed_by=actor,
        source=correction.source.strip(),
        reason=correction.reason.strip(),
        **correction_check(item, correction),
    )
    record(actor=actor, action="catalog.propose", subject=proposal, **_about(proposal))
    return proposal


def correction_check(item: Item, correction: Correction) -> dict[str, Any]:
    """The fields of a fact that could be true.

    Raises:
        DomainError: it could not.
    """
    spec = SPECS[item.kind][0].get(correction.key)
    if spec is None:
        raise DomainError(_("Such an item has no such fact."))
    fields = {
        "key": correction.key,
        "value": read_value(correction.value, spec),
        "unit": spec.unit,
        "source_ref": correction.source_ref.strip(),
        "as_of": correction.as_of,
        "confidence": correction.confidence,
    }
    document = {**fields, "as_of": correction.as_of.isoformat(), "source": correction.source}
    try:
        parse_fact(document, item.kind, item.slug)
    except CatalogError as problem:
        raise DomainError(_("This cannot be true of such a fact. Check the value.")) from problem
    if correction.key in NAMING_CARDS:
        check_cards(item, fields["value"])
    return fields


def check_cards(server: Item, slugs: list[str]) -> None:
    """The catalog has every card, and each stands on a board or in a slot as the server has it.

    Raises:
        DomainError: one does not.
    """
    known = Item.objects.filter(kind=Kind.ACCELERATOR, retired=False, slug__in=slugs)
    unknown = sorted(set(slugs) - set(known.values_list("slug", flat=True)))
    if unknown:
        raise DomainError(_("The catalog has no accelerator %(slug)s.") % {"slug": unknown[0]})
    board = (
        server.facts.filter(key="gpu_form_factor", superseded=False).values_list("value").first()
        if server.pk
        else None
    )
    for slug, form_factor in known.values_list("slug", "form_factor"):
        if board is not None and not stands_on(form_factor, board[0]):
            raise DomainError(
                _("%(slug)s does not go into %(server)s: a module is no card, a card is no module.")
                % {"slug": slug, "server": server.slug}
            )


@transaction.atomic
def proposal_approve(*, proposal: Proposal, actor: User, answer: str = "") -> Proposal:
    """Put the proposed fact in force, from the next calculation on.

    Raises:
        NotAllowed: the actor is no administrator, or proposed it.
        Conflict: it was decided before.
        DomainError: it cannot be true any more, because the catalog has changed.
    """
    head = hold_head()
    held = _held(proposal, actor)
    if held.proposed_by_id == actor.pk:
        raise NotAllowed(_("Another administrator decides about your own proposal."))
    if held.key in NAMING_CARDS:
        check_cards(held.item, held.value)
    put_in_force(held, actor)
    publish(head)
    return decided(held, Proposal.State.APPROVED, actor, answer, "catalog.approve")


@transaction.atomic
def proposal_decline(*, proposal: Proposal, actor: User, answer: str) -> Proposal:
    """Refuse a proposal, with the reason.

    Raises:
        NotAllowed: the actor is no administrator.
        Conflict: it was decided before.
        DomainError: no reason is given.
    """
    held = _held(proposal, actor)
    if not answer.strip():
        raise DomainError(_("Say why: the person who proposed it reads this."))
    return decided(held, Proposal.State.DECLINED, actor, answer, "catalog.decline")


@transaction.atomic
def proposal_withdraw(*, proposal: Proposal, actor: User) -> Proposal:
    """Take one's own proposal back.

    Raises:
        NotAllowed: it is somebody else's.
        Conflict: it was decided before.
    """
    held = _open(proposal)
    if held.proposed_by_id != actor.pk:
        raise NotAllowed(_("Only the person who proposed it takes it back."))
    return decided(held, Proposal.State.WITHDRAWN, actor, "", "catalog.withdraw")


def _held(proposal: Proposal, actor: User) -> Proposal:
    if not actor.has_role(Role.ADMINISTRATOR):
        raise NotAllowed(_("An administrator decides about proposals."))
    return _open(proposal)


def _open(proposal: Proposal) -> Proposal:
    held = Proposal.objects.select_for_update(of=("self",)).select_related("item")
    row = held.get(pk=proposal.pk)
    if row.state != Proposal.State.OPEN:
        raise Conflict(_("This proposal has been decided already."))
    return row


def put_in_force(proposal: Proposal, actor: User) -> None:
    """The proposed fact instead of the one in force, which stays beside it."""
    facts = Fact.objects.filter(item=proposal.item)
    present = facts.filter(key=proposal.key, superseded=False).first()
    last = facts.order_by("position").last()
    facts.filter(key=proposal.key).update(superseded=True)
    Fact.objects.create(
        item=proposal.item,
        key=proposal.key,
        value=proposal.value,
        unit=proposal.unit,
        source=proposal.source,
        source_ref=proposal.source_ref,
        as_of=proposal.as_of,
        confidence=proposal.confidence,
        origin=Fact.Origin.APPROVED,
        confirmed_by=actor,
        position=present.position if present else (last.position + 1 if last else 0),
        number=number_of(proposal.value),
        words=words_of(proposal.value),
    )


def decided(
    proposal: Proposal, state: Proposal.State, actor: User, answer: str, action: str
) -> Proposal:
    """The proposal with its decision, stored and in the journal."""
    proposal.state = state
    proposal.decided_by, proposal.decided_at = actor, timezone.now()
    proposal.answer = answer.strip()
    proposal.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    record(actor=actor, action=action, subject=proposal, **_about(proposal))
    return proposal


def _about(proposal: Proposal) -> dict[str, Any]:
    return {"item": proposal.item.slug, "key": proposal.key, "value": proposal.value}
