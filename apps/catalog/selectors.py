"""What the catalog's pages read. Everybody may: facts about hardware are nobody's secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.catalog.filters import FILTERS, Listing
from apps.catalog.layout import ORDERS, Order
from apps.catalog.models import HARDWARE, Fact, Item, Proposal, Use


def items_of(listing: Listing) -> QuerySet[Item]:
    """Items that pass, in the order asked for; those named like the search before those that
    only mention it."""
    rows = _found(listing)
    if listing.kind:
        rows = rows.filter(kind=listing.kind)
    for wanted in FILTERS:
        if wanted.param in listing.values and wanted.param != "vendor":
            rows = rows.filter(wanted.condition(listing.kind, listing.values[wanted.param]))
    order = next((o for o in ORDERS[listing.kind] if o.key == listing.order), None)
    return _ordered(rows, order, listing.words)


def counts_of(listing: Listing) -> dict[str, int]:
    """How many items of each kind the search and the vendor leave, whatever kind is shown."""
    counted = _found(listing).order_by().values_list("kind").annotate(Count("pk"))
    found = dict(counted)
    return {kind.value: found.get(kind.value, 0) for kind in HARDWARE}


def _found(listing: Listing) -> QuerySet[Item]:
    rows = Item.objects.filter(retired=False, kind__in=HARDWARE)
    if "vendor" in listing.values:
        rows = rows.filter(vendor=listing.values["vendor"])
    for word in listing.words:
        rows = rows.filter(search_text__contains=word)
    return rows


def _ordered(rows: QuerySet[Item], order: Order | None, words: Sequence[str]) -> QuerySet[Item]:
    if order is None:
        by_name = [_named_first(words)] if words else []
        return rows.order_by(*by_name, _KIND_ORDER, "position")
    column = order.column
    if order.fact:
        figure = Fact.objects.filter(item=OuterRef("pk"), key=order.fact, superseded=False)
        rows = rows.annotate(figure=Subquery(figure.values("number")[:1]))
        column = "figure"
    term = F(column)
    way = term.desc(nulls_last=True) if order.descending else term.asc(nulls_last=True)
    return rows.order_by(way, "position")


def _named_first(words: Sequence[str]) -> Case:
    named = Q(*(Q(search_name__contains=word) for word in words))
    return Case(When(named, then=Value(0)), default=Value(1), output_field=IntegerField())


_KIND_ORDER = Case(
    *(When(kind=kind, then=Value(place)) for place, kind in enumerate(HARDWARE)),
    output_field=IntegerField(),
)


def facts_in_force(items: Iterable[Item], keys: Iterable[str]) -> dict[int, dict[str, Fact]]:
    """Facts of these keys by item and key, in one query."""
    rows = Fact.objects.filter(item__in=list(items), superseded=False, key__in=set(keys))
    found: dict[int, dict[str, Fact]] = {}
    for fact in rows:
        found.setdefault(fact.item_id, {})[fact.key] = fact
    return found


def item_get(slug: str, *, drafts: bool = False) -> Item:
    """An item with its facts, also a retired one: documents still name it.

    Args:
        drafts: also one that is only proposed, which the staff sees.

    Raises:
        Http404: there is none.
    """
    rows = Item.objects.filter(kind__in=HARDWARE).prefetch_related("facts__confirmed_by")
    if not drafts:
        rows = rows.filter(draft=False)
    item = rows.filter(slug=slug).first()
    if item is None:
        raise Http404
    return item


def items_named(slugs: Sequence[str]) -> list[Item]:
    """Items with their facts, in the order of `slugs`; unknown ones are left out."""
    rows = Item.objects.filter(slug__in=slugs, kind__in=HARDWARE, draft=False)
    rows = rows.prefetch_related("facts")
    found = {item.slug: item for item in rows}
    return [found[slug] for slug in slugs if slug in found]


def items_in_use(calculation: UUID) -> list[Item]:
    """Items that the assessment of a calculation names, in the catalog's order."""
    slugs = Use.objects.filter(calculation=calculation).values("slug")
    return list(Item.objects.filter(slug__in=slugs).order_by("position"))


def proposals_all() -> QuerySet[Proposal]:
    """Every proposal, those that wait first."""
    waiting = Case(
        When(state=Proposal.State.OPEN, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    rows = Proposal.objects.select_related("item", "proposed_by", "decided_by")
    return rows.order_by(waiting, "-proposed_at")


def proposals_open(item: Item) -> QuerySet[Proposal]:
    """What waits for a decision about an item, in the order it was proposed."""
    rows = Proposal.objects.filter(item=item, state=Proposal.State.OPEN)
    return rows.select_related("item", "proposed_by").order_by("proposed_at", "pk")


def proposal_get(proposal_id: UUID) -> Proposal:
    """A proposal; the staff sees all of them.

    Raises:
        Http404: there is none.
    """
    return get_object_or_404(Proposal, pk=proposal_id)


def old_facts(before: date) -> QuerySet[Fact]:
    """Facts in force of an earlier day, the oldest first."""
    rows = Fact.objects.filter(
        superseded=False, as_of__lt=before, item__retired=False, item__kind__in=HARDWARE
    )
    return rows.select_related("item", "confirmed_by").order_by("as_of", "item__position", "pk")


def calculations_with(slug: str) -> QuerySet[Use, UUID]:
    """Identifiers of the calculations whose assessment names the item."""
    return Use.objects.filter(slug=slug).values_list("calculation", flat=True)


def uses_count(slug: str) -> int:
    """How many assessments name the item."""
    return Use.objects.filter(slug=slug).count()
