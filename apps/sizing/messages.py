"""Sentences the engine wants said, as a key with parameters.

The engine never writes prose: a stored result has to print in every language. `Message` names the
sentence; the layer above owns the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Parameter = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Message:
    """`key` is dotted and stable: `memory.assumption.flash-attention`; `params` are plain JSON.

    A number among the parameters carries its unit in its name (`missing_kw`), so the words can
    format it.
    """

    key: str
    params: Mapping[str, Parameter] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {"key": self.key, "params": dict(self.params)}
