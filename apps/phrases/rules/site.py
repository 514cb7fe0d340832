"""The rack: power, feeds, room, depth, weight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from apps.phrases.amounts import NUMBER, in_range, number_of
from apps.phrases.found import Hit, Lexicon, Sure
from apps.phrases.text import Reading

_KILOWATTS: Final = re.compile(rf"{NUMBER}\s?(?P<u>квт|kw)(?!\w|\s?[·*]?\s?(?:ч|h))")
_UNIT: Final = {"квт": "кВт", "kw": "kW"}
_FEED: Final = re.compile(r"ввод\w{0,3}|фидер\w{0,2}|\bfeeds?\b|\bлини\w{1,2}\b")
_RACK: Final = re.compile(r"стойк\w{1,2}|\brack\b|серверн\w{2}|питани\w|мощност\w{1,2}|power")
_FEEDS: Final = re.compile(
    rf"{NUMBER}\s(?:независим\w{{2}} )?(?:ввод\w{{0,2}}|фидер\w{{0,2}}|(?:power )?feeds?)(?!\w)"
)
_BREAKER: Final = re.compile(r"автомат\w{0,2}|breaker|розетк\w{1,2}|фаз\w{0,3}|phase")
_AMPERES: Final = re.compile(rf"{NUMBER}\s?(?:а|a|ампер\w{{0,2}}|amps?)(?!\w)")
_VOLTS: Final = re.compile(rf"{NUMBER}\s?(?:в|v|вольт\w{{0,1}}|volts?)(?!\w)")
_UNITS: Final = re.compile(rf"{NUMBER}\s?(?:u|юнит\w{{0,3}}|rack units)(?!\w)")
_FREE: Final = re.compile(r"свободн\w{1,3}|\bfree\b|есть место|available")
_UNITS_AFTER: Final = re.compile(rf"юнитов\s?[:—-]?\s{NUMBER}(?!\w)")
_DEPTH: Final = re.compile(
    rf"(?:глубин\w{{1,3}}|depth)\s?[:—-]?\s?(?:[a-zа-я]{{1,12}}\s){{0,2}}{NUMBER}\s?(?P<u>мм|см|м|mm|cm|m)(?!\w)"
)
_FLOOR: Final = re.compile(
    rf"(?:нагрузк\w на пол|floor load|несущ\w{{2,8}}|перекрыти\w)\s?[:—-]?\s?(?:[a-zа-я]{{1,12}}\s){{0,2}}{NUMBER}\s?(?P<u>кг|kg|т|t)(?!\w)"
)
_EACH: Final = re.compile(r"\b(?:of|per|на)\s$")
_FEED_COUNTS: Final = frozenset({"1", "2", "4"})


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    yield from _power(reading)
    yield from _room(reading)


def _hit(
    reading: Reading, key: str, found: re.Match[str], value: str, sure: Sure = Sure.STATED
) -> Hit:
    if in_range(reading.folded, *found.span("n")):
        sure = Sure.DOUBT
    return Hit(key, value, *found.span(), sure)


def _power(reading: Reading) -> Iterator[Hit]:
    for found in _KILOWATTS.finditer(reading.folded):
        sentence = reading.around(*found.span())
        if _FEED.search(sentence) or _RACK.search(sentence):
            sure = Sure.STATED if _FEED.search(sentence) else Sure.LIKELY
            yield _hit(
                reading, "kw_usable", found, f"{number_of(found['n'])} {_UNIT[found['u']]}", sure
            )
    for found in _FEEDS.finditer(reading.folded):
        each = _EACH.search(reading.before(found.start()))
        # «Мощность одного ввода» is of each of them.
        if not each and found["n"] != "одного" and number_of(found["n"]) in _FEED_COUNTS:
            yield _hit(reading, "feeds", found, number_of(found["n"]))
    for key, pattern in (("amps", _AMPERES), ("volts", _VOLTS)):
        for found in pattern.finditer(reading.folded):
            if _BREAKER.search(reading.around(*found.span())) and found["n"][0].isdigit():
                yield _hit(reading, key, found, number_of(found["n"]))
                if key == "amps":
                    yield Hit("power_known_as", "breaker", *found.span())


def _room(reading: Reading) -> Iterator[Hit]:
    """The height of the rack is not what is free in it."""
    for found in _UNITS.finditer(reading.folded):
        near = reading.before(found.start())[-25:] + " " + reading.after(found.end())[:15]
        sure = Sure.STATED if _FREE.search(near) else Sure.LIKELY
        named = re.search(r"(?:стойк\w|rack)\s?(?:на )?$", reading.before(found.start()))
        if not named and (sure is Sure.STATED or _RACK.search(reading.around(*found.span()))):
            yield _hit(reading, "rack_units", found, number_of(found["n"]), sure)
    for found in _UNITS_AFTER.finditer(reading.folded):
        yield _hit(reading, "rack_units", found, number_of(found["n"]))
    for key, pattern in (("depth_mm", _DEPTH), ("floor_kg", _FLOOR)):
        for found in pattern.finditer(reading.folded):
            yield _hit(reading, key, found, f"{number_of(found['n'])} {found['u']}")
