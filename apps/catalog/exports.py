"""A filtered list as a file: one row a fact, with its source. There is no price to export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from apps.catalog.models import Item
from apps.catalog.rows import fact_row

_COLUMNS: Final = (
    "kind",
    "slug",
    "name",
    "vendor",
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
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def as_csv(items: Iterable[Item]) -> str:
    """Comma-separated, UTF-8 with its mark so that spreadsheets read Russian."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    for row in _rows(items):
        writer.writerow({name: _cell(row.get(name, "")) for name in _COLUMNS})
    return "\ufeff" + text.getvalue()


def as_json(items: Iterable[Item]) -> str:
    """Items with their facts, in the form of the shipped files."""
    document = [
        {
            "slug": item.slug,
            "kind": item.kind,
            "name": item.name,
            "vendor": item.vendor,
            "facts": [fact_row(fact) for fact in item.facts.all()],
        }
        for item in items
    ]
    return json.dumps(document, ensure_ascii=False, indent=1)


def _rows(items: Iterable[Item]) -> Iterator[dict[str, Any]]:
    for item in items:
        about = {"kind": item.kind, "slug": item.slug, "name": item.name, "vendor": item.vendor}
        for fact in item.facts.all():
            yield {**about, **fact_row(fact)}


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return json.dumps(value, ensure_ascii=False)


FORMS: Final = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "json": (as_json, "application/json"),
}
