"""What the client typed -> what it means.

`parse` never raises anything but `ParseError`, whatever it is given; every error says how to mend
the answer. A blank answer is None, not an error.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.core import formatting
from apps.questionnaire import units
from apps.questionnaire.dates import parse_date
from apps.questionnaire.errors import ParseError
from apps.questionnaire.numbers import split_number
from apps.questionnaire.question import LONG_TEXT, SHORT_TEXT, Kind, Parsed, Question
from apps.questionnaire.units import UnitTable, word_key

MOST_CHOICES: Final = 50

_PASTE_LIMIT: Final = 4 * LONG_TEXT
_PROSE: Final = frozenset({Kind.TEXT, Kind.LONG, Kind.MONEY, Kind.EMAIL})

_EMAIL: Final = re.compile(r"[^@\s,;<>\"]{1,64}@[^@\s,;<>\"]{1,180}\.[^@\s,;<>\".]{2,60}")
_SQUARE: Final = re.compile(
    r"([0-9]{1,6})\s*(?:[x×х*]|на)\s*([0-9]{1,6})(.*)", re.IGNORECASE | re.DOTALL
)
_LIST: Final = re.compile(r"[;\n]|,\s+|\s+(?:и|and)\s+")
_MORE: Final = re.compile(r"(?:и|and|,|\+)?\s*")


def parse(question: Question, raw: str | Sequence[str]) -> Parsed | None:
    """Read one answer.

    Numbers come back in the unit of the task document: bytes, hours, kW, mm, kg; whole ones as int.

    Raises:
        ParseError: the answer cannot be read or lies outside the question's limits.
    """
    if question.kind is Kind.MULTI:
        return _parse_multi(question, [raw] if isinstance(raw, str) else raw)
    if not isinstance(raw, str):
        raw = raw[0] if raw else ""
    _refuse_too_long(question, raw)
    _refuse_unprintable(raw)
    text = raw.strip()
    if not text:
        return None
    if question.several:
        return _largest(question, text)
    return _PARSERS[question.kind](question, text)


def _largest(question: Question, text: str) -> Parsed:
    """The largest of a list; a comma between digits is a decimal one."""
    parts = [part for part in _LIST.split(text) if part.strip()]
    values = [_PARSERS[question.kind](question, part.strip()) for part in parts or [text]]
    return max(v for v in values if isinstance(v, int | float))


def _refuse_too_long(question: Question, text: str) -> None:
    """Before anything walks through it: a pasted book must not cost a second per field."""
    if len(text) > _PASTE_LIMIT or (question.kind not in _PROSE and len(text) > SHORT_TEXT):
        most = question.length if question.kind in _PROSE else SHORT_TEXT
        raise _too_long(most, len(text))


def _too_long(most: int, now: int) -> ParseError:
    return ParseError(
        _("Shorten the text to %(most)s characters; now it has %(now)s."),
        most=partial(formatting.number, most),
        now=partial(formatting.number, now),
    )


def _refuse_unprintable(text: str) -> None:
    """What no database and no document can hold: NUL, other controls, half characters."""
    for char in text:
        if char in "\n\r\t":
            continue
        if unicodedata.category(char) in ("Cc", "Cs"):
            raise ParseError(
                _("There is an invisible control character here. Delete it or type the text anew.")
            )


def _parse_text(question: Question, text: str) -> str:
    if len(text) > question.length:
        raise _too_long(question.length, len(text))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse_line(question: Question, text: str) -> str:
    return " ".join(_parse_text(question, text).split())


def _parse_email(question: Question, text: str) -> str:
    line = _parse_line(question, text)
    if not _EMAIL.fullmatch(line):
        raise ParseError(_("Write one e-mail address, for example name@company.com."))
    return line


def _parse_choice(question: Question, text: str) -> str:
    if question.option(text) is None:
        raise ParseError(_("Choose one of the answers offered."))
    return text


def _parse_boolean(question: Question, text: str) -> bool:
    if text not in ("yes", "no"):
        raise ParseError(_("Choose “yes” or “no”."))
    return text == "yes"


def _parse_multi(question: Question, chosen: Sequence[str]) -> tuple[str, ...] | None:
    values = [value.strip() for value in chosen[:MOST_CHOICES] if value.strip()]
    if len(chosen) > MOST_CHOICES or any(question.option(v) is None for v in values):
        raise ParseError(_("Choose among the answers offered."))
    # The order of the options, not of the clicks: the same answer is always the same value.
    return tuple(o.value for o in question.options if o.value in values) or None


def _parse_date(question: Question, text: str) -> Parsed:
    return parse_date(text)


def _example(question: Question) -> str:
    return str(question.examples[0]) if question.examples else "12"


def _parse_plain(question: Question, text: str) -> Parsed:
    """A plain number; of a picture 224×224 gives 224."""
    square = _SQUARE.fullmatch(text)
    if square and "px" in _words(question):
        if int(square[1]) != int(square[2]):
            raise ParseError(_("Give one number, the longer side in pixels, for example 1024."))
        text = square[1] + square[3]
    number, rest = split_number(
        text, example=_example(question), is_whole=lambda rest: question.limits.whole
    )
    if word_key(rest) in units.SCALES and word_key(rest) not in _words(question):
        raise ParseError(
            _("Write the number in full, without “%(unit)s”, for example %(example)s."),
            unit=rest[:20],
            example=_example(question),
        )
    if rest and word_key(rest) not in _words(question):
        raise _unknown_unit(question, rest)
    return _bounded(question, number)


def _words(question: Question) -> frozenset[str]:
    return question.unit.words if question.unit else frozenset()


def _parse_count(question: Question, text: str) -> Parsed:
    """«7 млрд», «8B», «1,2 трлн токенов», «8 192»."""
    number, rest = split_number(
        text,
        example=_example(question),
        # «1,500 млрд» may well be one and a half; «1,500» tokens may not.
        is_whole=lambda rest: question.limits.whole and _scale_of(rest) is None,
    )
    factor, tail = _scale_of(rest), rest.partition(" ")[2]
    if factor is None:
        factor, tail = Decimal(1), rest
    if tail and word_key(tail) not in _words(question):
        raise _unknown_unit(question, tail)
    return _bounded(question, number * factor)


def _scale_of(rest: str) -> Decimal | None:
    """What the word after a number multiplies it by; None where it is no such word."""
    return units.SCALES.get(word_key(rest.partition(" ")[0]))


def _parse_bytes(question: Question, text: str) -> Parsed:
    number, rest = split_number(text, example=_example(question))
    word = word_key(rest)
    if word.split("/")[0] in units.BITS:
        raise ParseError(
            _("This is bits. Give the volume in bytes, for example %(example)s."),
            example=_example(question),
        )
    if word in units.BARE_BYTE_LETTERS:
        raise ParseError(
            _("Write the unit in full: GB is 10⁹ bytes, GiB is 2³⁰, for example %(example)s."),
            example=_example(question),
        )
    factor = _factor(question, units.BYTES, rest)
    return _bounded(question, (number * factor).to_integral_value())


def _parse_hours(question: Question, text: str) -> Parsed:
    """One span or several: «3 дня», «1 день 12 часов»."""
    total = Decimal(0)
    rest = text
    for _part in range(4):
        number, rest = split_number(rest, example=_example(question))
        word, _space, rest = rest.partition(" ")
        total += number * _factor(question, units.HOURS, word)
        rest = _MORE.sub("", rest, count=1)
        if not rest:
            return _bounded(question, total)
    raise _unknown_unit(question, rest)


def _parse_kilowatts(question: Question, text: str) -> Parsed:
    number, rest = split_number(text, example=_example(question))
    if word_key(rest) in units.APPARENT_POWER:
        raise ParseError(
            _("kVA is not kW: ask for the usable kilowatts, for example %(example)s."),
            example=_example(question),
        )
    return _bounded(question, number * _factor(question, units.KILOWATTS, rest))


def _parse_measure(table: UnitTable, question: Question, text: str) -> Parsed:
    number, rest = split_number(text, example=_example(question))
    return _bounded(question, number * _factor(question, table, rest))


def _factor(question: Question, table: UnitTable, word: str) -> Decimal:
    """How many base units the word stands for; no word means the question's own unit."""
    factor = table.get(word_key(word) or question.default_unit)
    if factor is None:
        raise _unknown_unit(question, word)
    return factor


def _unknown_unit(question: Question, word: str) -> ParseError:
    return ParseError(
        _("“%(unit)s” is not understood here. Write it like %(example)s."),
        unit=word[:20],
        example=_example(question),
    )


def _bounded(question: Question, value: Decimal) -> int | float:
    limits = question.limits
    if value < 0:
        raise ParseError(_("This cannot be negative. Write it without the minus sign."))
    if limits.whole and value != value.to_integral_value():
        raise ParseError(
            _("Write a whole number, for example %(example)s."), example=_example(question)
        )
    if value < Decimal(repr(limits.low)):
        raise ParseError(_("Write at least %(low)s."), low=partial(formatting.number, limits.low))
    if value > Decimal(repr(limits.high)):
        raise ParseError(
            _("Write at most %(high)s; check the unit."),
            high=partial(formatting.number, limits.high),
        )
    return int(value) if value == value.to_integral_value() else float(value)


_PARSERS: Final[dict[Kind, Callable[[Question, str], Parsed]]] = {
    Kind.TEXT: _parse_line,
    Kind.LONG: _parse_text,
    Kind.EMAIL: _parse_email,
    Kind.MONEY: _parse_line,
    Kind.CHOICE: _parse_choice,
    Kind.BOOLEAN: _parse_boolean,
    Kind.DATE: _parse_date,
    Kind.NUMBER: _parse_plain,
    Kind.PERCENT: partial(_parse_measure, units.PERCENT),
    Kind.COUNT: _parse_count,
    Kind.BYTES: _parse_bytes,
    Kind.HOURS: _parse_hours,
    Kind.KILOWATTS: _parse_kilowatts,
    Kind.MILLIMETRES: partial(_parse_measure, units.MILLIMETRES),
    Kind.KILOGRAMS: partial(_parse_measure, units.KILOGRAMS),
}
