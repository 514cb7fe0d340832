"""Fields of a task, as a training configuration states them -> answers to questions.

The way back from `to_task`: the answer is what a person would have typed, so it goes through the
same reading and the same checks as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Kind
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import ADAPTED, TASK_FIELDS, VOCABULARY_LAYERS

ORIGINS: Final = {"file": "file", "framework default": "default", "guess": "guess"}

# An import names fields without their part; where two parts share a name, the model's is meant.
_FIELDS: Final = {
    path.rpartition(".")[2]: path for path in sorted(TASK_FIELDS, key=lambda p: p == "model.kind")
} | {"model": "model.name"}
_AMBIGUOUS: Final = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class FoundAnswers:
    """`stated` stand in the file; `offered` are defaults and guesses, to be taken one by one.

    `unplaced` are fields that no question asks for.
    """

    stated: Mapping[str, RawAnswer]
    offered: Mapping[str, RawAnswer]
    unplaced: tuple[str, ...]


def answers_from_fields(fields: Mapping[str, Mapping[str, Any]], *, source: str) -> FoundAnswers:
    """Turn `{field: {"value", "origin"}}` into answers.

    Args:
        fields: as an import states them; a value that no answer can hold is left out.
        source: the file's name, kept beside every answer; a field's own `source` goes before it.
    """
    stated: dict[str, RawAnswer] = {}
    offered: dict[str, RawAnswer] = {}
    unplaced: list[str] = []
    for name, found in fields.items():
        provenance = ORIGINS.get(str(found.get("origin")))
        texts = _texts(name, found.get("value"))
        if provenance is None or not texts:
            unplaced.append(name)
            continue
        target = stated if provenance == "file" else offered
        for key, text in texts.items():
            note = str(found.get("source") or source)
            target[key] = RawAnswer(text, provenance=provenance, note=note[:500])
    return FoundAnswers(stated, offered, tuple(unplaced))


def question_of(field: str) -> str | None:
    """The key of the question that a field answers, or None when nobody asks for it."""
    path = _FIELDS.get(field)
    return TASK_FIELDS.get(path) if path else None


def _texts(name: str, value: Any) -> dict[str, str]:
    """Question key -> what a person would have typed; empty when nothing fits."""
    path = _FIELDS.get(name)
    if path is None or value is None:
        return {}
    special = _SPECIAL.get(path)
    if special is not None:
        return special(value)
    key = TASK_FIELDS[path]
    text = _typed(key, value)
    return {key: text} if text is not None and _is_read(key, text) else {}


def _typed(key: str, value: Any) -> str | None:
    kind = QUESTIONS[key].kind
    if isinstance(value, bool):
        return ("yes" if value else "no") if kind is Kind.BOOLEAN else None
    if isinstance(value, int | float):
        return number_text(value)
    return value if isinstance(value, str) else None


def number_text(value: float) -> str:
    """A number with a decimal point that nobody can take for thousands: 1.125 is `1.1250`."""
    text = f"{value:.10f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))
    return text + "0" if _AMBIGUOUS.fullmatch(text) else text


def _is_read(key: str, text: str) -> bool:
    try:
        return parse(QUESTIONS[key], text) is not None
    except ParseError:
        return False


def _count_of(key: str, unit: float) -> Callable[[Any], dict[str, str]]:
    """A size in billions or millions, written out in full."""

    def text(value: Any) -> dict[str, str]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return {}
        typed = str(round(value * unit))
        return {key: typed} if _is_read(key, typed) else {}

    return text


def _framework(value: Any) -> dict[str, str]:
    if not isinstance(value, str):
        return {}
    return {"framework": value if QUESTIONS["framework"].option(value) else _OTHER}


def _names(value: Any) -> list[str]:
    """A name or several; anything else names nothing."""
    if isinstance(value, str):
        return [value]
    listed = value if isinstance(value, list | tuple) else ()
    return [name for name in listed if isinstance(name, str)]


def _lora_targets(value: Any) -> dict[str, str]:
    names = _names(value)
    for option, meant in ADAPTED.items():
        if names and set(names) == set(meant if isinstance(meant, tuple) else [meant]):
            return {"lora_targets": option}
    listed = ", ".join(names)
    if not _is_read("lora_target_list", listed):
        return {}
    return {"lora_targets": "listed", "lora_target_list": listed}


def _modules_to_save(value: Any) -> dict[str, str]:
    names = _names(value)
    if not names:
        return {}
    return {"lora_embeddings": "yes" if set(names) & set(VOCABULARY_LAYERS) else "no"}


_SPECIAL: Final[dict[str, Callable[[Any], dict[str, str]]]] = {
    "model.params_billion": _count_of("params", 1e9),
    "model.active_params_billion": _count_of("active_params", 1e9),
    "recipe.trainable_params_million": _count_of("trainable_params", 1e6),
    "recipe.framework": _framework,
    "recipe.lora_targets": _lora_targets,
    "recipe.modules_to_save": _modules_to_save,
}
