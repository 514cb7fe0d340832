"""Published models that a few typed words could mean, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from apps.catalog.releases import known_catalog
from apps.sizing.facts import Architecture, Catalog
from apps.sizing.model_spelling import latin

# A family, a version or a size: «llama», «3.1», «8b» of «llama3.1-8b».
_WORD: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)*[bmk]?(?![a-z])|\d+(?:\.\d+)*")
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)([bmk])")
_LONGEST: Final = 120
_LEAST_LETTERS: Final = 2
_EXACT, _BEGINS, _ALIKE = 3.0, 2.0, 1.0
# A family that is spelled with a slip is still meant; a version or a size is not.
_ALIKE_RATIO: Final = 0.75
_SIZE_RATIO: Final = 0.15
_UNIT: Final = {"b": 1e9, "m": 1e6, "k": 1e3}
# Words that every name may have: they find nothing by themselves.
_COMMON: Final = frozenset({"model", "the", "hf", "v", "base", "instruct", "chat", "it"})


@dataclass(frozen=True, slots=True)
class _Entry:
    architecture: Architecture
    words: tuple[str, ...]


def models_like(text: str, most: int) -> tuple[Architecture, ...]:
    """At most `most` models that share words with the text; none when it names no family."""
    asked = _words(text)
    if not any(map(_names_family, asked)):
        return ()
    return _found(asked, known_catalog())[:most]


def models_fully_like(text: str, most: int) -> tuple[Architecture, ...]:
    """Those of `models_like` that have every word of the text."""
    asked = _words(text)
    words_of = {e.architecture.name: e.words for e in _entries(known_catalog())}
    return tuple(
        a
        for a in models_like(text, most * 4)
        if all(_match(word, words_of[a.name], a) >= _BEGINS for word in asked)
    )[:most]


@lru_cache(maxsize=1024)
def _found(asked: tuple[str, ...], catalog: Catalog) -> tuple[Architecture, ...]:
    scored = [(_score(asked, entry), entry) for entry in _entries(catalog)]
    good = [(score, entry) for score, entry in scored if score > 0]
    good.sort(key=lambda pair: (-pair[0], len(pair[1].words), pair[1].architecture.name.casefold()))
    return tuple(entry.architecture for _score_, entry in good)


def _score(asked: Iterable[str], entry: _Entry) -> float:
    """0 for a model of another family; every word that fits adds, a size that does not takes."""
    total, family = 0.0, False
    for word in asked:
        match = _match(word, entry.words, entry.architecture)
        if _names_family(word):
            family = family or match > 0
        total += match or -_ALIKE
    return total if family else 0.0


def _names_family(word: str) -> bool:
    return word.isalpha() and word not in _COMMON and len(word) >= _LEAST_LETTERS


def _match(word: str, words: tuple[str, ...], architecture: Architecture) -> float:
    if word in words:
        return _EXACT
    size = _SIZE.fullmatch(word)
    if size:
        stated = float(size[1]) * _UNIT[size[2]]
        return _BEGINS if abs(architecture.params / stated - 1) <= _SIZE_RATIO else 0.0
    if not word.isalpha():
        return _BEGINS if any(w.startswith(f"{word}.") for w in words) else 0.0
    if any(w.startswith(word) for w in words if w.isalpha()):
        return _BEGINS
    alike = any(_is_alike(word, w) for w in words if w.isalpha())
    return _ALIKE if alike else 0.0


@lru_cache(maxsize=4096)
def _is_alike(one: str, other: str) -> bool:
    """A slip of spelling, or a word inside a longer one: «gpt» of «yandexgpt»."""
    if min(len(one), len(other)) <= _LEAST_LETTERS:
        return False
    return one in other or SequenceMatcher(None, one, other).ratio() >= _ALIKE_RATIO


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(latin(text[:_LONGEST]))))


@lru_cache(maxsize=2)
def _entries(catalog: Catalog) -> tuple[_Entry, ...]:
    return tuple(
        _Entry(a, _words_of((a.name, *a.extra.get("aliases", ()))))
        for a in catalog.architectures.values()
    )


def _words_of(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for name in names for word in _words(name)))
