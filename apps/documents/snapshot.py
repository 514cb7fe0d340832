"""Everything an assessment says, frozen.

Printing reads a `Snapshot` and nothing else, so that the same text comes out whatever happens to
the database. Sentences are kept as keys and parameters, answers as typed, numbers as numbers: one
snapshot prints in every language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from apps.core.canonical import canonical_json, sha256_of

SCHEMA: Final = "podbor.snapshot/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideFact:
    """The engineer's value of a task field, with the reason the client reads.

    `reply` is accepted, declined or "" while the client has not answered, `words` what they said.
    """

    field: str
    value: Any
    reason: str
    author: str
    at: str
    reply: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A remark written for the client; `target` is what it is about, empty for the whole."""

    target: str
    text: str
    author: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something still open. `key` names a question of the questionnaire, `field` a task field.

    `influence` is the share of the result it moves, None when nobody has worked it out.
    """

    key: str
    field: str
    text: str
    owner: str
    due: str
    influence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A decision on the way; `kind` as in `Decision.Kind`."""

    kind: str
    by: str
    comment: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A revision of the requisition; `changed` are the keys of answers that differ from before."""

    letter: str
    at: str
    by: str
    changed: tuple[str, ...]
    on_behalf_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of the catalog or one constant, with where it comes from.

    `item` is the slug of the catalog's item, or the constant's section. `value` is a number, a
    text, a list of them, or `{low, typical, high}`.
    """

    item: str
    name: str
    key: str
    value: Any
    unit: str
    source: str
    source_ref: str
    as_of: str
    confidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """Who approved which draft, and when. `document_sha256` is the draft's that was looked at."""

    by: str
    at: str
    comment: str
    document_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """The later revision that took this one's place."""

    letter: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs from the earlier revision `since`, as `apps.questionnaire.changes` and
    `apps.sizing.changes` say it; `result` only where the client has the document of that one.
    """

    since: str
    answers: tuple[Mapping[str, Any], ...]
    result: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The facts of one assessment. Times are ISO 8601 with their offset.

    `answers` are the effective answers as typed, `task`, `context` and `result` the documents of
    the calculation, `failures` why an estimator gave nothing. A manager who sent it for the client
    is `sent_by` with the client in `on_behalf_of`; one whose draft the client confirmed is
    `prepared_by`. `derivation` is how the recommended variant's figures came about, as
    `estimation.explanations.kept` makes it. `authors` is who gave which answer, as
    `{"name", "guest"}`, empty when one person gave all. `edits` is what engineers added to the
    variants, as `estimation.edits.edits_of` makes it. `pilot` is the protocol
    and what pilots showed, as `pilots.standing.pilot_of` makes it. `approval` and `superseded` come
    after the facts have been looked at and are no part of them.
    """

    number: str
    letter: str
    client: str
    sent_by: str
    sent_at: str
    engineer: str
    calculated_at: str
    input_sha256: str
    engine_version: str
    catalog_sha256: str
    catalog_day: str
    answers: Mapping[str, Mapping[str, Any]]
    attachments: tuple[Mapping[str, Any], ...]
    task: Mapping[str, Any]
    context: Mapping[str, Any]
    result: Mapping[str, Any]
    failures: Mapping[str, str] = field(default_factory=dict)
    overrides: tuple[OverrideFact, ...] = ()
    remarks: tuple[Remark, ...] = ()
    questions: tuple[Question, ...] = ()
    steps: tuple[Step, ...] = ()
    editions: tuple[Edition, ...] = ()
    facts: tuple[Fact, ...] = ()
    on_behalf_of: str = ""
    prepared_by: str = ""
    changes: Changes | None = None
    derivation: Mapping[str, Any] | None = None
    authors: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    edits: Mapping[str, Any] = field(default_factory=dict)
    pilot: Mapping[str, Any] = field(default_factory=dict)
    approval: Approval | None = None
    superseded: Superseded | None = None

    def text(self) -> str:
        """Canonical JSON, `podbor.snapshot/1`.

        Without a derivation, with one author, without anything added to the variants or an answer
        of the client to a value, that is not named: the hash of an older document's facts stays.
        """
        facts = asdict(self)
        for name in ("derivation", "authors", "edits", "pilot"):
            if not facts[name]:
                del facts[name]
        for row in facts["overrides"]:
            if not row["reply"]:
                del row["reply"], row["words"]
        return canonical_json({"schema": SCHEMA, **facts})

    def facts_sha256(self) -> str:
        """Hash of the facts: the same for the draft that was approved and for its final."""
        return sha256_of(replace(self, approval=None, superseded=None).text())

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of `text`.

        Raises:
            ValueError: it is another schema.
        """
        document = json.loads(text)
        schema = document.pop("schema", None)
        if schema != SCHEMA:
            raise ValueError(f"a snapshot of schema {schema!r} cannot be printed")
        for name, kind in _LISTS.items():
            document[name] = tuple(kind(**_tupled(row)) for row in document[name])
        for name, single in _SINGLES.items():
            row = document.get(name)  # an older document knows nothing of what came later
            document[name] = single(**_tupled(row)) if row else None
        document["attachments"] = tuple(document["attachments"])
        return cls(**document)


_LISTS: Final[Mapping[str, Any]] = {
    "overrides": OverrideFact,
    "remarks": Remark,
    "questions": Question,
    "steps": Step,
    "editions": Edition,
    "facts": Fact,
}
_SINGLES: Final[Mapping[str, Any]] = {
    "changes": Changes,
    "approval": Approval,
    "superseded": Superseded,
}
_TUPLES: Final = frozenset({"changed", "answers"})


def _tupled(row: dict[str, Any]) -> dict[str, Any]:
    """Lists come back as the tuples they were."""
    return row | {name: tuple(row[name]) for name in _TUPLES & row.keys()}
