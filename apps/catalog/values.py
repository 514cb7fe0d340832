"""A fact's value as a person reads it, in the active language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.utils import dateformat
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from apps.catalog.labels import LINK_WORDS, LINKS, UNITS, WORDS
from apps.catalog.models import Fact
from apps.core import formatting


def fact_text(fact: Fact) -> str:
    """The value with its unit."""
    russian = (get_language() or "ru").startswith("ru")
    value = fact.value_ru if russian and fact.value_ru is not None else fact.value
    return value_text(value, fact.unit, fact.key)


def day_text(day: date) -> str:
    """28.11.2026: a page of facts names a day on every line."""
    return dateformat.format(day, pgettext("date in figures", "Y-m-d"))


def note_of(fact: Fact) -> str:
    russian = (get_language() or "ru").startswith("ru")
    return fact.note_ru if russian and fact.note_ru else fact.note


def value_text(value: Any, unit: str, key: str = "") -> str:
    """Any value that a fact may have: a flag, a table of counts, a list, words, a number.

    Args:
        key: of the fact: the words of a link have a meaning of their own.
    """
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(_by_width(width, count) for width, count in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(_members(value))
    if isinstance(value, str):
        return str((LINK_WORDS if key in LINKS else WORDS).get(value, value))
    shown = _exact(value)
    return f"{shown}{formatting.NBSP}{UNITS[unit]}" if unit in UNITS else shown


def _exact(value: float) -> str:
    """A data sheet's figure with every digit it has: nothing here is an estimate."""
    decimals = format(Decimal(str(value)), "f").partition(".")[2].rstrip("0")
    return formatting.number(value, len(decimals))


def _by_width(width: str, count: int) -> str:
    return _("%(count)s of width %(width)s") % {"count": count, "width": width}


def _members(values: Sequence[Any]) -> Iterator[str]:
    """Numbers in a row as a span: 1–8, 10."""
    if not all(isinstance(value, int) for value in values):
        yield from (value_text(value, "") for value in values)
        return
    run: list[int] = []
    for value, after in pairwise([*sorted(values), None]):
        run.append(value)
        if after != value + 1:
            yield from _span(run)
            run = []


def _span(run: list[int]) -> Iterator[str]:
    if len(run) > 2:
        yield f"{formatting.number(run[0])}{formatting.DASH}{formatting.number(run[-1])}"
    else:
        yield from map(formatting.number, run)
