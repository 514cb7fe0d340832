"""Read a task document `podbor.task/1` into a `Task`.

A field that is missing or null is an unknown. A field whose value cannot be true is an error that
names it and says how to mend it. Fields the schema does not have are ignored, so that a newer
program may talk to an older one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.sizing.errors import TaskError
from apps.sizing.task import Cycle, Data, Horizon, Model, Placement, Recipe, Site, Task
from apps.sizing.vocabulary import (
    CYCLE,
    DATA,
    HORIZON,
    MODEL,
    NOT_KNOWN,
    PARTS,
    PLACEMENT,
    RECIPE,
    SCHEMA,
    SITE,
    TOP,
    Field,
    Flag,
    Names,
    Number,
    Text,
    Words,
)

_SHOWN_LENGTH: Final = 60


def parse_task(document: object) -> Task:
    """Read one task document.

    Raises:
        TaskError: a value is impossible, a word is not in the vocabulary, or the document as a
            whole is not a task of this schema.
    """
    if not isinstance(document, Mapping):
        raise TaskError("bad-document", f"a task is a JSON object, not {_kind(document)}")
    schema = document.get("schema")
    if schema is not None and schema != SCHEMA:
        raise TaskError("bad-schema", f"schema {_shown(schema)} is not {SCHEMA}", "schema")
    top = _read_fields(document, TOP, "")
    parts = {name: _part(document, name) for name in PARTS}
    task = Task(
        **top,
        model=Model(**_read_fields(parts["model"], MODEL, "model.")),
        recipe=Recipe(**_read_fields(parts["recipe"], RECIPE, "recipe.")),
        data=Data(**_read_fields(parts["data"], DATA, "data.")),
        cycle=Cycle(**_read_fields(parts["cycle"], CYCLE, "cycle.")),
        horizon=Horizon(**_read_fields(parts["horizon"], HORIZON, "horizon.")),
        site=Site(**_read_fields(parts["site"], SITE, "site.")),
        placement=_placement(parts["placement"]),
    )
    check_task(task)
    return task


def check_task(task: Task) -> None:
    """Whether the values of a task agree with each other.

    Raises:
        TaskError: two of them cannot both be so; the field is the one to look at.
    """
    for check in _CHECKS:
        check(task)


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TaskError("wrong-type", f"{name} is an object of fields, not {_kind(value)}", name)
    return value


def _placement(part: Mapping[str, Any]) -> Placement | None:
    """None when the document says nothing about the hardware."""
    fields = _read_fields(part, PLACEMENT, "placement.")
    return Placement(**fields) if any(v is not None for v in fields.values()) else None


def _read_fields(
    part: Mapping[str, Any], fields: Mapping[str, Field], prefix: str
) -> dict[str, Any]:
    return {
        name: _read(value, fields[name], prefix + name)
        for name, value in part.items()
        if value is not None and name in fields
    }


def _read(value: object, spec: Field, path: str) -> Any:
    match spec:
        case Number():
            return _read_number(value, spec, path)
        case Words():
            return _read_word(value, spec, path)
        case Flag():
            if not isinstance(value, bool):
                raise TaskError("wrong-type", f"{path} is true or false, not {_shown(value)}", path)
            return value
        case Text():
            return _read_text(value, spec, path)
        case Names():
            return _read_names(value, spec, path)


def _read_number(value: object, spec: Number, path: str) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TaskError("wrong-type", f"{path} is a number, not {_shown(value)}", path)
    if isinstance(value, float) and not math.isfinite(value):
        raise TaskError("impossible-value", f"{path} is a finite number, not {value}", path)
    if value < spec.low or (spec.low_excluded and value == spec.low):
        bound = "more than" if spec.low_excluded else "at least"
        message = f"{path} is {bound} {spec.low:g}, not {_shown(value)}"
        raise TaskError("impossible-value", message, path)
    if value > spec.high:
        message = f"{path} is at most {spec.high:g}; {_shown(value)} looks like a slipped unit"
        raise TaskError("impossible-value", message, path)
    if not spec.whole:
        return float(value)
    if value != int(value):
        raise TaskError("impossible-value", f"{path} is a whole number, not {value}", path)
    return int(value)


def _read_word(value: object, spec: Words, path: str) -> str | None:
    if not isinstance(value, str):
        raise TaskError("wrong-type", f"{path} is a word, not {_shown(value)}", path)
    word = "-".join(value.strip().lower().replace("_", "-").split())
    if not word or word in NOT_KNOWN:
        return None
    word = spec.aliases.get(word, word)
    if word in spec.allowed:
        return word
    meant = next((known for part, known in spec.parts if part in word), None)
    if meant is not None:
        return meant
    if spec.open_ended and len(word) <= _SHOWN_LENGTH:
        return word
    known = ", ".join(sorted(spec.allowed))
    raise TaskError("unknown-word", f"{path} is one of {known}; not {_shown(value)}", path)


def _read_text(value: object, spec: Text, path: str) -> str | None:
    if spec.or_whole_number and isinstance(value, int) and not isinstance(value, bool):
        value = _shown(value)
    if not isinstance(value, str):
        raise TaskError("wrong-type", f"{path} is text, not {_shown(value)}", path)
    if len(value) > spec.length:
        message = f"{path} has at most {spec.length} characters, not {len(value)}"
        raise TaskError("impossible-value", message, path)
    return value.strip() or None


def _read_names(value: object, spec: Names, path: str) -> tuple[str, ...] | str | None:
    if isinstance(value, str):
        word = value.strip()
        if spec.all_word and word.lower() in (spec.all_word, "all"):
            return spec.all_word
        value = [part.strip() for part in word.split(",") if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
        raise TaskError("wrong-type", f"{path} is a list of names, not {_shown(value)}", path)
    if len(value) > spec.most or any(len(v) > _SHOWN_LENGTH * 2 for v in value):
        raise TaskError("impossible-value", f"{path} is a list of at most {spec.most} names", path)
    return tuple(value) or None


def _no_more(small: float | None, large: float | None, path: str, other: str) -> None:
    if small is not None and large is not None and small > large:
        message = f"{path} is at most {other} ({_shown(large)}), not {_shown(small)}"
        raise TaskError("impossible-value", message, path)


def _check_model(task: Task) -> None:
    model = task.model
    active, total = model.active_params_billion, model.params_billion
    _no_more(active, total, "model.active_params_billion", "model.params_billion")
    _no_more(model.kv_heads, model.heads, "model.kv_heads", "model.heads")
    _no_more(model.experts_per_token, model.experts, "model.experts_per_token", "model.experts")


def _check_recipe(task: Task) -> None:
    recipe = task.recipe
    _no_more(
        recipe.average_length,
        recipe.sequence_length,
        "recipe.average_length",
        "recipe.sequence_length",
    )


def _check_placement(task: Task) -> None:
    place = task.placement
    if place is None or place.gpus is None:
        return
    _no_more(place.nodes, place.gpus, "placement.nodes", "placement.gpus")
    _no_more(place.shard_degree, place.gpus, "placement.shard_degree", "placement.gpus")
    split = (
        (place.tensor_parallel or 1)
        * (place.pipeline_parallel or 1)
        * (place.context_parallel or 1)
    )
    if split > place.gpus:
        message = (
            "tensor_parallel × pipeline_parallel × context_parallel is"
            f" {split}: more than placement.gpus ({place.gpus})"
        )
        raise TaskError("impossible-value", message, "placement.gpus")


_CHECKS: Final[tuple[Callable[[Task], None], ...]] = (
    _check_model,
    _check_recipe,
    _check_placement,
)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else "nothing")


def _shown(value: object) -> str:
    """The value as the document wrote it, short enough for one line."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 100:
        return "a number of more than 30 digits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "…"
