"""Pasted settings of a training: what they fill in, and what else they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from apps.catalog.published import published_model
from apps.configs.importer import read_config
from apps.configs.naming import catalog_name
from apps.estimation.texts import field_label, value_text
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.from_fields import answers_from_fields
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import display_value
from apps.tryout.recipe import GPUS, LAYOUT, PASTED_NAME, TYPED, Typed

_STATED = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidRow:
    """`origin`: file, default or guess. Only what stands in the file is calculated with."""

    label: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """`rows` are what the settings say besides the fields of the page."""

    filled_count: int
    rows: tuple[SaidRow, ...]
    not_recognised: tuple[str, ...]


def with_settings(typed: Typed, text: str) -> tuple[Typed, Pasted]:
    """The fields with what the settings state in place of what was there.

    Raises:
        ConfigError: they cannot be read; the message says why.
    """
    imported = read_config(PASTED_NAME, text.encode("utf-8", errors="replace")).as_dict()
    found = answers_from_fields(imported["fields"], source=PASTED_NAME)
    layout = _stated_layout(imported["fields"])
    stated = {key: answer.text for key, answer in found.stated.items()}
    if "model_name" in stated:
        stated["model_name"] = _known_name(stated["model_name"])
    gpus = layout.pop(GPUS.key, "")
    if gpus:
        stated[GPUS.key] = gpus
    # What these settings have filled in before may have been corrected by the person since.
    kept = {
        key: value
        for key, value in typed.typed.items()
        if key not in stated or typed.stated.get(key) == stated[key]
    }
    rows = [
        *(_row(key, a, _STATED) for key, a in found.stated.items() if key not in TYPED),
        *(
            SaidRow(label=_layout_label(k), value=_layout_value(k, v), origin=_STATED)
            for k, v in layout.items()
        ),
        *(_row(key, answer, answer.provenance) for key, answer in found.offered.items()),
    ]
    pasted = Pasted(
        filled_count=len({*TYPED, GPUS.key} & stated.keys()),
        rows=tuple(rows),
        not_recognised=tuple(imported["not_recognised"]),
    )
    return replace(typed, typed=kept, stated=stated, layout=layout), pasted


def _stated_layout(fields: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    found = {name: fields[name] for name in (GPUS.key, *LAYOUT) if name in fields}
    return {k: str(f["value"]) for k, f in found.items() if f["origin"] == _STATED}


def _known_name(name: str) -> str:
    """A framework's own name of a model as the catalog writes it, if the catalog knows that."""
    other = catalog_name(name)
    known = published_model(name) is None and published_model(other) is not None
    return other if known else name


def _row(key: str, answer: RawAnswer, origin: str) -> SaidRow:
    question = QUESTIONS[key]
    value = display_value(read_answer(question, answer))
    return SaidRow(label=str(question.name), value=value, origin=origin)


def _layout_label(name: str) -> str:
    return field_label(f"placement.{name}")


def _layout_value(name: str, text: str) -> str:
    return value_text(f"placement.{name}", text)
