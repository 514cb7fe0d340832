"""Facts in a file, as the catalog exports them: CSV or JSON. What comes in is hostile.

Nothing is guessed: a file is read whole or refused with what to do about it. There is no price in
the catalog and so none in its files.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from django.utils.translation import gettext as _

from apps.catalog.typed import written
from apps.core.errors import DomainError

MAX_BYTES: Final = 2 * 2**20
MAX_LINES: Final = 5000
COLUMNS: Final = ("slug", "key", "value", "unit", "source", "source_ref", "as_of", "confidence")
# What an item is; read only where the catalog does not have it.
ABOUT: Final = ("kind", "name", "vendor", "family", "form_factor")
_REQUIRED: Final = ("slug", "key", "value", "source", "as_of", "confidence")
_LONGEST_CELL: Final = 4000
_MOST_COLUMNS: Final = 40
_POINT: Final = re.compile(r"^\d+\.\d+$")
_FORMULA: Final = re.compile(r"^[=+@\t\r-]")
_MONEY: Final = re.compile(
    r"price|cost|msrp|\b(?:usd|eur|rub|cny)\b|цен[аыуе]|стоимост|руб", re.IGNORECASE
)


class ImportFileError(DomainError):
    """The file cannot be read as facts; the message says what to do."""

    code = "bad-catalog-file"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """One fact of the file as text. `number` is its line, or its place in a JSON file.

    `kind` … `form_factor` describe the item itself and are read only when the catalog has none.
    `has_inner_comma`: a member of its list has a comma inside, so that the text does not say where
    the member ends.
    """

    number: int
    slug: str
    key: str
    value: str
    unit: str = ""
    source: str = ""
    source_ref: str = ""
    as_of: str = ""
    confidence: str = ""
    kind: str = ""
    name: str = ""
    vendor: str = ""
    family: str = ""
    form_factor: str = ""
    has_inner_comma: bool = False


def read_import_file(content: bytes) -> list[FileLine]:
    """The facts of a file. Values that another source contradicts are left out: they are not used.

    Raises:
        ImportFileError: it is too large, in another encoding, of another form, or has prices.
    """
    if len(content) > MAX_BYTES:
        _refuse(
            _("The file is larger than %(limit)s KiB. Split it.") % {"limit": MAX_BYTES // 1024}
        )
    text = _decoded(content)
    if not text.strip():
        _refuse(_("The file is empty."))
    found = list(_from_json(text) if text.lstrip()[0] in "[{" else _from_csv(text))
    if len(found) > MAX_LINES:
        _refuse(_("There are more than %(limit)s facts. Split the file.") % {"limit": MAX_LINES})
    if not found:
        _refuse(_("There is no fact in the file."))
    return found


def _refuse(message: str) -> NoReturn:
    raise ImportFileError(message)


def _decoded(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        message = _("The file is not in UTF-8. In a spreadsheet save it as “CSV UTF-8”.")
        raise ImportFileError(message) from problem
    if "\0" in text:
        _refuse(_("This is no text file. Save it as CSV or JSON."))
    return text


def _from_csv(text: str) -> Iterator[FileLine]:
    head = text.splitlines()[0]
    mark = ";" if head.count(";") > head.count(",") else ","
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    try:
        columns = _columns(next(reader))
        for cells in reader:
            if any(cell.strip() for cell in cells):
                row = dict(zip(columns, map(_cell, cells), strict=False))
                if row.get("superseded") != "true":
                    yield _line(reader.line_num, row, is_exact=mark == ",")
    except csv.Error as problem:
        message = _("Line %(line)s cannot be read: check its quotes.") % {"line": reader.line_num}
        raise ImportFileError(message) from problem


def _columns(cells: list[str]) -> list[str]:
    columns = [cell.strip().casefold() for cell in cells]
    if len(columns) > _MOST_COLUMNS:
        _refuse(_("There are too many columns. Take those of the exported file."))
    for column in columns:
        _no_money(column)
    missing = [column for column in _REQUIRED if column not in columns]
    if missing:
        names = ", ".join(missing)
        _refuse(_("Columns are missing: %(names)s. Take the exported file.") % {"names": names})
    return columns


def _cell(cell: str) -> str:
    """The exported file puts an apostrophe before what a spreadsheet would take for a formula."""
    text = cell[:_LONGEST_CELL]
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def _line(number: int, row: Mapping[str, str], *, is_exact: bool) -> FileLine:
    fields = {name: row.get(name, "").strip() for name in (*COLUMNS, *ABOUT)}
    _no_money(fields["key"])
    value = _unpacked(fields["value"], is_exact=is_exact)
    return FileLine(
        number=number,
        has_inner_comma=_has_inner_comma(value),
        **fields | {"value": _as_text(value)},
    )


def _unpacked(text: str, *, is_exact: bool) -> Any:
    """A list or a table stands in a cell as JSON; so does a number, where the comma parts cells
    and cannot part its digits."""
    if (
        text.startswith(("[", "{"))
        or text in ("true", "false")
        or (is_exact and _POINT.match(text))
    ):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _has_inner_comma(value: Any) -> bool:
    return isinstance(value, list) and any("," in str(member) for member in value)


def _from_json(text: str) -> Iterator[FileLine]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as problem:
        message = _("The file is not JSON: take the exported file as an example.")
        raise ImportFileError(message) from problem
    items = document if isinstance(document, list) else [document]
    number = 0
    for item in items:
        for fact in _facts_in(item):
            number += 1
            if fact.get("superseded"):
                continue
            row = {name: _as_text(fact.get(name)) for name in COLUMNS}
            _no_money(row["key"])
            yield FileLine(
                number=number,
                has_inner_comma=_has_inner_comma(fact.get("value")),
                **row | {name: _as_text(item.get(name)) for name in ("slug", *ABOUT)},
            )


def _facts_in(item: Any) -> list[dict[str, Any]]:
    facts = item.get("facts") if isinstance(item, dict) else None
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        _refuse(_("Each item has a slug and a list of facts: take the exported file."))
    for name in (*item, *(name for fact in facts for name in fact)):
        _no_money(name)
    return facts


def _as_text(value: Any) -> str:
    return ("" if value is None else written(value)).strip()[:_LONGEST_CELL]


def _no_money(name: str) -> None:
    if _MONEY.search(name):
        name = name[:60]
        _refuse(_("“%(name)s”: the catalog keeps no prices. Leave them out.") % {"name": name})


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would take the text for a formula."""
    return bool(_FORMULA.match(text))
