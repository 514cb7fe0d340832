"""Adding an item that the catalog does not have: a draft, which an administrator admits.

A draft is a row with proposals. The staff sees it, nothing counts it. Admitting approves all that
is proposed of it at once, and only when the engine can work with what is stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.urls import NoReverseMatch, resolve, reverse
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.audit.services import record
from apps.catalog.cards import label_of
from apps.catalog.fact_specs import SPECS
from apps.catalog.import_files import ABOUT, FileLine, is_formula
from apps.catalog.models import HARDWARE, Item, Kind, Proposal
from apps.catalog.proposals import NAMING_CARDS, check_cards, decided, put_in_force
from apps.catalog.releases import contents_of
from apps.catalog.schema import CatalogError
from apps.catalog.selectors import proposals_open
from apps.catalog.services import hold_head, publish
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.sizing.assemble import assemble
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.facts import Catalog
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

_LONGEST: Final = {"vendor": 100, "name": 200, "family": 50, "form_factor": 50}
# What an item of a kind cannot do without, beside its facts.
_DESCRIBED: Final[Mapping[str, tuple[str, ...]]] = {
    Kind.ACCELERATOR: ("name", "vendor", "family", "form_factor")
}
# Any task will do: it is asked whether there is an answer, not which.
_PROBE: Final[Mapping[str, object]] = {
    "schema": "podbor.task/1",
    "model": {"kind": "decoder", "params_billion": 7},
    "method": "lora",
}


def drafted(line: FileLine) -> Item:
    """The item that a line describes, not stored.

    Raises:
        DomainError: what it is, is not said or cannot be; the message says how to mend it.
    """
    if not _has_a_page(line.slug):
        raise DomainError(_("A part number is letters, digits and the signs + . _ - up to 100."))
    kinds = [kind.value for kind in HARDWARE]
    if line.kind not in kinds:
        names = ", ".join(kinds)
        raise DomainError(_("The kind of an item is one of: %(names)s.") % {"names": names})
    needed = _DESCRIBED.get(line.kind, ("name", "vendor"))
    missing = [name for name in needed if not getattr(line, name)]
    if missing:
        names = ", ".join(missing)
        raise DomainError(_("A new item needs the columns: %(names)s.") % {"names": names})
    about = {name: getattr(line, name) for name in ABOUT}
    if any(map(is_formula, about.values())):
        raise DomainError(_("This is a formula of a spreadsheet. Write the value itself."))
    if any(len(about[name]) > longest for name, longest in _LONGEST.items()):
        raise DomainError(_("The name, the vendor or the form of the item is too long."))
    if line.kind == Kind.ACCELERATOR:
        for name in ("family", "form_factor"):
            _check_known(name, about[name])
    return Item(slug=line.slug, draft=True, added=True, retired=True, position=0, **about)


def _has_a_page(slug: str) -> bool:
    """Whether the item's address is its own, and not that of another page of the catalog."""
    try:
        return resolve(reverse("catalog:item", args=[slug])).view_name == "catalog:item"
    except NoReverseMatch:
        return False


def _check_known(name: str, value: str) -> None:
    """The engine's rates and rules go by families and forms that it knows."""
    rows = Item.objects.filter(kind=Kind.ACCELERATOR, retired=False).exclude(**{name: ""})
    known = sorted(set(rows.values_list(name, flat=True)))
    if value in known:
        return
    near = get_close_matches(value, known, n=1)
    said = _("“%(value)s” is unknown to the calculation; %(name)s is one of: %(known)s.")
    told = said % {"value": value, "name": name, "known": ", ".join(known)}
    raise DomainError(f"{told} " + _("Is it %(near)s?") % {"near": near[0]} if near else told)


def draft_store(item: Item) -> Item:
    """The draft as a row; the one that is there already, when somebody was first."""
    last = Item.objects.aggregate(last=Max("position"))["last"] or 0
    fields = {name: getattr(item, name) for name in ABOUT}
    state = {"draft": True, "added": True, "retired": True, "position": last + 1}
    stored, _is_new = Item.objects.get_or_create(slug=item.slug, defaults=fields | state)
    return stored


def lacking(kind: str, keys: set[str]) -> list[str]:
    """Names of the facts without which no item of the kind is used."""
    return [label_of(key) for key in SPECS[kind][1] if key not in keys]


def lacking_of(item: Item) -> list[str]:
    """What neither is in force of the item nor waits."""
    stated = set(item.facts.filter(superseded=False).values_list("key", flat=True))
    return lacking(item.kind, stated | {proposal.key for proposal in proposals_open(item)})


@transaction.atomic
def proposals_approve(*, item: Item, actor: User, answer: str = "") -> list[Proposal]:
    """Put everything that waits about an item in force; a draft becomes an item of the catalog.

    Raises:
        NotAllowed: the actor is no administrator, or proposed a part of it.
        Conflict: nothing waits any more.
        DomainError: facts are missing, or the engine cannot work with what is stated.
    """
    head = hold_head()
    held, waiting = _held(item, actor)
    if any(proposal.proposed_by_id == actor.pk for proposal in waiting):
        raise NotAllowed(_("Another administrator decides about your own proposal."))
    if missing := lacking_of(held) if held.draft else []:
        raise DomainError(_("Still to be stated: %(names)s.") % {"names": ", ".join(missing)})
    for proposal in waiting:
        put_in_force(proposal, actor)
    for fact in held.facts.filter(key__in=NAMING_CARDS, superseded=False):
        check_cards(held, fact.value)
    if held.draft:
        held.draft = held.retired = False
        held.save(update_fields=["draft", "retired"])
        record(actor=actor, action="catalog.admit", subject=held, item=held.slug, kind=held.kind)
    release = publish(head)
    _try_out(held, release.sha256)
    approved = Proposal.State.APPROVED
    return [decided(p, approved, actor, answer, "catalog.approve") for p in waiting]


@transaction.atomic
def proposals_decline(*, item: Item, actor: User, answer: str) -> list[Proposal]:
    """Refuse everything that waits about an item, with one reason.

    Raises:
        NotAllowed: the actor is no administrator.
        Conflict: nothing waits any more.
        DomainError: no reason is given.
    """
    _item, waiting = _held(item, actor)
    if not answer.strip():
        raise DomainError(_("Say why: the person who proposed it reads this."))
    declined = Proposal.State.DECLINED
    return [decided(p, declined, actor, answer, "catalog.decline") for p in waiting]


def _held(item: Item, actor: User) -> tuple[Item, list[Proposal]]:
    if not actor.has_role(Role.ADMINISTRATOR):
        raise NotAllowed(_("An administrator decides about proposals."))
    held = Item.objects.select_for_update().get(pk=item.pk)
    waiting = list(proposals_open(held).select_for_update(of=("self",)))
    if not waiting:
        raise Conflict(_("Nothing about this item waits for a decision."))
    return held, waiting


def _try_out(item: Item, sha256: str) -> None:
    """A calculation on the item as it would be.

    Raises:
        DomainError: the engine cannot work with it.
    """
    try:
        catalog = contents_of(sha256).catalog
        for placement in _placements(item, catalog):
            task = parse_task({**_PROBE, "placement": placement})
            platforms = candidate_platforms(task, catalog)
            assemble(task, catalog, platforms, estimate_all(task, catalog, platforms), {})
    except (CatalogError, TaskError, LookupError, TypeError, ValueError) as problem:
        said = _("A calculation cannot work with these facts: %(problem)s")
        raise DomainError(said % {"problem": str(problem)[:200]}) from problem


def _placements(item: Item, catalog: Catalog) -> list[dict[str, object]]:
    if item.kind == Kind.ACCELERATOR:
        return [{"accelerator": item.slug, "gpus": 1}]
    if item.kind == Kind.SERVER:
        server = catalog.servers[item.slug]
        gpus = max(server.gpu_counts)
        cards = server.accelerators
        return [{"server": item.slug, "accelerator": card, "gpus": gpus} for card in cards[:3]]
    return []
