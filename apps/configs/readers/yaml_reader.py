"""YAML as a tree of plain values, built from events so that every limit holds while reading.

Tags are refused but those of YAML's own kinds of values, aliases are copied at the price of the nodes they stand for, a key that comes
twice keeps its last value (as the frameworks do) and is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml
from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.limits import MAX_DEPTH, MAX_NODES, too_deep, too_large
from apps.configs.scalars import resolve_scalar

# libyaml's parser is ten times as fast; without it only a smaller file is read in time.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE: Final = "<<"
_CORE: Final = "tag:yaml.org,2002:"
_TEXT: Final = f"{_CORE}str"
# `!!float $rate`: a kind that a bare word could have, said aloud.
_SAID: Final = frozenset(f"{_CORE}{kind}" for kind in ("int", "float", "bool", "null"))
_KNOWN: Final = frozenset({None, _TEXT, f"{_CORE}map", f"{_CORE}seq"}) | _SAID
_NAMED: Final = 80  # of a key, and
_PATH: Final = 400  # of the path to it: enough to name it


def read_yaml(text: str) -> tuple[Any, tuple[str, ...]]:
    """(the first document, dotted names of keys that came more than once).

    Raises:
        ConfigError: not YAML, a tag, too deep or too large.
    """
    try:
        events = iter(yaml.parse(text, Loader=_LOADER))
        builder = _Builder(events)
        return builder.document(), tuple(builder.repeated)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        raise _not_yaml(mark.line + 1 if mark else 1) from None
    except (yaml.YAMLError, ValueError):
        raise _not_yaml(1) from None


def _not_yaml(line: int) -> ConfigError:
    return ConfigError("bad-syntax", _("Line %(line)s is not valid YAML.") % {"line": line})


class _Builder:
    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._count = 0
        self.repeated: list[str] = []

    def document(self) -> Any:
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                return self._node(event, 1, "")
        return None

    def _node(self, event: yaml.Event, depth: int, path: str) -> Any:
        if depth > MAX_DEPTH:
            raise too_deep()
        before = self._count
        self._charge(1)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if getattr(event, "tag", None) not in _KNOWN:
            raise ConfigError(
                "tag-refused", _("The file uses YAML tags, which are not read. Remove them.")
            )
        value = self._value(event, depth, path)
        if event.anchor is not None:  # type: ignore[attr-defined]
            self._anchors[event.anchor] = (value, self._count - before)  # type: ignore[attr-defined]
        return value

    def _value(self, event: yaml.Event, depth: int, path: str) -> Any:
        if isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0] or event.tag in _SAID
            return resolve_scalar(event.value) if plain else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(depth, path)
        return self._mapping(depth, path)

    def _sequence(self, depth: int, path: str) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1, f"{path}[]"))
        return items

    def _mapping(self, depth: int, path: str) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            self._charge(1)
            key = self._key(event)
            where = f"{path}.{key[:_NAMED]}"[-_PATH:].removeprefix(".")
            value = self._node(next(self._events), depth + 1, where)
            if key == _MERGE and isinstance(value, dict | list):
                _merge(merged, value)
                continue
            if key in own:
                self.repeated.append(where)
            own[key] = value
        return merged | own

    def _key(self, event: yaml.Event) -> str:
        if isinstance(event, yaml.ScalarEvent):
            return event.value
        if isinstance(event, yaml.AliasEvent):
            value = self._alias(event)
            if isinstance(value, str):
                return value
        raise ConfigError("bad-syntax", _("The file has a key that is not a word."))

    def _alias(self, event: yaml.AliasEvent) -> Any:
        known = self._anchors.get(event.anchor or "")
        if known is None:
            raise ConfigError("bad-syntax", _("The file has an alias without its anchor."))
        value, nodes = known
        self._charge(nodes)
        return value

    def _charge(self, nodes: int) -> None:
        self._count += nodes
        if self._count > MAX_NODES:
            raise too_large()


def _merge(into: dict[str, Any], source: dict[str, Any] | list[Any]) -> None:
    """`<<: *base`: earlier sources win over later ones, own keys over all."""
    for part in source if isinstance(source, list) else [source]:
        if isinstance(part, dict):
            into.update({key: value for key, value in part.items() if key not in into})
