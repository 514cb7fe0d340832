"""Names of models, of accelerators and of servers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from apps.phrases.found import Hit, Lexicon, Sure
from apps.phrases.text import Reading

# How families are written in Russian.
_RUSSIAN: Final = {
    r"л+ам[аыуе]": "Llama",
    r"мистрал[ьяюе]": "Mistral",
    r"микстрал[ьяюе]": "Mixtral",
    r"к[вю]ен[ауе]?": "Qwen",
    r"гемм[аыуе]": "Gemma",
    r"джемм[аыуе]": "Gemma",
    r"дипсик[ауе]?": "DeepSeek",
    r"гигачат[ауе]?": "GigaChat",
    r"сайг[аиуе]": "Saiga",
    r"виспер[ауе]?": "Whisper",
}
_VERSION: Final = r"(?:[ _-]?v?\d{1,2}(?:\.\d{1,2})?[a-z]?(?![\w]|[.,]\d|\s?(?:[кмгт]б|[kmgt]i?b|эпох|токен|epoch|token|тыс|млн|млрд|gpu|карт|узл|node|дн|час|нед|мес|day|hour|week|month)))"
_SIZE: Final = r"(?:[ _-](?:\d{1,2}[xх])?\d{1,4}(?:[.,]\d{1,2})?\s?[bmвм](?![\wа-я]))"
_TAIL: Final = r"(?:[_-][a-z0-9][a-z0-9.]{0,20}(?<![.]))*"
_CYRILLIC: Final = str.maketrans("вхм", "bxm")
_SIZED: Final = re.compile(r"\d[bm](?![a-z])", re.IGNORECASE)
_SHORTEST: Final = 3
# «Qwen2.5-7B и 14B»: two sizes of one family.
_ANOTHER: Final = re.compile(r"\s?(?:и|или|/|,|and|or)\s?\d{1,4}(?:[.,]\d)?\s?[bmв](?!\w)")
_OWNED: Final = re.compile(r"\b(?:сейчас|есть|имеется|имеем|currently|we have|now)(?: на| on)?\s$")
_SPACING: Final = re.compile(r"(?<=\d)\s(?=[bm]$)")


@lru_cache(maxsize=4)
def _model_pattern(families: frozenset[str]) -> re.Pattern[str]:
    known = sorted(map(re.escape, families), key=len, reverse=True)
    family = "|".join([*known, *_RUSSIAN])
    return re.compile(
        rf"(?<![\w/.-])(?:[a-z0-9-]{{2,30}}/)?(?:{family}){_VERSION}?{_SIZE}?{_TAIL}(?!\w)"
    )


def model_spans(reading: Reading, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where models are named: figures in there are no figures of the task."""
    if not lexicon.families:
        return []
    pattern = _model_pattern(lexicon.families)
    return [found.span() for found in pattern.finditer(reading.folded)]


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    yield from _models(reading, lexicon)
    yield from _servers(reading, lexicon)
    yield from _hardware(reading, lexicon)


def _models(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    """Of a name said twice the longer one counts; a bare family names no model."""
    said: dict[str, Hit] = {}
    for start, end in model_spans(reading, lexicon):
        if reading.denied(start, end):
            continue
        name = _spelled(reading.text[start:end])
        known = lexicon.knows_model(name)
        if _tells_model(name, known=known):
            sure = Sure.STATED if known else Sure.LIKELY
            if _ANOTHER.match(reading.after(end)):
                sure = Sure.DOUBT
            said.setdefault(_key(name), Hit("model_name", name, start, end, sure))
    for key, hit in said.items():
        if not any(key != other and other.startswith(key) for other in said):
            yield hit


def _tells_model(name: str, *, known: bool) -> bool:
    """A family alone names no model, unless it is one: SDXL. An unknown name has to state a size."""
    if known:
        numbered = any(c.isdigit() for c in name)
        return numbered or "-" in name or (name.isupper() and len(name) > _SHORTEST)
    return bool(_SIZED.search(name))


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.rpartition("/")[2].lower())


def _spelled(name: str) -> str:
    """The name in Latin letters: мистраль 7В is Mistral 7B."""
    for pattern, family in _RUSSIAN.items():
        name = re.sub(rf"^{pattern}(?!\w)", family, name, flags=re.IGNORECASE)
    latin = "".join(
        c.translate(_CYRILLIC) if c in "вхм" else c
        for c in name.replace("В", "B").replace("Х", "x").replace("М", "M")
    )
    return _SPACING.sub("", latin)


def _servers(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    for part in lexicon.servers:
        at = reading.folded.find(part)
        if at >= 0 and not reading.denied(at, at + len(part)):
            yield Hit("sku", reading.text[at : at + len(part)], at, at + len(part))


@lru_cache(maxsize=4)
def _card_pattern(cards: frozenset[str]) -> re.Pattern[str]:
    # A bare number names a card only after its series.
    words = [rf"(?<=rtx ){re.escape(c)}" if c.isdigit() else re.escape(c) for c in cards]
    word = "|".join(sorted(words, key=len, reverse=True))
    count = r"(?:(?<![\w.])\d{1,4}\s?(?:[xх*]|шт\w{0,2}\.?|карт\w{0,2}|gpus?)?\s?)?"
    return re.compile(
        rf"{count}(?:nvidia )?(?:(?:geforce )?rtx )?(?:(?<![a-z0-9])|(?<=\d[xх]))(?:{word})(?![a-z0-9])"
        r"(?:[ -](?:sxm\d?|nvl|pcie)(?![a-z]))?(?:[ -]\d{2,3}\s?(?:gb|гб)(?!\w))?"
    )


def card_spans(reading: Reading, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where accelerators are named: the gigabytes there are theirs."""
    if not lexicon.cards:
        return []
    found = _card_pattern(lexicon.cards).finditer(reading.folded)
    servers = [(h.start, h.end) for h in _servers(reading, lexicon)]
    return [f.span() for f in found if not any(a <= f.start() < b for a, b in servers)]


def _hardware(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    """Everything named, in one wish: no choice of a part number follows from it.

    What the client has already is no wish.
    """
    spans = [s for s in card_spans(reading, lexicon) if not _OWNED.search(reading.before(s[0]))]
    if spans:
        words = dict.fromkeys(reading.text[a:b].strip() for a, b in spans)
        yield Hit("hardware_wish", "; ".join(words), spans[0][0], spans[-1][1])
