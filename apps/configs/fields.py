"""Which fields of a task an import can fill, and whether a value fits one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.sizing.errors import TaskError
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task
from apps.sizing.vocabulary import PARTS, SCHEMA

_TOP: Final = ("method", "strategy")
# A field's name as the import states it -> its part of the task and its name there.
PLACE: Final[dict[str, tuple[str, str]]] = {
    **{name: ("", name) for name in _TOP},
    **{
        name: (part, name)
        for part in ("placement", "data", "recipe", "model")  # `kind` is the model's
        for name in PARTS[part]
    },
    "model": ("model", "name"),
}
del PLACE["name"]
ORDER: Final = {
    name: position
    for position, name in enumerate(
        (
            *_TOP,
            "model",
            *(n for part in ("model", "recipe", "data", "placement") for n in PARTS[part]),
        )
    )
}


def fitting(field: str, value: Any) -> Any:
    """The value as a task keeps it, or None when it cannot stand in that field."""
    try:
        task = parse_task(document_of({field: value}))
    except TaskError:
        return None
    part, name = PLACE[field]
    found = getattr(getattr(task, part) if part else task, name, None)
    return _plain(found)


def document_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """A task document with these fields."""
    document: dict[str, Any] = {"schema": SCHEMA}
    for field, value in values.items():
        part, name = PLACE[field]
        (document.setdefault(part, {}) if part else document)[name] = value
    return document


def contradicted(values: Mapping[str, Any]) -> str | None:
    """The field that does not go with the others, or None when all go together."""
    try:
        _accepted: Task = parse_task(document_of(values))
    except TaskError as problem:
        name = (problem.field or "").rpartition(".")[2]
        return "model" if problem.field == "model.name" else name
    return None


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
