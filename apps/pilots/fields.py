"""What a figure of a pilot's record is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Kind(Enum):
    """How a value is written; percent is a ratio 0..1 that people write as per cent."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole"
    PERCENT = "percent"
    FLAG = "flag"
    CHOICE = "choice"


class Group(Enum):
    """The parts of the record, in the order of the protocol."""

    WORKLOAD = "workload"
    PLACE = "place"
    ENVIRONMENT = "environment"
    STEP = "step"
    MEMORY = "memory"
    FEED = "feed"
    EXCHANGE = "exchange"
    CHECKPOINT = "checkpoint"
    STABILITY = "stability"
    QUALITY = "quality"
    ADDED = "added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One figure. `path` names it in the record; `needed`: the record is incomplete without it;
    `unit` is what the label names; `low` and `high` bound what can be."""

    path: str
    group: Group
    label: str | Promise
    kind: Kind = Kind.NUMBER
    unit: str = ""
    needed: bool = True
    low: float = 0
    high: float = 1e9
    hint: str | Promise = ""
    choices: tuple[tuple[str, str | Promise], ...] = ()


GROUPS: Final[Mapping[Group, Promise]] = {
    Group.WORKLOAD: gettext_lazy("What ran"),
    Group.PLACE: gettext_lazy("On what it ran"),
    Group.ENVIRONMENT: gettext_lazy("Versions and time"),
    Group.STEP: gettext_lazy("Time of a step"),
    Group.MEMORY: gettext_lazy("Peak of memory on the fullest GPU"),
    Group.FEED: gettext_lazy("Feed of data"),
    Group.EXCHANGE: gettext_lazy("Exchange between GPUs"),
    Group.CHECKPOINT: gettext_lazy("Checkpoint"),
    Group.STABILITY: gettext_lazy("Load and stability"),
    Group.QUALITY: gettext_lazy("Quality on held-out data"),
    Group.ADDED: gettext_lazy("What a run takes beside its steps"),
}
