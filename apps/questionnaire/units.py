"""Units that may follow a number, per kind of quantity, in both languages.

ГБ is 10⁹ bytes and ГиБ is 2³⁰: the two are never mixed up silently. Words are compared without
case and without a closing full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, TypeAlias

UnitTable: TypeAlias = Mapping[str, Decimal]


def _table(*rows: tuple[Decimal | int, str]) -> dict[str, Decimal]:
    """`(factor, "word word word")` rows into one look-up."""
    return {word: Decimal(factor) for factor, words in rows for word in words.split()}


BYTES: Final = _table(
    (1, "байт байта байты б b byte bytes"),
    (10**3, "кб kb килобайт килобайта кбайт kilobyte kilobytes"),
    (10**6, "мб mb мегабайт мегабайта мбайт megabyte megabytes"),
    (10**9, "гб gb гигабайт гигабайта гбайт gigabyte gigabytes"),
    (10**12, "тб tb терабайт терабайта тбайт terabyte terabytes"),
    (10**15, "пб pb петабайт петабайта пбайт petabyte petabytes"),
    (2**10, "киб kib кибибайт"),
    (2**20, "миб mib мебибайт"),
    (2**30, "гиб gib гибибайт"),
    (2**40, "тиб tib тебибайт"),
    (2**50, "пиб pib пебибайт"),
)
BITS: Final = frozenset(
    [
        "бит",
        "bit",
        "bits",
        "кбит",
        "мбит",
        "гбит",
        "тбит",
        "kbit",
        "mbit",
        "gbit",
        "tbit",
        "kbps",
        "mbps",
        "gbps",
    ]
)
# `du -h` prints «200G» and means 2³⁰; a form that guesses here is off by 7 % or more.
BARE_BYTE_LETTERS: Final = frozenset(["k", "m", "g", "t", "p", "к", "м", "г", "т", "п"])

SCALES: Final = _table(
    (10**3, "k к тыс тысяча тысячи тысяч thousand"),
    (10**6, "m м млн миллион миллиона миллионов million millions mln"),
    (10**9, "b б bn млрд миллиард миллиарда миллиардов billion billions"),
    (10**12, "t tn трлн триллион триллиона триллионов trillion trillions"),
)

# A month is 30 days and a year 365: the echo under the field shows the days.
HOURS: Final = _table(
    (Decimal(1) / 3600, "с сек секунда секунды секунд s sec second seconds"),
    (Decimal(1) / 60, "мин минута минуты минут min minute minutes"),
    (1, "ч час часа часов h hr hrs hour hours"),
    (24, "д дн день дня дней сут сутки суток d day days"),
    (24 * 7, "нед неделя недели неделю недель w wk week weeks"),
    (24 * 30, "мес месяц месяца месяцев mo month months"),
    (24 * 90, "квартал квартала кварталов quarter quarters"),
    (24 * 365, "год года лет y yr year years"),
)

KILOWATTS: Final = _table(
    (Decimal("0.001"), "вт w ватт watt watts"),
    (1, "квт kw киловатт kilowatt kilowatts"),
    (1000, "мвт mw мегаватт megawatt megawatts"),
)
APPARENT_POWER: Final = frozenset(["ва", "ква", "мва", "va", "kva", "mva"])

MILLIMETRES: Final = _table(
    (1, "мм mm миллиметр миллиметра миллиметров"),
    (10, "см cm сантиметр сантиметра сантиметров"),
    (1000, "м m метр метра метров metre metres meter meters"),
    (Decimal("25.4"), "дюйм дюйма дюймов in inch inches"),
)

KILOGRAMS: Final = _table(
    (1, "кг kg килограмм килограмма килограммов kilogram kilograms"),
    (1000, "т t тонна тонны тонн tonne tonnes"),
)

PERCENT: Final = _table((1, "% процент процента процентов percent"))


def word_key(word: str) -> str:
    """The form in which unit words are compared."""
    return word.strip().rstrip(".").casefold()
