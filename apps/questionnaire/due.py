"""By which day somebody means to know: written freely, read where it can be."""

from __future__ import annotations

from datetime import date
from typing import Final

from apps.questionnaire.dates import parse_date
from apps.questionnaire.errors import ParseError

_HALF_A_YEAR_DAYS: Final = 183
_LEAD_WORDS: Final = ("до ", "к ", "by ", "until ")


def due_day(text: str, today: date) -> date | None:
    """The day that is meant, or None. A day without a year is the nearest one: «4 декабря» may
    lie behind us, and then it is overdue.
    """
    plain = " ".join(text.split())
    for word in _LEAD_WORDS:
        if plain.casefold().startswith(word):
            plain = plain[len(word) :]
    exact = _read(plain)
    if exact is not None:
        return exact
    near = [_read(_with_year(plain, year)) for year in (today.year - 1, today.year, today.year + 1)]
    days = [day for day in near if day is not None]
    closest = min(days, key=lambda day: abs((day - today).days), default=None)
    if closest is None or abs((closest - today).days) > _HALF_A_YEAR_DAYS:
        return None
    return closest


def _with_year(text: str, year: int) -> str:
    day = text.rstrip(".")
    joined = "." if day.replace(".", "").isdigit() else " "
    return f"{day}{joined}{year}"


def _read(text: str) -> date | None:
    try:
        return parse_date(text)
    except ParseError:
        return None
