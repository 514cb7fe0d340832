"""A request in words -> answers to questions, each with the words it came from.

Nothing is learned or guessed at random: patterns decide, so the same text always gives the same
answers, and no text leaves the product. Where the words can be read in two ways both readings are
given and none is certain: a wrong answer costs more than a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from apps.phrases.found import Found, Hit, Lexicon, Sure
from apps.phrases.rules import choices, goal, names, said, site, sizes, times
from apps.phrases.text import Reading
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Parsed
from apps.questionnaire.sections import QUESTIONS

LONGEST: Final = 100_000
"""Characters of a text that are read; a specification has far fewer."""

_QUOTE: Final = 160
_TELLING: Final = 14
_LEAD: Final = re.compile(r"(?:[\w-]{1,20}[ \u00a0]){1,2}$")
_RULES: Final[tuple[Callable[[Reading, Lexicon], Iterable[Hit]], ...]] = (
    choices.find,
    names.find,
    sizes.find,
    times.find,
    site.find,
    goal.find,
    said.find,
)
_ORDER: Final = {key: place for place, key in enumerate(QUESTIONS)}
_RANK: Final = {Sure.STATED: 0, Sure.LIKELY: 1, Sure.DOUBT: 2}
_SHARED: Final = "sharing"


def read_request(text: str, lexicon: Lexicon) -> tuple[Found, ...]:
    """What the text answers, in the order of the questionnaire; one entry a question."""
    reading = Reading(text[:LONGEST])
    hits = [hit for find in _RULES for hit in find(reading, lexicon) if hit.key in QUESTIONS]
    hits = [*_following(hits), *hits]
    by_key: dict[str, list[Hit]] = {}
    for hit in sorted(hits, key=lambda h: (_RANK[h.sure], h.start)):
        by_key.setdefault(hit.key, []).append(hit)
    found = [_settle(reading, own) for own in by_key.values()]
    return tuple(sorted((f for f in found if f is not None), key=lambda f: _ORDER[f.key]))


def _following(hits: list[Hit]) -> list[Hit]:
    """Several teams share a server; text and images together are one kind of data."""
    more = [
        Hit(_SHARED, "shared", h.start, h.end, Sure.LIKELY)
        for h in hits
        if h.key == "teams" and h.value != "1"
    ]
    kinds = {h.value: h for h in hits if h.key == "data_kind"}
    if "text" in kinds and len(kinds) > 1:
        start = min(h.start for h in kinds.values())
        end = max(h.end for h in kinds.values())
        for hit in [h for h in hits if h.key == "data_kind"]:
            hits.remove(hit)
        near = end - start < _QUOTE
        more.append(Hit("data_kind", "multimodal", start, end, Sure.STATED if near else Sure.DOUBT))
    return more


def _settle(reading: Reading, hits: list[Hit]) -> Found | None:
    """One answer of all that the text says of a question; what cannot be read is left out."""
    values: dict[Parsed, Hit] = {}
    for hit in hits:
        try:
            parsed = parse(QUESTIONS[hit.key], hit.value)
        except ParseError:
            continue
        if parsed is not None:
            values.setdefault(_compared(parsed), hit)
    if not values:
        return None
    told = list(values.values())
    best = told[0]
    # A likely reading steps back before one that is stated; two of one rank are a doubt.
    rivals = [h for h in told[1:] if h.sure is best.sure or h.sure is Sure.DOUBT]
    quote = " ".join(reading.text[_widened(reading, best) : best.end].split())
    return Found(
        key=best.key,
        value=best.value,
        quote=quote if len(quote) <= _QUOTE else quote[: _QUOTE - 1] + "…",
        start=best.start,
        end=best.end,
        sure=Sure.DOUBT if rivals else best.sure,
        others=tuple(h.value for h in rivals),
    )


def _widened(reading: Reading, hit: Hit) -> int:
    """Where the quote begins: a word or two alone say little without those before them."""
    if hit.end - hit.start >= _TELLING:
        return hit.start
    before = reading.text[reading.sentence(hit.start, hit.start)[0] : hit.start]
    led = _LEAD.search(before)
    return hit.start - len(led.group()) if led else hit.start


def _compared(parsed: Parsed) -> Parsed:
    return parsed.casefold().replace(" ", "-") if isinstance(parsed, str) else parsed
