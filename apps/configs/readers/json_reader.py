"""JSON without its traps: repeated keys, NaN, endless numbers, depth."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.limits import MAX_DEPTH, check_tree, too_deep
from apps.configs.scalars import resolve_scalar

# A string that never ends takes the rest: looking for its end from every quote would be quadratic.
_TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


def read_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ConfigError: not JSON, a key that comes twice, NaN or Infinity, too deep or too large.
    """
    check_nesting(text)
    try:
        tree = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=resolve_scalar,
            parse_float=resolve_scalar,
        )
    except (json.JSONDecodeError, RecursionError) as problem:
        line = getattr(problem, "lineno", 1)
        message = _("Line %(line)s is not valid JSON.") % {"line": line}
        raise ConfigError("bad-syntax", message) from None
    check_tree(tree)
    return tree


def check_nesting(text: str) -> None:
    """Refuse brackets nested so deep that a recursive parser would fall over them."""
    depth = 0
    for token in _TOKENS.finditer(text):
        mark = token.group()
        depth += (mark in "[{") - (mark in "]}")
        if depth > MAX_DEPTH:
            raise too_deep()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ConfigError("duplicate-key", _("The file states a key twice in one object."))
    return found


def _refuse_constant(_name: str) -> None:
    raise ConfigError("not-finite", _("The file holds NaN or Infinity where a number belongs."))
