"""How large a file may be in every sense in which a small file can be made large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError

MAX_BYTES: Final = 2**20
# Python's own parser needs far more memory and time per byte than the others.
MAX_SCRIPT_BYTES: Final = 2**17
MAX_DEPTH: Final = 40
MAX_NODES: Final = 10_000


def too_large() -> ConfigError:
    return ConfigError(
        "too-large",
        _(
            "The file holds more than a training configuration ever does. Send the part that counts."
        ),
    )


def too_deep() -> ConfigError:
    return ConfigError(
        "too-deep",
        _("The file is nested deeper than %(levels)s levels.") % {"levels": MAX_DEPTH},
    )


def check_tree(tree: object) -> None:
    """Refuse a tree that is too deep or has too many nodes. Iterative: it may be deeper than
    Python can recurse.

    Raises:
        ConfigError: `too-deep` or `too-large`.
    """
    count = 0
    pending: list[tuple[object, int]] = [(tree, 1)]
    while pending:
        node, depth = pending.pop()
        count += 1
        if count > MAX_NODES:
            raise too_large()
        if depth > MAX_DEPTH:
            raise too_deep()
        pending.extend((child, depth + 1) for child in _children(node))


def _children(node: object) -> list[Any]:
    if isinstance(node, Mapping):
        return list(node.values())
    return node if isinstance(node, list) else []
