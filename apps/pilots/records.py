"""The record of a pilot: read from a form or from a file that nobody vouches for.

A record is `{"schema": "podbor.pilot/1", "values": {path: value}}`; the paths are those of
`apps.pilots.table`. Only what the table names is kept, each value within its bounds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.core.errors import DomainError
from apps.pilots.fields import Field, Kind

SCHEMA: Final = "podbor.pilot/1"
MOST_BYTES: Final = 256 * 2**10
_LONGEST: Final = 200

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What of a file could be taken; `refused` are labels of figures that cannot be so."""

    values: dict[str, Any]
    refused: tuple[str, ...]


def read_file(content: bytes, fields: Sequence[Field]) -> Read:
    """The values of an uploaded or pasted record.

    Raises:
        DomainError: too large, no JSON, not finite, or another schema.
    """
    if len(content) > MOST_BYTES:
        raise DomainError(
            _("This file is larger than %(most)s: it is not the result of the kit.")
            % {"most": formatting.binary_size(MOST_BYTES)}
        )
    try:
        document = json.loads(content.decode("utf-8"), parse_constant=_not_finite)
    except (ValueError, RecursionError):
        raise DomainError(
            _("This is not a result of the kit: it cannot be read as JSON.")
        ) from None
    values = document.get("values") if isinstance(document, dict) else None
    if not isinstance(values, dict) or document.get("schema") != SCHEMA:
        raise DomainError(
            _("This is not a result of the kit: it does not say “%(schema)s”.") % {"schema": SCHEMA}
        )
    return _taken(values, fields)


def _not_finite(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _taken(values: Values, fields: Sequence[Field]) -> Read:
    taken: dict[str, Any] = {}
    refused = []
    for field in fields:
        value = values.get(field.path)
        if value is None or value == "":
            continue
        try:
            taken[field.path] = checked(field, value)
        except ValueError:
            refused.append(str(field.label))
    return Read(values=taken, refused=tuple(refused))


def checked(field: Field, value: Any) -> Any:
    """The value as a record keeps it.

    Raises:
        ValueError: it is of another kind, or cannot be.
    """
    if not _of_kind(field.kind, value):
        raise ValueError("of another kind")
    if field.kind == Kind.FLAG:
        return value
    if field.kind in (Kind.TEXT, Kind.CHOICE):
        return _text(field, value)
    if not math.isfinite(value) or not field.low <= value <= field.high:
        raise ValueError("out of its bounds")
    if field.kind == Kind.WHOLE and value != int(value):
        raise ValueError("a count is whole")
    return int(value) if value == int(value) else float(value)


def _of_kind(kind: Kind, value: Any) -> bool:
    """Whether JSON wrote it as what it is: true is no number."""
    if kind == Kind.FLAG:
        return isinstance(value, bool)
    if kind in (Kind.TEXT, Kind.CHOICE):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(field: Field, value: str) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in value[: 2 * _LONGEST]).split())
    if field.kind == Kind.CHOICE and text not in dict(field.choices):
        raise ValueError("not one of the choices")
    return text[:_LONGEST]


def missing(values: Values, fields: Iterable[Field]) -> tuple[Field, ...]:
    """What a complete record still lacks. An answer “no” is an answer."""
    return tuple(f for f in fields if f.needed and values.get(f.path) in (None, ""))


def as_workload(values: Values, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The seven fields of the verification record, in the form that the fingerprint reads.

    Args:
        expected: what the protocol fixes; its data stand for those that the record leaves empty.
    """
    return {
        "model": values.get("model"),
        "dataset": values.get("dataset") or expected["dataset"],
        "parameters": {"stage": expected["parameters"].get("stage")} | _part(values, "parameters"),
        "steps": _part(values, "steps"),
        "quality": _part(values, "quality"),
        "versions": _part(values, "versions"),
        "time": _part(values, "time"),
    }


def _part(values: Values, name: str) -> dict[str, Any]:
    prefix = f"{name}."
    return {k.removeprefix(prefix): v for k, v in values.items() if k.startswith(prefix)}


def quality_delta(values: Values) -> float | None:
    """By how much the held-out metric is better than before, in its own unit; None when the
    metric, its baseline, the result or the direction is not given."""
    said = [values.get(f"quality.{name}") for name in ("metric", "better", "baseline", "result")]
    if any(value in (None, "") for value in said):
        return None
    gain = float(values["quality.result"]) - float(values["quality.baseline"])
    return gain if values["quality.better"] == "higher" else -gain
