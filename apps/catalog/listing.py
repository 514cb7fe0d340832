"""A list of the catalog as a page shows it: tabs, filters, rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.catalog.cards import label_of
from apps.catalog.filters import FILTERS, Listing, options_of
from apps.catalog.labels import KINDS, UNITS
from apps.catalog.layout import COLUMNS, IN_SHORT, ORDERS
from apps.catalog.models import HARDWARE, Fact, Item
from apps.catalog.selectors import counts_of, facts_in_force
from apps.catalog.values import day_text, fact_text
from apps.core.formatting import not_given
from apps.core.paging import FilterLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """One filter of the form; the empty value is offered first."""

    param: str
    label: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCell:
    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    slug: str
    name: str
    kind: str
    cells: tuple[ListCell, ...]
    newest_fact: str
    chosen: bool


def tabs_of(listing: Listing) -> list[FilterLink]:
    """All kinds, then each with its count."""
    counts = counts_of(listing)
    links = [("", pgettext("kinds", "All"), sum(counts.values()))]
    links += [(kind.value, str(kind.label).capitalize(), counts[kind.value]) for kind in HARDWARE]
    return [
        FilterLink(
            label=label, count=count, query=listing.of_kind(kind), current=kind == listing.kind
        )
        for kind, label, count in links
    ]


def selects_of(listing: Listing) -> list[Select]:
    """The filters of the kind that is shown, and the orders; one without a choice is left out."""
    offered = options_of(listing.kind)
    selects = [
        Select(
            param=wanted.param,
            label=str(wanted.label),
            options=tuple(
                Option(
                    value=value,
                    label=wanted.text(listing.kind, value),
                    chosen=listing.values.get(wanted.param) == value,
                )
                for value in offered[wanted.param]
            ),
        )
        for wanted in FILTERS
        if len(offered.get(wanted.param, ())) > 1
    ]
    orders = tuple(
        Option(value=order.key, label=str(order.label), chosen=listing.order == order.key)
        for order in ORDERS[listing.kind]
    )
    return [*selects, Select(param="sort", label=_("Sorting"), options=orders)]


def heads_of(listing: Listing) -> list[str]:
    """Column heads of the facts."""
    return [label_of(key) for key in COLUMNS[listing.kind]] if listing.kind else [_("In short")]


def rows_of(listing: Listing, items: Iterable[Item]) -> list[ListRow]:
    """The rows of one page; one query for all of their facts."""
    shown = list(items)
    keys = {key for item in shown for key in _keys(listing, item)}
    facts = facts_in_force(shown, keys)
    return [
        ListRow(
            slug=item.slug,
            name=item.name,
            kind=str(KINDS[item.kind]),
            cells=_cells(listing, item, facts.get(item.pk, {})),
            newest_fact=day_text(item.newest_fact) if item.newest_fact else not_given(),
            chosen=item.slug in listing.chosen,
        )
        for item in shown
    ]


def _keys(listing: Listing, item: Item) -> tuple[str, ...]:
    return COLUMNS[item.kind] if listing.kind else IN_SHORT[item.kind]


def _cells(listing: Listing, item: Item, facts: dict[str, Fact]) -> tuple[ListCell, ...]:
    keys = _keys(listing, item)
    if listing.kind:
        return tuple(
            ListCell(
                label=label_of(key), value=fact_text(facts[key]) if key in facts else not_given()
            )
            for key in keys
        )
    said = [_in_short(facts[key]) for key in keys if key in facts]
    return (ListCell(label=_("In short"), value=" · ".join(said)),)


def _in_short(fact: Fact) -> str:
    """Words and figures with a unit say what they are; a bare figure needs its label."""
    speaks = isinstance(fact.value, str) or fact.unit in UNITS
    return fact_text(fact) if speaks else f"{label_of(fact.key)}: {fact_text(fact)}"
