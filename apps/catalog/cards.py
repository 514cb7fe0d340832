"""Catalog rows as a page shows them: facts with source, date and trust; what fits what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from apps.catalog.labels import CONFIDENCE, FACTS, UNITS, WORDS
from apps.catalog.readers import FIXTURES, load_rows
from apps.core.formatting import number

KINDS = ("server", "accelerator")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One fact in words. `superseded` is one that another source contradicts and we do not use."""

    key: str
    label: str
    value: str
    source: str
    source_ref: str
    as_of: str
    confidence: str
    note: str
    superseded: bool

    @property
    def has_link(self) -> bool:
        return self.source_ref.startswith("https://") and " " not in self.source_ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One server or accelerator."""

    slug: str
    kind: str
    name: str
    vendor: str
    facts: tuple[FactLine, ...]
    fits: tuple[str, ...]

    def fact(self, key: str) -> FactLine | None:
        return next((f for f in self.facts if f.key == key and not f.superseded), None)

    @property
    def newest_fact(self) -> str:
        return max((f.as_of for f in self.facts), default="")


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, Any]]:
    files = ("servers.json", "accelerators.json")
    return {row["slug"]: row for name in files for row in load_rows(FIXTURES / name)}


def _taken_by(row: dict[str, Any]) -> tuple[str, ...]:
    """What the other side of the pair may be: accelerators of a server, servers of a card."""
    if row["kind"] == "server":
        return tuple(v for f in row["facts"] if f["key"] == "accelerators" for v in f["value"])
    servers = (r for r in _rows().values() if r["kind"] == "server")
    return tuple(r["slug"] for r in servers if row["slug"] in _taken_by(r))


def _value_text(value: Any, unit: str) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_value_text(v, '')}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(_value_text(v, "") for v in value)
    if isinstance(value, str):
        return str(WORDS.get(value, value))
    shown = number(value)
    return f"{shown}\u00a0{UNITS[unit]}" if unit in UNITS else shown


def _line(fact: dict[str, Any]) -> FactLine:
    return FactLine(
        key=fact["key"],
        label=str(FACTS.get(fact["key"], fact["key"])),
        value=_value_text(fact["value"], fact.get("unit", "")),
        source=fact["source"],
        source_ref=fact.get("source_ref") or "",
        as_of=fact["as_of"],
        confidence=str(CONFIDENCE.get(fact["confidence"], fact["confidence"])),
        note=fact.get("note") or "",
        superseded=bool(fact.get("superseded")),
    )


def _card(row: dict[str, Any]) -> Card:
    return Card(
        slug=row["slug"],
        kind=row["kind"],
        name=row["name"],
        vendor=row["vendor"],
        facts=tuple(_line(fact) for fact in row["facts"]),
        fits=_taken_by(row),
    )


def card_of(slug: str) -> Card | None:
    row = _rows().get(slug)
    return _card(row) if row else None


def cards(*, kind: str = "", search: str = "") -> list[Card]:
    """Cards of a kind whose name, SKU or vendor holds the words, in the catalog's order."""
    words = search.casefold().split()
    return [
        _card(row)
        for row in _rows().values()
        if (not kind or row["kind"] == kind)
        and all(w in f"{row['slug']} {row['name']} {row['vendor']}".casefold() for w in words)
    ]
