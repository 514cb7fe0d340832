"""What a question is. The questions themselves stand in `bank`, their order in `sections`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, TypeAlias

from django.utils.functional import Promise

from apps.questionnaire.sentences import Text

Parsed: TypeAlias = str | bool | int | float | date | tuple[str, ...]
"""What an answer means. Sizes are bytes, times hours, power kW, lengths mm, masses kg."""

Answers: TypeAlias = Mapping[str, Parsed]
"""Parsed answers by question key. An unknown, blank or unreadable one is simply not there."""

SHORT_TEXT: Final = 200
LONG_TEXT: Final = 4000
UNKNOWN: Final = "?"
"""The radio value of «I do not know» among the options of a choice."""


class Kind(StrEnum):
    """How an answer is asked for and read."""

    TEXT = "text"
    LONG = "long"
    EMAIL = "email"
    CHOICE = "choice"
    MULTI = "multi"
    BOOLEAN = "boolean"
    NUMBER = "number"  # a plain number with the question's unit
    COUNT = "count"  # a number people write with thousands, millions, billions
    BYTES = "bytes"
    HOURS = "hours"
    KILOWATTS = "kilowatts"
    MILLIMETRES = "millimetres"
    KILOGRAMS = "kilograms"
    PERCENT = "percent"
    DATE = "date"
    MONEY = "money"  # the client's own words; the product holds no prices


NUMERIC: Final = frozenset(
    {
        Kind.NUMBER,
        Kind.COUNT,
        Kind.BYTES,
        Kind.HOURS,
        Kind.KILOWATTS,
        Kind.MILLIMETRES,
        Kind.KILOGRAMS,
        Kind.PERCENT,
    }
)
CHOSEN: Final = frozenset({Kind.CHOICE, Kind.MULTI, Kind.BOOLEAN})


class Influence(StrEnum):
    """What an answer moves: printed under «why we ask»."""

    MEMORY = "memory"
    LINK = "link"
    TIME = "time"
    STORAGE = "storage"
    HOST = "host"
    RACK = "rack"
    METHOD = "method"
    PLATFORM = "platform"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose. `value` is stored and never renamed."""

    value: str
    label: Text
    hint: Text = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts.

    `beside` stands next to the field; `counted` is a lazy plural with the parameters `n` (for the
    form) and `shown` (the number as text); `words` may follow the number when it is typed.
    """

    beside: Text
    counted: Promise
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Typical:
    """A value that many projects use: offered with a button, never filled in by itself. `source`
    says who publishes it; it stays with the answer."""

    value: str
    text: Text
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a number, in the unit it is stored in, both ends included.

    Outside `low..high` the answer is an error; outside the `usual` ends only a warning.
    """

    low: float = 0
    high: float = 1e15
    usual_low: float | None = None
    usual_high: float | None = None
    whole: bool = False


def always(answers: Answers) -> bool:
    """Asked of everybody."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to find out.

    Attributes:
        key: stored with the answers and used in addresses: never renamed, never reused.
        name: a few words for lists and documents; `label` asks in full.
        why: one sentence: why this is asked and what it changes.
        relevant: a pure rule over the answers to earlier questions.
        field: where it goes in `podbor.task/1` (`recipe.lora_rank`), None when the engine has no
            use for it.
        material: whether a change needs a new estimate.
        required: sending is impossible without an answer; «I do not know» is not enough.
        weight: how far not knowing moves the result: 3 most, 1 least.
        several: a list is understood too; its largest value is the answer.
        default_unit: the unit of a bare number, a key of the unit table of its kind.
    """

    key: str
    name: Text
    kind: Kind
    label: Text
    hint: Text
    why: Text
    influences: tuple[Influence, ...]
    examples: tuple[Text, ...] = ()
    options: tuple[Option, ...] = ()
    unit: Unit | None = None
    default_unit: str = ""
    limits: Limits = Limits()
    length: int = SHORT_TEXT
    relevant: Callable[[Answers], bool] = always
    field: str | None = None
    typical: Typical | None = None
    material: bool = True
    required: bool = False
    optional: bool = False
    weight: int = 1
    autocomplete: str = "off"
    several: bool = False

    @property
    def accepts_unknown(self) -> bool:
        return not self.required

    @property
    def numeric(self) -> bool:
        return self.kind in NUMERIC

    def option(self, value: str) -> Option | None:
        return next((o for o in self.options if o.value == value), None)
