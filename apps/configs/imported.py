"""What an import says of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.configs.draft import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """`fields` in the order of the task's vocabulary; `not_recognised` are keys that were not
    used; `ask` are important fields that stay unknown. `role` says what kind of file it is.
    """

    format: str
    role: str
    fields: Mapping[str, Found]
    not_recognised: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "fields": {
                name: {"value": found.value, "origin": found.origin}
                for name, found in self.fields.items()
            },
            "not_recognised": list(self.not_recognised),
            "ask": list(self.ask),
        }
