"""Dates as people write them: 15.12.2026, 15 декабря 2026, December 15, 2026, 2026-12-15."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.errors import ParseError

_MONTHS: Final = (
    "январ jan",
    "феврал фев feb",
    "март мар mar",
    "апрел апр apr",
    "мая май may",
    "июн jun",
    "июл jul",
    "август авг aug",
    "сентябр сент сен sep",
    "октябр окт oct",
    "ноябр ноя nov",
    "декабр дек dec",
)
_STEMS: Final = {stem: n for n, row in enumerate(_MONTHS, 1) for stem in row.split()}

_ISO: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_POINTS: Final = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_SLASHES: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_SHORT_YEAR: Final = re.compile(r"[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2}")
_DAY_MONTH: Final = re.compile(r"([0-9]{1,2})\s+([^\W\d_]+)\.?,?\s+([0-9]{4})")
_MONTH_DAY: Final = re.compile(r"([^\W\d_]+)\.?\s+([0-9]{1,2}),?\s+([0-9]{4})")
_NO_YEAR: Final = re.compile(r"[0-9]{1,2}\s+[^\W\d_]+\.?|[0-9]{1,2}\.[0-9]{1,2}\.?")
_TAIL: Final = re.compile(r"\s*(?:года|год|г)\.?$")

FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2100


def parse_date(text: str) -> date:
    """Read one calendar day.

    Raises:
        ParseError: there is no day, the year is missing or has two digits, day and month cannot be
            told apart, or the calendar has no such day.
    """
    plain = _TAIL.sub("", " ".join(text.split()).casefold())
    for pattern, order in ((_ISO, "ymd"), (_POINTS, "dmy")):
        found = pattern.fullmatch(plain)
        if found:
            parts = dict(zip(order, (int(g) for g in found.groups()), strict=True))
            return _day(parts["y"], parts["m"], parts["d"])
    found = _SLASHES.fullmatch(plain)
    if found:
        return _slashed(*(int(g) for g in found.groups()))
    found = _DAY_MONTH.fullmatch(plain)
    if found:
        return _day(int(found[3]), _month(found[2]), int(found[1]))
    found = _MONTH_DAY.fullmatch(plain)
    if found:
        return _day(int(found[3]), _month(found[1]), int(found[2]))
    if _SHORT_YEAR.fullmatch(plain) or _NO_YEAR.fullmatch(plain):
        raise ParseError(_("Add the year in four digits, for example 15.12.2026."))
    raise ParseError(_("Write a day, for example 15.12.2026 or 15 December 2026."))


def _slashed(first: int, second: int, year: int) -> date:
    """A slash is day/month in one country and month/day in another."""
    if first > 12:
        return _day(year, second, first)
    if second > 12:
        return _day(year, first, second)
    if first == second:
        return _day(year, first, second)
    raise ParseError(
        _("Day and month cannot be told apart here. Write it like 15.12.2026 or 15 December 2026.")
    )


def _month(word: str) -> int:
    for stem, number in _STEMS.items():
        if word.startswith(stem):
            return number
    raise ParseError(
        _("“%(word)s” is not a month. Write a day, for example 15.12.2026 or 15 December 2026."),
        word=word,
    )


def _day(year: int, month: int, day: int) -> date:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ParseError(
            _("The year is expected between %(first)s and %(last)s."),
            first=FIRST_YEAR,
            last=LAST_YEAR,
        )
    try:
        return date(year, month, day)
    except ValueError as problem:
        raise ParseError(
            _("There is no such day in the calendar. Check the day and the month.")
        ) from problem
