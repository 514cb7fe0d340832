"""Values of keys as numbers, flags, words and lists: what the text means, or None."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.opaque import OPAQUE
from apps.configs.secrets import without_secrets

_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,19}|[-+]?[0-9]{1,3}(?:_[0-9]{3}){1,6}", re.ASCII)
_DECIMAL: Final = re.compile(
    r"[-+]?(?:[0-9]{1,19}\.?[0-9]{0,19}|\.[0-9]{1,19})(?:[eE][-+]?[0-9]{1,2})?", re.ASCII
)
_YES: Final = frozenset({"true", "yes", "on", "y", "1"})
_NO: Final = frozenset({"false", "no", "off", "n", "0", "none", "disabled"})
_LARGEST: Final = 10**19
_TEXT_LENGTH: Final = 200
_LIST_LENGTH: Final = 5_000


def as_number(value: Any) -> float | int | None:
    """A finite number, also one that a file wrote as text (`1e-4`, `500_000`)."""
    if isinstance(value, str):
        text = value.strip()
        if _WHOLE.fullmatch(text):
            return int(text)
        return float(text) if _DECIMAL.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < _LARGEST else None


def as_count(value: Any) -> int | None:
    """A whole number above zero. -1 and `auto` are how files say that something else decides."""
    number = as_number(value)
    return int(number) if number is not None and number >= 1 and number == int(number) else None


def as_positive(value: Any) -> float | int | None:
    number = as_number(value)
    return number if number is not None and number > 0 else None


def as_kept(value: Any) -> int | None:
    """How many are kept: -1 is all of them, which is no number."""
    number = as_number(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


def as_share(value: Any) -> float | int | None:
    number = as_number(value)
    return number if number is not None and 0 <= number <= 1 else None


def as_flag(value: Any) -> bool | None:
    """True or false, however it is written."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _YES else False if word in _NO else None
    return None


def as_text(value: Any) -> str | None:
    """One line of text without anything secret in it."""
    if not isinstance(value, str) or len(value) > 2 * _TEXT_LENGTH:
        return None
    clean = without_secrets(value.strip())
    fits = clean and len(clean) <= _TEXT_LENGTH and clean.isprintable() and "${" not in clean
    return clean if fits else None


def as_word(value: Any) -> str:
    """A word for comparing: lower case, nothing when it is no word."""
    return value.strip().lower() if isinstance(value, str) else ""


def as_list(value: Any) -> list[str]:
    """Names of a list, of text with commas or spaces, or of a list written as text."""
    if isinstance(value, str):
        inside = value[:_LIST_LENGTH].strip()
        if inside[:1] == "[" and inside[-1:] == "]" and not re.search(r"[\\()|]", inside):
            inside = inside[1:-1]
        value = [inside] if re.search(r"[\\()|]", inside) else re.split(r"[,\s]+", inside)
    if not isinstance(value, list):
        return []
    names = [as_text(v.strip().strip("'\"")) for v in value if isinstance(v, str)]
    return [name for name in names if name]


def truthy(value: Any) -> bool:
    """Whether a key asks for something: a path or a list as well as `true`."""
    if value is None or value is OPAQUE:
        return False
    flag = as_flag(value)
    return bool(value) if flag is None else flag


def product(*counts: int | None) -> int | None:
    """The product when every factor is known."""
    total = 1
    for count in counts:
        if count is None:
            return None
        total *= count
    return total
