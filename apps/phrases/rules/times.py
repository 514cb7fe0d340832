"""Terms: of a rent, of one training, of cycles, of use; dates; buying or renting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from apps.phrases.amounts import NUMBER, TIME_UNIT, in_range, number_of, plain_number, time_unit
from apps.phrases.found import Hit, Lexicon, Sure
from apps.phrases.text import Reading

_TERM: Final = re.compile(
    rf"(?:{NUMBER}[ -]?|(?<=\bна )|(?<=\bв )|(?<=\bза )|(?<=\bfor a ))(?P<half>пол)?{TIME_UNIT}"
    r"|\bполгода\b"
)
_TURNED: Final = re.compile(
    rf"(?P<u>месяц(?:а|ев)|недел[иь]|дней|дня|часов|часа)\sна\s{NUMBER}(?!\w)"
)
_RENT: Final = re.compile(
    r"\bаренд\w{0,6}|\brent(?:al|als|ed|ing|s)?\b|\blease\b|\bснять\b|\bснимем\b"
)
_BUY: Final = re.compile(
    r"\bпокупк\w{1,3}|\bкуп(?:ить|им|ят|ила)\b|\bпокупа\w{2,4}|\bприобре\w{2,6}|\bзакуп\w{1,5}|\bbuy(?:ing)?\b|\bpurchas\w{1,3}"
)
_NOW: Final = re.compile(r"\b(?:уже|сейчас|already|currently|раньше)\s(?:\w{1,12}\s)?$")
_OPEN: Final = re.compile(
    r"не (?:определил|решил|знаем)\w{0,4}|undecided|not decided|haven't decided"
)
_CHEAPER: Final = re.compile(r"(?:дешевле|выгоднее|лучше|cheaper|better)[^?]{0,30}\?|стоит ли")
_FIRST: Final = re.compile(r"сначала|first|вначале")
_THEN: Final = re.compile(r"\b(?:потом|затем|далее|then|later)\b")
_TARGET: Final = re.compile(
    r"уложит\w{1,3}|срок\w{0,2}|дедлайн\w{0,2}|не (?:более|дольше|больше)|максимум|\bза\b|\bwithin\b|deadline|\bin\b|времени|на обучение|результат|прогон\w{0,2}|per run|\bdone\b|finish"
)
_USE: Final = re.compile(
    r"пользоват\w{0,3}|использоват\w{0,3}|служит\w{0,2}|горизонт\w{0,2}|эксплуатац\w{1,2}|\bserve\b|horizon"
)
_EVERY: Final = re.compile(r"(?:кажд\w{2,3}|раз в|every|once (?:in|a))\s$")
_CYCLE: Final = re.compile(r"регулярн\w{1,3}|дообуча\w{2,4}|retrain\w{0,3}|continual")
_PER_RUN: Final = re.compile(r"прогон\w{0,2}|один запуск|per run|a run|весь запуск")
_PER_EPOCH: Final = re.compile(r"(?:\bна|\bза|одн[уа])\s(?:одну\s)?эпох[уа]\b|per epoch|an epoch")
_WORK: Final = re.compile(
    r"пробн\w{2,3}|постав\w{2,4}|гаранти\w{1,2}|delivery|warranty|опыт\w{0,2}|аудио|audio|видео\b|recover|восстановл"
)

_MONTH: Final = r"(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр)[а-я]{0,2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_DATE: Final = re.compile(
    rf"(?<!\d)(?P<d>\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|\d{{1,2}}\s(?:{_MONTH})\s\d{{4}}|(?:{_MONTH})\s\d{{1,2}},?\s\d{{4}})(?!\d)"
)
_WANTED: Final = re.compile(
    r"(?:старт\w{0,4}|нач\w{2,6}|нуж\w{2,4}|готов\w{0,5}|\bк|\bдо|не позднее|\bс|start\w{0,3}|\bby|\bfrom|begin\w{0,4}|ready)[\s:—-]{1,3}(?:[a-zа-я]{1,10}\s){0,2}$"
)


def find(reading: Reading, lexicon: Lexicon) -> Iterator[Hit]:
    yield from _acquisition(reading)
    yield from _terms(reading)
    yield from _dates(reading)


def _acquisition(reading: Reading) -> Iterator[Hit]:
    rents = [m for m in _RENT.finditer(reading.folded) if _meant(reading, m)]
    buys = [m for m in _BUY.finditer(reading.folded) if _meant(reading, m)]
    undecided = _OPEN.search(reading.folded)
    if rents and buys:
        first, last = sorted([*rents, *buys], key=lambda m: m.start())[:: len(rents + buys) - 1]
        start, end = first.start(), last.end()
        around = reading.around(first.start(), last.end())
        if undecided:
            yield Hit("acquisition", "undecided", start, end)
        elif _FIRST.search(around) and _THEN.search(around):
            yield Hit("acquisition", "hybrid", start, end)
        else:
            yield Hit("acquisition", "rent", *rents[0].span(), Sure.DOUBT)
            yield Hit("acquisition", "buy", *buys[0].span(), Sure.DOUBT)
    else:
        for value, said in (("rent", rents[:1]), ("buy", buys[:1])):
            for found in said:
                asked = _CHEAPER.search(reading.around(*found.span()))
                sure = Sure.DOUBT if asked else Sure.STATED
                yield Hit("acquisition", value, *found.span(), sure)


def _meant(reading: Reading, found: re.Match[str]) -> bool:
    return not reading.denied(*found.span()) and not _NOW.search(reading.before(found.start()))


def _terms(reading: Reading) -> Iterator[Hit]:
    for found in [*_TERM.finditer(reading.folded), *_TURNED.finditer(reading.folded)]:
        start, end = found.span()
        before, after = reading.before(start)[-60:], reading.after(end)[:30]
        if _WORK.search(before[-25:] + after):
            continue
        value = _value(found)
        sure = (
            Sure.DOUBT if found["n"] and in_range(reading.folded, *found.span("n")) else Sure.STATED
        )
        key = _meaning(before, after, found, value)
        if found.re is _TURNED:
            sure = Sure.LIKELY if sure is Sure.STATED else sure
        if key == "use":
            value = "3-5y" if plain_number(found["n"] or "1") >= 3 else "1-2y"
        if key:
            yield Hit(key, value, start, end, sure)
        if key == "target_time":
            yield from _scope(reading, start, end)


def _value(found: re.Match[str]) -> str:
    if found.group() == "полгода":
        return "6 мес"
    return f"{number_of(found['n'] or '1')} {time_unit(found['u'])}"


def _meaning(before: str, after: str, found: re.Match[str], value: str) -> str:
    """The question that a term answers, by the words on both sides of it."""
    rent, target = _last(_RENT, before), _last(_TARGET, before)
    years = bool(re.search(r" (?:y|years?|год|года|лет)$", value))
    if _EVERY.search(before):
        return "cycle_every" if _CYCLE.search(before + after) else ""
    if years:
        return "use" if _USE.search(before + after) else ""
    if re.search(r"возьм\w{1,3} в аренду|в аренду", before + after) or rent >= 0:
        return "rent_period" if rent >= target - 12 or found.re is _TURNED else "target_time"
    if target >= 0 or re.match(r"\s?на обучение|\s?(?:per run|на прогон)", after):
        return "target_time"
    if re.search(r"\bв $", before) and "сутк" in found.group():
        return "target_time"
    return ""


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((m.start() for m in pattern.finditer(text)), default=-1)


def _scope(reading: Reading, start: int, end: int) -> Iterator[Hit]:
    sentence = reading.around(start, end)
    first, _end = reading.sentence(start, end)
    for value, pattern in (("run", _PER_RUN), ("epoch", _PER_EPOCH)):
        said = pattern.search(sentence)
        if said:
            yield Hit("time_scope", value, first + said.start(), first + said.end())


def _dates(reading: Reading) -> Iterator[Hit]:
    """A day is wanted when the words before it say so; the date of a letter is not."""
    for found in _DATE.finditer(reading.folded):
        if _WANTED.search(reading.before(found.start())[-30:]):
            yield Hit("wanted_date", reading.text[found.start() : found.end()], *found.span())
