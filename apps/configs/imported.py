"""What an import says of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.configs.draft import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """`fields` in the order of the task's vocabulary; `not_recognised` are keys that were not
    used; `ask` are important fields that stay unknown, `references` names of other files that the
    file leaves something to. `role` says what kind of file it is.
    """

    format: str
    role: str
    fields: Mapping[str, Found]
    not_recognised: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "fields": {
                name: {"value": found.value, "origin": found.origin}
                for name, found in self.fields.items()
            },
            "not_recognised": list(self.not_recognised),
            "ask": [*self.ask, *(f"file:{name}" for name in self.references)],
        }
