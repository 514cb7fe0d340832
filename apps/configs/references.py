"""References of OmegaConf: `${a.b}` and `${.sibling}` are followed, all others are unreadable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from apps.configs.opaque import OPAQUE

_ONE: Final = re.compile(r"\$\{(\.*)([\w.\[\]-]+)\}")
_MISSING: Final = "???"
_MAX_STEPS: Final = 10


def resolve_references(tree: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `tree` with plain references replaced by what they point to.

    A string that is only in part a reference stays as it is; one that points nowhere, calls a
    resolver or is the mark of a missing value becomes unreadable.
    """
    resolved: dict[str, Any] = _copied(tree, tree, ())
    return resolved


def _copied(node: Any, root: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    if isinstance(node, Mapping):
        return {key: _copied(value, root, (*path, key)) for key, value in node.items()}
    if isinstance(node, list):
        return [_copied(value, root, path) for value in node]
    return _followed(node, root, path)


def _followed(value: Any, root: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    for _step in range(_MAX_STEPS):
        if value == _MISSING:
            return OPAQUE
        if not isinstance(value, str) or not value.startswith("${"):
            return value
        found = _ONE.fullmatch(value)
        if not found:
            return OPAQUE if value.endswith("}") else value
        dots, name = found.groups()
        path = (
            (*path[: len(path) - len(dots)], *name.split(".")) if dots else tuple(name.split("."))
        )
        value = _at(root, path)
    return OPAQUE


def _at(root: Any, path: tuple[str, ...]) -> Any:
    node = root
    for name in path:
        if not isinstance(node, Mapping) or name not in node:
            return OPAQUE
        node = node[name]
    return node if not isinstance(node, Mapping | list) else OPAQUE
