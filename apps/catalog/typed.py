"""A fact's value as people type it, and back: «1,5», «да», «1, 2, 4», «1: 10, 2: 8»."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.catalog.fact_specs import FactSpec
from apps.core.errors import DomainError
from apps.questionnaire.errors import ParseError
from apps.questionnaire.numbers import read_number

_YES: Final = frozenset({"yes", "да", "true", "1"})
_NO: Final = frozenset({"no", "нет", "false", "0"})
_LONGEST: Final = 2000
_THREE_DECIMALS: Final = re.compile(r"\d{1,3}\.\d{3}")


def read_value(text: str, spec: FactSpec) -> Any:
    """The value of a fact from what was typed.

    Raises:
        DomainError: it cannot be read; the message says how to write it.
    """
    return _READERS[spec.form](text.strip()[:_LONGEST])


def written(value: Any) -> str:
    """The value as `read_value` reads it back."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {count}" for key, count in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = str(value)
    # With three decimals a point could part thousands: one more says that it does not.
    return f"{text}0" if isinstance(value, float) and _THREE_DECIMALS.fullmatch(text) else text


def _number(text: str) -> int | float:
    try:
        read = read_number(text, example="2700")
    except ParseError as problem:
        raise DomainError(str(problem)) from problem
    return int(read) if read == int(read) else float(read)


def _flag(text: str) -> bool:
    if text.casefold() in _YES | _NO:
        return text.casefold() in _YES
    raise DomainError(_("Write yes or no."))


def _word(text: str) -> str:
    return " ".join(text.replace("|", " ").split())


def _members(text: str) -> list[str]:
    return [word for part in text.split(",") if (word := _word(part))]


def _counts(text: str) -> list[int | float]:
    return [_number(part) for part in _members(text)]


def _by_word(text: str) -> dict[str, int | float]:
    pairs = [part.partition(":") for part in _members(text)]
    if not all(mark for _width, mark, _count in pairs):
        raise DomainError(_("Write pairs like 1: 10, 2: 8."))
    return {width.strip(): _number(count) for width, _mark, count in pairs}


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "number": _number,
    "count": _number,
    "flag": _flag,
    "word": _word,
    "words": _members,
    "counts": _counts,
    "counts-by-word": _by_word,
}
