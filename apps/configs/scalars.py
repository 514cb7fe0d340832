"""What a bare word of a file means: the core schema of YAML 1.2, and nothing more.

`1e-4` is a number, `no` and `on` are words, `010` is ten, `1:30` is text. Whether a word means yes
is for the field that reads it to say.
"""

from __future__ import annotations

import re
from typing import Final

Scalar = str | int | float | bool | None

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT: Final = re.compile(r"[-+]?[0-9]{1,30}")
_OCTAL: Final = re.compile(r"0o[0-7]{1,30}")
_HEX: Final = re.compile(r"0x[0-9a-fA-F]{1,25}")
_FLOAT: Final = re.compile(
    r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,3})?"
)


def resolve_scalar(text: str) -> Scalar:
    """The value of an unquoted word. What would not be finite stays text."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if text[0] not in "+-.0123456789":
        return text
    return _number(text)


def _number(text: str) -> Scalar:
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    if _HEX.fullmatch(text):
        return int(text, 16)
    if not _FLOAT.fullmatch(text):
        return text
    value = float(text)
    return value if abs(value) != float("inf") else text
