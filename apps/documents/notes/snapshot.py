"""Everything a short document says, frozen. Printing reads it and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from apps.core.canonical import canonical_json, sha256_of

SCHEMA: Final = "podbor.note/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A step of the requisition that its client knows of; `what` is sent or a `Decision.Kind`."""

    letter: str
    what: str
    by: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The facts of one outcome. Times are ISO 8601 with their offset.

    `category` is an `OtherWay` or a `Refusal`, `reason` the words of the person who decided, empty
    when the client went the way of the gate (`at_gate`). `answers` are the frozen ones as typed,
    `task` what they say to a program. `effort` and `load` are the figures of `notes.effort`: they
    name no hardware, because nothing has been approved.
    """

    number: str
    letter: str
    client: str
    kind: str
    category: str
    reason: str
    by: str
    at: str
    at_gate: bool
    answers: Mapping[str, Mapping[str, Any]]
    answers_sha256: str
    attachments: tuple[Mapping[str, Any], ...]
    task: Mapping[str, Any]
    effort: Mapping[str, Any] | None
    load: Mapping[str, Any] | None
    engine_version: str
    history: tuple[Happening, ...]

    def text(self) -> str:
        """Canonical JSON, `podbor.note/1`."""
        return canonical_json({"schema": SCHEMA, **asdict(self)})

    def facts_sha256(self) -> str:
        return sha256_of(self.text())

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of `text`.

        Raises:
            ValueError: it is another schema.
        """
        document = json.loads(text)
        schema = document.pop("schema", None)
        if schema != SCHEMA:
            raise ValueError(f"a note of schema {schema!r} cannot be printed")
        document["history"] = tuple(Happening(**row) for row in document["history"])
        document["attachments"] = tuple(document["attachments"])
        return cls(**document)
