"""Tables as files that spreadsheets open, and that do nothing when they are opened."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


def safe_cell(text: str) -> str:
    """The text as a text, whatever it begins with; a number with a sign stays one."""
    harmless = not text.startswith(_FORMULA) or _NUMBER.fullmatch(text)
    return text if harmless else f"'{text}"


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Comma-separated, UTF-8 with its mark so that spreadsheets read Russian; the first row is the
    heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return "\ufeff" + text.getvalue()
