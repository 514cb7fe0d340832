"""The fields of the task document that an engineer may set, and how what they type is read.

The vocabulary of the document decides what may be chosen; numbers and sizes are read by the same
parser as the client's answers, so «1,5 ТБ» means the same on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from apps.catalog.releases import present_catalog
from apps.core.units import unit_name
from apps.estimation.inputs import COUNTED
from apps.estimation.texts import field_label, value_text
from apps.estimation.wording.fields import FIELD_UNITS, PART_LABELS
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import CHOSEN, Kind, Limits, Question
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing.vocabulary import PARTS, TOP, Field, Flag, Names, Number, Text, Words

# How a number of this unit is typed, and what its parser gives is divided by to fit the document.
_KINDS: Final[Mapping[str, tuple[Kind, float]]] = {
    "bytes": (Kind.BYTES, 1),
    "h": (Kind.HOURS, 1),
    "kW": (Kind.KILOWATTS, 1),
    "mm": (Kind.MILLIMETRES, 1),
    "kg": (Kind.KILOGRAMS, 1),
    "params_billion": (Kind.COUNT, 1e9),
    "params_million": (Kind.COUNT, 1e6),
    "tokens": (Kind.COUNT, 1),
    "samples": (Kind.COUNT, 1),
    "files": (Kind.COUNT, 1),
    "steps": (Kind.COUNT, 1),
}
_BASE_UNITS: Final = {
    Kind.BYTES: "b",
    Kind.HOURS: "h",
    Kind.KILOWATTS: "kw",
    Kind.MILLIMETRES: "mm",
    Kind.KILOGRAMS: "kg",
}
_LINKS: Final = ("nvswitch", "xgmi", "nvlink-bridge", "pcie")
_NOT_SET: Final = frozenset({"id"})


def _vocabulary() -> dict[str, Field]:
    paths = {name: spec for name, spec in TOP.items() if name not in _NOT_SET}
    for part, fields in PARTS.items():
        paths |= {f"{part}.{name}": spec for name, spec in fields.items()}
    return paths | {COUNTED: Flag()}


VOCABULARY: Final[Mapping[str, Field]] = _vocabulary()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value that may be picked. `value` is what the form sends."""

    value: str
    label: str


def choices_of(path: str) -> list[Choice]:
    """The values to choose from, in the active language; empty when the value is typed."""
    spec = VOCABULARY[path]
    if isinstance(spec, Flag):
        return [Choice(value=v, label=value_text(path, v == "yes")) for v in ("yes", "no")]
    if isinstance(spec, Words):
        words = sorted(spec.allowed, key=lambda word: value_text(path, word).casefold())
        return [Choice(value=word, label=value_text(path, word)) for word in words]
    if path == "placement.accelerator":
        cards = present_catalog().accelerators.values()
        return [Choice(value=c.id, label=c.name) for c in sorted(cards, key=lambda c: c.name)]
    if path == "placement.intra_node_link":
        return [Choice(value=link, label=value_text(path, link)) for link in _LINKS]
    question = _asked(path)
    if isinstance(spec, Text) and question and question.kind is Kind.CHOICE:
        return [Choice(value=o.value, label=str(o.label)) for o in question.options]
    return []


def field_groups() -> list[tuple[str, list[Choice]]]:
    """Every field by part of the document, for the list to choose a field from."""
    groups: dict[str, list[Choice]] = {}
    for path in VOCABULARY:
        part = path.rpartition(".")[0]
        groups.setdefault(str(PART_LABELS[part]), []).append(
            Choice(value=path, label=field_label(path))
        )
    return list(groups.items())


def unit_beside(path: str) -> str:
    """The unit that a bare number means, to stand beside the field; "" for none."""
    unit = FIELD_UNITS.get(path, "")
    if unit == "bytes":
        return unit_name("B")
    # A count of billions is typed as «8 млрд», so the word beside the field is the plain one.
    return "" if unit in ("", "params_billion", "params_million") else unit_name(unit)


def _asked(path: str) -> Question | None:
    key = TASK_FIELDS.get(path)
    return QUESTIONS[key] if key else None


@cache
def _number_question(path: str) -> Question:
    """The question whose parser reads the number: the client's own, or one made of the bounds."""
    spec, asked = VOCABULARY[path], _asked(path)
    assert isinstance(spec, Number)
    if asked is not None and asked.kind not in CHOSEN:
        return asked
    kind, divisor = _KINDS.get(FIELD_UNITS.get(path, ""), (Kind.NUMBER, 1))
    return Question(
        key=path,
        kind=kind,
        name=path,
        label=path,
        hint="",
        why="",
        influences=(),
        default_unit=_BASE_UNITS.get(kind, ""),
        limits=Limits(low=spec.low * divisor, high=spec.high * divisor, whole=spec.whole),
    )


def read_value(path: str, raw: str) -> Any:
    """What was typed, as the document keeps it.

    Raises:
        ParseError: it cannot be read, or it is not a value of this field; the text says how to
            mend it.
        KeyError: there is no such field.
    """
    spec, text = VOCABULARY[path], raw.strip()
    if not text:
        raise ParseError(_("Give a value."))
    if isinstance(spec, Number):
        return _read_number(path, spec, text)
    if isinstance(spec, Names):
        return _read_names(spec, text)
    offered = {choice.value for choice in choices_of(path)}
    if offered and text not in offered:
        raise ParseError(_("Choose one of the values offered."))
    if isinstance(spec, Flag):
        return text == "yes"
    if isinstance(spec, Text) and len(text) > spec.length:
        raise ParseError(_("Write it in at most %(most)s characters."), most=spec.length)
    return text


def _read_number(path: str, spec: Number, text: str) -> float | int:
    question = _number_question(path)
    parsed = parse(question, text)
    assert isinstance(parsed, int | float)
    divisor = _KINDS.get(FIELD_UNITS.get(path, ""), (Kind.NUMBER, 1))[1]
    value = parsed / divisor if divisor != 1 else parsed
    if spec.low_excluded and value <= spec.low:
        raise ParseError(_("Write a number above zero."))
    return int(value) if spec.whole else value


def _read_names(spec: Names, text: str) -> str | list[str]:
    if spec.all_word and text == spec.all_word:
        return spec.all_word
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or len(names) > spec.most or any(len(name) > 100 for name in names):
        raise ParseError(_("List the names with commas between them."))
    return names
