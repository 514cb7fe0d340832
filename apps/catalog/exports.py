"""A filtered list as a file: one row a fact, with its source. There is no price to export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from apps.catalog.models import Item
from apps.catalog.rows import fact_row
from apps.core.spreadsheets import csv_text

_COLUMNS: Final = (
    "kind",
    "slug",
    "name",
    "vendor",
    "family",
    "form_factor",
    "key",
    "value",
    "unit",
    "superseded",
    "source",
    "source_ref",
    "as_of",
    "confidence",
    "note",
    "note_ru",
)

_OF_ITEM: Final = ("kind", "slug", "name", "vendor", "family", "form_factor")


def as_csv(items: Iterable[Item]) -> str:
    """One row a fact, for spreadsheets."""
    rows = ([_cell(row.get(name, "")) for name in _COLUMNS] for row in _rows(items))
    return csv_text([_COLUMNS, *rows])


def as_json(items: Iterable[Item]) -> str:
    """Items with their facts, in the form of the shipped files."""
    document = [
        {
            "slug": item.slug,
            "kind": item.kind,
            "name": item.name,
            "vendor": item.vendor,
            "family": item.family,
            "form_factor": item.form_factor,
            "facts": [fact_row(fact) for fact in item.facts.all()],
        }
        for item in items
    ]
    return json.dumps(document, ensure_ascii=False, indent=1)


def _rows(items: Iterable[Item]) -> Iterator[dict[str, Any]]:
    for item in items:
        about = {name: getattr(item, name) for name in _OF_ITEM}
        for fact in item.facts.all():
            yield {**about, **fact_row(fact)}


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FORMS: Final = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "json": (as_json, "application/json"),
}
