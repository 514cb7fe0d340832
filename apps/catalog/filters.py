"""What a list of the catalog can be narrowed by, and how an address says so.

Only values that the catalog holds are taken from an address; anything else in it is not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.catalog.labels import FORM_FACTOR, GPU_MEMORY
from apps.catalog.layout import ORDERS
from apps.catalog.models import HARDWARE, Fact, Item, Kind
from apps.catalog.releases import present_sha256
from apps.catalog.values import value_text
from apps.core.searching import search_words

MOST_CHOSEN: Final = 4
_SEARCH_LENGTH: Final = 100
SLUG_PATTERN: Final = r"[A-Za-z0-9][A-Za-z0-9+._-]{0,99}"
_SLUG: Final = re.compile(SLUG_PATTERN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """`facts` and `columns` say by kind what is looked at; the kinds they lack have no such
    filter. `at_least` takes everything from the value up."""

    param: str
    label: Promise
    facts: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    at_least: bool = False

    def serves(self, kind: str) -> bool:
        return kind in self.facts or kind in self.columns

    def condition(self, kind: str, value: str) -> Q:
        """What an item must meet to pass."""
        if kind in self.columns:
            name = self.columns[kind] + ("__gte" if self.at_least else "")
            return Q(**{name: float(value) if self.at_least else value})
        facts = Fact.objects.filter(item=OuterRef("pk"), superseded=False, key=self.facts[kind])
        return Q(Exists(facts.filter(words__contains=f"|{value}|")))

    def text(self, kind: str, value: str) -> str:
        """A value as the form offers it."""
        if not self.at_least:
            return value_text(value, "", self.facts.get(kind, ""))
        return _("from %(size)s") % {"size": value_text(float(value), "GB")}


_EVERY: Final = ("", *HARDWARE)
FILTERS: Final = (
    Filter(
        param="vendor",
        label=gettext_lazy("Vendor"),
        columns=dict.fromkeys(_EVERY, "vendor"),
    ),
    Filter(
        param="form",
        label=FORM_FACTOR,
        facts={
            Kind.SERVER: "gpu_form_factor",
            Kind.NIC: "card_form",
            Kind.DRIVE: "drive_form",
            Kind.DIMM: "module_type",
        },
        columns={Kind.ACCELERATOR: "form_factor"},
    ),
    Filter(param="gpus", label=gettext_lazy("Number of GPUs"), facts={Kind.SERVER: "gpu_counts"}),
    Filter(
        param="memory",
        label=GPU_MEMORY,
        columns={Kind.SERVER: "gpu_memory_gb", Kind.ACCELERATOR: "gpu_memory_gb"},
        at_least=True,
    ),
    Filter(
        param="link",
        label=gettext_lazy("Link between GPUs"),
        facts={Kind.SERVER: "gpu_link", Kind.ACCELERATOR: "link"},
    ),
    Filter(param="cooling", label=gettext_lazy("Cooling"), facts={Kind.SERVER: "cooling"}),
    Filter(
        param="socket",
        label=gettext_lazy("Socket"),
        facts={Kind.SERVER: "cpu_socket", Kind.CPU: "socket"},
    ),
    Filter(
        param="host",
        label=gettext_lazy("Link to the host"),
        facts={Kind.NIC: "host_link", Kind.DRIVE: "host_link"},
    ),
    Filter(
        param="availability",
        label=gettext_lazy("Availability"),
        facts={Kind.SERVER: "availability"},
    ),
)


def options_of(kind: str) -> dict[str, tuple[str, ...]]:
    """The values that each filter of a kind offers."""
    found = _options(present_sha256(), kind)
    if not found["vendor"]:
        _options.cache_clear()  # the tables were empty; they will not stay so under this hash
    return found


@lru_cache(maxsize=32)
def _options(_sha256: str, kind: str) -> dict[str, tuple[str, ...]]:
    """Asked of the tables once a release: its hash keeps the answer."""
    items = Item.objects.filter(retired=False, kind__in=[kind] if kind else HARDWARE)
    served = [f for f in FILTERS if f.serves(kind)]
    keys = {f.facts[kind]: f.param for f in served if kind in f.facts}
    values: dict[str, set[Any]] = {f.param: set() for f in served}
    said = Fact.objects.filter(item__in=items, superseded=False, key__in=keys)
    for key, words in said.values_list("key", "words").distinct():
        values[keys[key]].update(words.strip("|").split("|"))
    for wanted in (f for f in served if kind in f.columns):
        column = wanted.columns[kind]
        stored = items.exclude(**{column: None}).values_list(column, flat=True).distinct()
        values[wanted.param].update(map(_plain, filter(None, stored)))
    return {param: tuple(sorted(found, key=_natural)) for param, found in values.items()}


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _natural(value: str) -> tuple[float, str]:
    try:
        return float(value), ""
    except ValueError:
        return float("inf"), value


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What an address asks a list for. `chosen` are slugs ticked for a comparison."""

    kind: str = ""
    search: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    order: str = ""
    chosen: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        return search_words(self.search)

    @property
    def narrowed(self) -> bool:
        return bool(self.search or self.values)

    def query(self, **changes: Any) -> str:
        """The address of this list, with changes, on its first page."""
        return urlencode(replace(self, **changes).pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """Names and values of the address, only those that say something."""
        plain = {"kind": self.kind, "search": self.search, **self.values, "sort": self.order}
        said = [(name, value) for name, value in plain.items() if value]
        return said + [("item", slug) for slug in self.chosen]

    def plain_query(self) -> str:
        """The address of the whole kind; what is ticked stays ticked."""
        return self.query(search="", values={}, order="")

    def of_kind(self, kind: str) -> str:
        """The address of the same search among another kind; its own filters do not go along."""
        kept = {k: v for k, v in self.values.items() if k == "vendor"}
        return self.query(kind=kind, values=kept, order="")


def listing_of(query: QueryDict) -> Listing:
    """What an address asks for; what is not understood is left out."""
    kind = query.get("kind", "")
    kind = kind if kind in HARDWARE else ""
    offered = options_of(kind)
    asked = {param: query.get(param, "") for param in offered}
    order = query.get("sort", "")
    return Listing(
        kind=kind,
        search=" ".join(query.get("search", "").replace("\0", " ").split())[:_SEARCH_LENGTH],
        values={param: value for param, value in asked.items() if value in offered[param]},
        order=order if order in {o.key for o in ORDERS[kind]} else "",
        chosen=slugs_in(query),
    )


def slugs_in(query: QueryDict) -> tuple[str, ...]:
    """Slugs that an address ticks, each once, in its order."""
    return tuple(dict.fromkeys(s for s in query.getlist("item")[:50] if _SLUG.fullmatch(s)))
