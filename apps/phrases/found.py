"""What was found in a text, where it stands and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Sure(StrEnum):
    """`STATED`: the words say it. `LIKELY`: it follows, or is usual. `DOUBT`: they say it twice."""

    STATED = "stated"
    LIKELY = "likely"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class Hit:
    """One place of the text that may answer a question; `value` as a person would have typed it."""

    key: str
    value: str
    start: int
    end: int
    sure: Sure = Sure.STATED


@dataclass(frozen=True, slots=True)
class Found:
    """An answer that the text gives.

    `quote` are its words as they stand in the text; `others` are further values that the text
    gives for the same question, and then nothing is certain.
    """

    key: str
    value: str
    quote: str
    start: int
    end: int
    sure: Sure
    others: tuple[str, ...] = ()


def _never(name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Names that only the catalog knows, in lower case.

    `families` are first words of models' names, `models` whole names; `cards` are words that mean
    an accelerator, `servers` part numbers. `knows_model` says whether the catalog finds a name.
    """

    families: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    cards: frozenset[str] = frozenset()
    servers: frozenset[str] = frozenset()
    knows_model: Callable[[str], bool] = _never


def of_key(hits: Iterable[Hit], key: str) -> list[Hit]:
    return [hit for hit in hits if hit.key == key]
