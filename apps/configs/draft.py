"""What is known of a file so far: values, where each comes from, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.configs.fields import fitting
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import as_text

FILE: Final = "file"
DEFAULT: Final = "framework default"
GUESS: Final = "guess"
_FILE_NAME: Final = re.compile(r"\.(?:json|ya?ml|toml)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """`origin` is FILE (stated), DEFAULT (the framework's own) or GUESS (to be confirmed).

    `source` names the file where several are read together.
    """

    value: Any
    origin: str
    source: str = ""


class Draft:
    """Fields of one file. A stated value beats the others; among those the first one stays."""

    def __init__(self) -> None:
        self.found: dict[str, Found] = {}
        self.unreadable: set[str] = set()
        self.references: dict[str, None] = {}  # names of other files that say more

    def file(self, field: str, value: Any) -> None:
        """A value the file states. One that no task can hold leaves the field unknown."""
        if value is None or (field in self.found and self.found[field].origin == FILE):
            return
        if value is OPAQUE or (fits := fitting(field, value)) is None:
            self.unreadable.add(field)
            return
        self.found[field] = Found(fits, FILE)
        self.unreadable.discard(field)

    def read(
        self, field: str, keys: Keys, *paths: str, by: Callable[[Any], Any] | None = None
    ) -> Any:
        """State a field from the first of these keys; returns the value, None when unknown.

        A key that holds something `by` makes nothing of leaves the field to no default.
        """
        value = keys.get(*paths)
        if value is None:
            return None
        made = value if value is OPAQUE or by is None else by(value)
        self.file(field, OPAQUE if made is None else made)
        return self.value(field)

    def default(self, field: str, value: Any) -> None:
        self._fill(field, value, DEFAULT)

    def defaults(self, values: Mapping[str, Any]) -> None:
        for field, value in values.items():
            self.default(field, value)

    def guess(self, field: str, value: Any) -> None:
        self._fill(field, value, GUESS)

    def refer(self, value: Any) -> None:
        """Another file of the run, by its name alone: where it lies is nobody's business."""
        if isinstance(value, str) and _FILE_NAME.search(value):
            name = as_text(re.split(r"[/\\]", value.strip())[-1])
            if name:
                self.references[name] = None

    def drop(self, field: str) -> None:
        self.found.pop(field, None)

    def value(self, field: str) -> Any:
        found = self.found.get(field)
        return None if found is None else found.value

    def stated(self, field: str) -> Any:
        """The value if the file states it."""
        found = self.found.get(field)
        return found.value if found is not None and found.origin == FILE else None

    def _fill(self, field: str, value: Any, origin: str) -> None:
        if value is None or field in self.found:
            return
        if origin == DEFAULT and field in self.unreadable:
            return
        fits = fitting(field, value)
        if fits is not None:
            self.found[field] = Found(fits, origin)
