"""Rows of the catalog document <-> rows of the tables.

The document's form is that of the files under `fixtures/catalog`. Going to the tables and back
gives the same document: its hash names the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from apps.catalog.models import Fact, Item, Kind

# Kind of an item -> its part of the document, in the document's order.
PARTS: Final[Mapping[str, str]] = {
    Kind.SERVER: "servers",
    Kind.ACCELERATOR: "accelerators",
    Kind.CPU: "cpus",
    Kind.NIC: "nics",
    Kind.DRIVE: "drives",
    Kind.DIMM: "dimms",
    Kind.CONSTANT: "constants",
}
CONSTANT_VALUE: Final = "value"
_ENDS: Final = ("low", "typical", "high")
_OPTIONAL_OF_FACT: Final = ("value_ru", "note", "note_ru", "superseded")


def items_in(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every row of the document as an item's row: a constant has one fact."""
    return [
        _constant_as_item(row) if kind == Kind.CONSTANT else row
        for kind, part in PARTS.items()
        for row in document[part]
    ]


def new_item(row: Mapping[str, Any], position: int) -> Item:
    return Item(slug=row["slug"], **item_fields(row, position))


def item_fields(row: Mapping[str, Any], position: int) -> dict[str, Any]:
    """Columns of an item that its row states."""
    return {
        "kind": row["kind"],
        "name": row["name"],
        "vendor": row["vendor"],
        "family": row.get("family", ""),
        "form_factor": row.get("form_factor", ""),
        "position": position,
        "retired": False,
        "draft": False,
    }


def new_facts(item: Item, facts: Iterable[Mapping[str, Any]]) -> list[Fact]:
    """Rows of an item's facts, not yet stored."""
    return [
        Fact(
            item=item,
            position=position,
            key=fact["key"],
            value=fact["value"],
            value_ru=fact.get("value_ru"),
            unit=fact["unit"],
            source=fact["source"],
            source_ref=fact["source_ref"],
            as_of=date.fromisoformat(fact["as_of"]),
            confidence=fact["confidence"],
            note=fact.get("note", ""),
            note_ru=fact.get("note_ru", ""),
            superseded=fact.get("superseded", False),
            number=number_of(fact["value"]),
            words=words_of(fact["value"]),
        )
        for position, fact in enumerate(facts)
    ]


def number_of(value: Any) -> float | None:
    """What a fact is sorted by: itself, or the typical end of a range."""
    if isinstance(value, Mapping):
        value = value.get("typical")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def words_of(value: Any) -> str:
    """What a fact is filtered by: «|a|b|» of a word or of a list."""
    members = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return f"|{'|'.join(map(str, members))}|" if members else ""


def document_of(items: Iterable[Item]) -> dict[str, list[dict[str, Any]]]:
    """Parts of the document that the tables hold, from items with their facts at hand."""
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS.values()}
    for item in items:
        facts = [fact_row(fact) for fact in item.facts.all()]
        if item.kind == Kind.CONSTANT:
            parts["constants"].append(_item_as_constant(item, facts[0]))
        else:
            parts[PARTS[item.kind]].append(_item_row(item, facts))
    return parts


def _item_row(item: Item, facts: list[dict[str, Any]]) -> dict[str, Any]:
    optional = {"family": item.family, "form_factor": item.form_factor}
    return {
        "slug": item.slug,
        "kind": item.kind,
        "name": item.name,
        "vendor": item.vendor,
        **{name: value for name, value in optional.items() if value},
        "facts": facts,
    }


def fact_row(fact: Fact) -> dict[str, Any]:
    """A fact as the document writes it: what is empty is left out."""
    optional = {name: getattr(fact, name) for name in _OPTIONAL_OF_FACT}
    return {
        "key": fact.key,
        "value": fact.value,
        "unit": fact.unit,
        "source": fact.source,
        "source_ref": fact.source_ref,
        "as_of": fact.as_of.isoformat(),
        "confidence": fact.confidence,
        **{name: value for name, value in optional.items() if value},
    }


def _constant_as_item(row: Mapping[str, Any]) -> dict[str, Any]:
    fact = {
        "key": CONSTANT_VALUE,
        "value": {end: row[end] for end in _ENDS},
        "unit": row["unit"],
        "source": row["source_title"],
        "source_ref": row["source_url"],
        "as_of": row["retrieved"],
        "confidence": row["confidence"],
        **{name: row[name] for name in ("note", "note_ru") if row.get(name)},
    }
    name = row["key"]
    return {"slug": name, "kind": Kind.CONSTANT, "name": name, "vendor": "", "facts": [fact]}


def _item_as_constant(item: Item, fact: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "key": item.slug,
        **{end: fact["value"][end] for end in _ENDS},
        "unit": fact["unit"],
        "source_title": fact["source"],
        "source_url": fact["source_ref"],
        "retrieved": fact["as_of"],
        "confidence": fact["confidence"],
        **{name: fact[name] for name in ("note", "note_ru") if name in fact},
    }
