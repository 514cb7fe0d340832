"""Where the numbers of a formula come from: rows of the catalog, numbered as they are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

from django.utils import dateformat
from django.utils.translation import pgettext

from apps.catalog.releases import Contents
from apps.estimation.wording.source_titles import source_title


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`day` is ISO and may be empty, `address` too."""

    number: int
    title: str
    address: str
    day: str

    @property
    def dated(self) -> str:
        """The day in figures, as the language writes it."""
        if not self.day:
            return ""
        pattern = pgettext("date in figures", "Y-m-d")
        return dateformat.format(date.fromisoformat(self.day), pattern)

    @property
    def link(self) -> str:
        """The address where it is one and nothing else; a catalog may name several in words."""
        whole = self.address.startswith(("https://", "http://")) and " " not in self.address
        return self.address if whole else ""


@dataclass(slots=True)
class SourceBook:
    """Sources by the reference of an input; each gets its number when it is first asked for."""

    known: Mapping[str, tuple[str, str, str]]
    _told: dict[tuple[str, str], Source] = field(default_factory=dict)

    @classmethod
    def of(cls, contents: Contents, explanation: Mapping[str, Any]) -> Self:
        """The sources that an explanation needs, out of a catalog."""
        leaves = explanation["inputs"].values()
        found = {leaf["reference"]: source_of(leaf, contents) for leaf in leaves}
        return cls(known={key: source for key, source in found.items() if source})

    def as_dict(self) -> dict[str, list[str]]:
        """Plain JSON; `from_dict` reads it."""
        return {reference: list(source) for reference, source in self.known.items()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls(known={key: (row[0], row[1], row[2]) for key, row in document.items()})

    def number_of(self, leaf: Mapping[str, Any]) -> int | None:
        source = self.known.get(leaf["reference"]) if leaf["origin"] in _WITH_SOURCE else None
        if source is None:
            return None
        title, address, day = source
        title = source_title(title)
        told = self._told.get((title, address))
        number = told.number if told else len(self._told) + 1
        day = (told.day if told else "") or day
        self._told[title, address] = Source(number=number, title=title, address=address, day=day)
        return number

    @property
    def told(self) -> tuple[Source, ...]:
        return tuple(self._told.values())


_WITH_SOURCE = frozenset({"catalog", "calibration", "framework"})


def source_of(leaf: Mapping[str, Any], contents: Contents) -> tuple[str, str, str] | None:
    """Title, address and day of what a number was taken from; None when it has no row."""
    origin, reference = leaf["origin"], leaf["reference"]
    if origin == "catalog":
        return _of_catalog(reference, contents)
    if origin in ("calibration", "framework"):
        table, _slash, key = reference.partition("/")
        rows = contents.document["calibration"].get(table) or ()
        row = next((r for r in rows if r["key"] == key), None)
        return (row["source"], "", row.get("as_of") or "") if row else None
    return None


def _of_catalog(reference: str, contents: Contents) -> tuple[str, str, str] | None:
    item, _colon, fact_key = reference.partition(":")
    row = contents.rows.get(item)
    if row is None:
        return None
    if not fact_key:
        if "source_title" in row:
            return row["source_title"], row["source_url"], row["retrieved"]
        return row.get("source") or "", "", ""
    facts = [f for f in row["facts"] if f["key"] == fact_key and not f.get("superseded")]
    if not facts:
        return None
    fact = facts[0]
    return fact["source"], fact["source_ref"] or "", fact["as_of"]
