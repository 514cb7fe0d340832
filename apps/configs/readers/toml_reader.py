"""TOML as a tree of plain values; dates become text."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, time
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.limits import MAX_DEPTH, check_tree, too_deep
from apps.configs.readers.json_reader import check_nesting

_LINE: Final = re.compile(r"line (\d+)")


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        ConfigError: not TOML, NaN or infinity, too deep or too large.
    """
    check_nesting(text)
    _check_dotted_keys(text)
    try:
        tree = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as problem:
        found = _LINE.search(str(problem))
        line = found.group(1) if found else "1"
        message = _("Line %(line)s is not valid TOML.") % {"line": line}
        raise ConfigError("bad-syntax", message) from None
    check_tree(tree)
    plain: dict[str, Any] = _plain(tree)
    return plain


def _check_dotted_keys(text: str) -> None:
    """`a.a.a.… = 1` nests without a single bracket."""
    for line in text.splitlines():
        if line.partition("=")[0].count(".") > MAX_DEPTH:
            raise too_deep()


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value) for value in node]
    if isinstance(node, datetime | date | time):
        return node.isoformat()
    if isinstance(node, float) and (node != node or abs(node) == float("inf")):
        raise ConfigError("not-finite", _("The file holds NaN or Infinity where a number belongs."))
    if isinstance(node, int) and not isinstance(node, bool) and node.bit_length() > 100:
        return ""  # no training configuration counts so far
    return node
