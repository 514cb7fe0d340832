"""Whether `[ … ]` holds, when the script's own variables say so."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Final

from apps.configs.readers.shell_expand import UNKNOWN, Variables
from apps.configs.readers.shell_words import Token, Word

_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
_ORDERS: Final = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-gt": operator.gt,
    "-ge": operator.ge,
    "-lt": operator.lt,
    "-le": operator.le,
}


def holds(condition: Sequence[Token], variables: Variables) -> bool | None:
    """True or false when it can be said, else None. `&&` and `||` bind from the left."""
    result: bool | None = None
    joined = ""
    words: list[Word] = []
    for token in [*condition, ";"]:
        if isinstance(token, Word):
            words.append(token)
            continue
        if words:
            found = _test(words, variables)
            result = _join(joined, result, found) if joined else found
            words, joined = [], ""
        if token in ("&&", "||"):
            joined = token
    return result


def _join(joint: str, left: bool | None, right: bool | None) -> bool | None:
    decisive = joint == "||"
    if left is decisive or right is decisive:
        return decisive
    return None if left is None or right is None else not decisive


def _test(words: list[Word], variables: Variables) -> bool | None:
    raw = [word.raw for word in words]
    if raw[0] not in ("[", "[[") or raw[-1] not in ("]", "]]"):
        return None
    inner = words[1:-1]
    negated = bool(inner) and inner[0].raw == "!"
    values = [variables.text(word) for word in (inner[1:] if negated else inner)]
    found = _compared(values)
    return not found if negated and found is not None else found


def _compared(values: list[str]) -> bool | None:
    match values:
        case ["-z", value]:
            return None if UNKNOWN in value else value == ""
        case ["-n", value]:
            return None if UNKNOWN in value else value != ""
        case [left, "=" | "==", right]:
            return None if UNKNOWN in left + right else left == right
        case [left, "!=", right]:
            return None if UNKNOWN in left + right else left != right
        case [left, order, right] if order in _ORDERS:
            if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
                return bool(_ORDERS[order](int(left), int(right)))
    return None
