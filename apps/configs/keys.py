"""A file's keys with a memory of which were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.configs.opaque import OPAQUE
from apps.configs.secrets import without_secrets

_MISSING: Final = object()
_MADE_UP: Final = frozenset({"()", "[]"})  # names that the reader of scripts gives to calls
_LISTED: Final = 400
_SHOWN: Final = 80
_LONGEST: Final = 200


class Keys:
    """Read a mapping by dotted paths. What nobody reads is named by `unread`."""

    def __init__(self, tree: Mapping[str, Any], prefix: str = "", used: set[str] | None = None):
        self._tree = tree
        self._prefix = prefix
        self._used = set() if used is None else used
        self._beside: list[Keys] = []

    def beside(self, tree: Mapping[str, Any]) -> Keys:
        """Further keys of the same file, outside this mapping: the arguments of a call."""
        keys = Keys(tree)
        self._beside.append(keys)
        return keys

    def get(self, *paths: str) -> Any:
        """The first stated value among spellings of one key; None when none is stated.

        Unreadable values come back as `OPAQUE`, an empty text as none. All spellings count as read.
        """
        found: Any = None
        for path in paths:
            value = self._at(path)
            if value is _MISSING:
                continue
            self._used.add(self._prefix + path)
            if found is None and value != "":
                found = value
        return found

    def plain(self, *paths: str) -> Any:
        """`get`, with an unreadable value taken for none."""
        value = self.get(*paths)
        return None if value is OPAQUE else value

    def has(self, path: str) -> bool:
        """Whether the key is there at all, empty or not. Does not count as reading."""
        return self._at(path) is not _MISSING

    def states(self, path: str) -> bool:
        """Whether the key holds anything. Does not count as reading."""
        return self._at(path) not in (_MISSING, None, "")

    def part(self, path: str) -> Keys:
        """The mapping under a path as keys of its own; empty when it is no mapping."""
        value = self._at(path)
        inner = value if isinstance(value, Mapping) else {}
        return Keys(inner, f"{self._prefix}{path}.", self._used)

    def items(self, path: str) -> list[Keys]:
        """The mappings in the list under a path."""
        value = self._at(path)
        listed = value if isinstance(value, list) else []
        prefix = f"{self._prefix}{path}[]."
        return [Keys(item, prefix, self._used) for item in listed if isinstance(item, Mapping)]

    def paths(self, deepest: int) -> list[str]:
        """Dotted paths of everything that is no mapping, at most so many names deep."""
        return list(_paths(self._tree, "", deepest))

    def names(self) -> list[str]:
        return list(self._tree)

    def __bool__(self) -> bool:
        return bool(self._tree)

    def unread(self) -> list[str]:
        """Dotted names of the keys that nobody read, in the order of the file, each once."""
        names: dict[str, None] = {}
        for path in _leaves(self._tree, self._prefix):
            if not self._was_read(path) and without_secrets(path) is not None:
                names[path if len(path) <= _SHOWN else path[:_SHOWN] + "…"] = None
                if len(names) >= _LISTED:
                    break
        return list(names)

    def unread_beside(self) -> list[str]:
        """`unread` of what was read with `beside`."""
        names = [name for keys in self._beside for name in keys.unread()]
        return [n for n in dict.fromkeys(names) if not _MADE_UP & set(n.split("."))]

    def _was_read(self, path: str) -> bool:
        while path:
            if path in self._used:
                return True
            path = path[:-2] if path.endswith("[]") else path.rpartition(".")[0]
        return False

    def _at(self, path: str) -> Any:
        if path in self._tree:
            return self._tree[path]
        node: Any = self._tree
        for name in path.split("."):
            if not isinstance(node, Mapping) or name not in node:
                return _MISSING
            node = node[name]
        return node


def _paths(node: Mapping[str, Any], prefix: str, deepest: int) -> Iterator[str]:
    for key, value in node.items():
        if isinstance(value, Mapping) and deepest > 1:
            yield from _paths(value, f"{prefix}{key}.", deepest - 1)
        elif not isinstance(value, Mapping):
            yield f"{prefix}{key}"


def _leaves(node: Any, prefix: str) -> Iterator[str]:
    if isinstance(node, Mapping) and node:
        for key, value in node.items():
            if len(key) > _LONGEST:  # no key of a framework, and too long to repeat below it
                yield f"{prefix}{key[:_SHOWN]}…"
            else:
                yield from _leaves(value, f"{prefix}{key}.")
    elif isinstance(node, list) and any(isinstance(item, Mapping) for item in node):
        for item in node:
            yield from _leaves(item, f"{prefix[:-1]}[].")
    elif prefix and node is not None:  # an empty key states nothing
        yield prefix[:-1]
