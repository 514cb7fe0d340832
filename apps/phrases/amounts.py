"""Numbers and units inside a running text."""

from __future__ import annotations

import re
from typing import Final

from apps.questionnaire.units import HOURS

_WORDS: Final = {
    1: "один одна одну одного одной one a",
    2: "два две двух two",
    3: "три трех three",
    4: "четыре четырех four",
    5: "пять пяти five",
    6: "шесть шести six",
    7: "семь семи seven",
    8: "восемь восьми eight",
    9: "девять девяти nine",
    10: "десять десяти ten",
    12: "двенадцать двенадцати twelve",
    15: "пятнадцать пятнадцати fifteen",
    20: "двадцать двадцати twenty",
    30: "тридцать тридцати thirty",
    40: "сорок сорока forty",
    50: "пятьдесят пятидесяти fifty",
    100: "сто ста hundred",
    200: "двести двухсот",
    300: "триста трехсот",
    400: "четыреста",
    500: "пятьсот пятисот",
}
_OF_WORD: Final = {word: number for number, row in _WORDS.items() for word in row.split()}

_DIGITS: Final = r"(?<![\w.,])(?:\d{1,3}(?: \d{3})+|\d{1,12})(?:[.,]\d{1,6})?(?![.,]?\d)"
_SPELLED: Final = (
    r"\b(?:" + "|".join(sorted((w for w in _OF_WORD if w != "a"), key=len, reverse=True)) + r")\b"
)
NUMBER: Final = rf"(?P<n>{_DIGITS}|{_SPELLED})"
_SCALE_WORDS: Final = r"тыс(?:яч[аи]?|\.)?|млн|миллион(?:а|ов)?|млрд|миллиард(?:а|ов)?|трлн|триллион(?:а|ов)?|thousand|million|mln|billion|bn|trillion|[kmbtкмбв](?![\w])"
SCALE: Final = rf"(?:\s?(?P<s>{_SCALE_WORDS}))"
BYTE_UNIT: Final = (
    r"(?P<u>[кмгтпkmgtp](?:иб|ib|б|b)(?:айт\w{0,2}|yte\w?)?|[гт]ига?байт\w{0,2}"
    r"|(?:кило|мега|гига|тера|пета)байт\w{0,2}|(?:kilo|mega|giga|tera|peta)bytes?)(?![\w/])"
)
TIME_UNIT: Final = (
    r"(?P<u>час(?:а|ов)?|ч|сутк(?:и|ам)|суток|сутки|дн(?:я|ей)|день|недел[юяьи]|недели|нед|месяц(?:а|ев)?|мес"
    r"|квартал(?:а|ов)?|год(?:а|у)?|лет|hours?|hrs?|h|days?|weeks?|months?|years?)(?![\w])"
)
_CYRILLIC: Final = frozenset("кмгтп")
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_RANGE_BEFORE: Final = re.compile(r"\d\s*(?:[-–—]|\.\.)\s*$|\bот\s+[\d., ]{1,12}\s*до\s+$")
_RANGE_AFTER: Final = re.compile(r"^\s*(?:[-–—]|\.\.)\s*\d|^\s*(?:до|to)\s+\d")

_SCALES: Final = {
    "т": "тыс",
    "k": "k",
    "к": "k",
    "b": "b",
    "б": "b",
    "в": "b",
    "m": "m",
    "м": "m",
}


def number_of(text: str) -> str:
    """A number as digits: a word becomes one, the rest stays as it is written."""
    return str(_OF_WORD.get(text, text))


def in_range(folded: str, start: int, end: int) -> bool:
    """Whether the number at that place is an end of a range."""
    before, after = folded[max(0, start - 20) : start], folded[end : end + 8]
    return bool(_RANGE_BEFORE.search(before) or _RANGE_AFTER.search(after))


def scaled_text(found: re.Match[str]) -> str:
    """`120 тыс`, `1.2 b`: number and scale as the questions read them."""
    scale = (found.groupdict().get("s") or "").strip().rstrip(".")
    return f"{number_of(found['n'])} {_SCALES.get(scale, scale)}".strip()


def bytes_text(found: re.Match[str]) -> str:
    """`200 GB`: the unit by its first letter, binary where it is said."""
    unit = found["u"]
    binary = unit[1:2] in ("и", "i") and not unit.startswith(("гига", "giga"))
    if unit[0] in _CYRILLIC:
        return f"{number_of(found['n'])} {unit[0].upper()}{'иБ' if binary else 'Б'}"
    return f"{number_of(found['n'])} {unit[0].upper()}{'iB' if binary else 'B'}"


_HOURS: Final = (
    ("ч h", "h"),
    ("с д", "d"),
    ("н w", "w"),
    ("м m", "mo"),
    ("к q", "quarter"),
    ("г л y", "y"),
)


def time_unit(unit: str) -> str:
    """The unit word of a time as the questions read it."""
    if unit in HOURS:
        return unit
    if unit.startswith(("day", "h")):
        return unit[0]
    return next(short for letters, short in _HOURS if unit[0] in letters.split())


def plain_number(text: str) -> float:
    """The number for a comparison, of things that are counted; 0 when it cannot be read."""
    digits = number_of(text).replace(" ", "")
    digits = digits.replace(",", "") if _GROUPED.fullmatch(digits) else digits.replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return 0.0
