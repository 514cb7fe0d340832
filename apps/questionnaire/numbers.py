"""Numbers as people write them.

The language of the page plays no part: «1,5» and «1.5» are the same number everywhere, and what
could be read in two ways is asked back, so a stored text means the same to every reader. Where
only a whole number makes sense, `1,500` has one reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Final

from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from apps.questionnaire.errors import ParseError

LONGEST: Final = 64

# Space, no-break space, figure space, thin space, narrow no-break space.
_SPACES: Final = "\u0020\u00a0\u2007\u2009\u202f"
_NUMBER_PART: Final = re.compile(rf"[-\u2212+]?[0-9][0-9.,{_SPACES}]*")
_ABOUT: Final = re.compile(
    r"^(?:[~≈]|около|примерно|порядка|about|approx\.?|approximately)\s*", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"[0-9][^-\u2013\u2014]*[-\u2013\u2014\u2026]\s*[0-9]")
_EXPONENT: Final = re.compile(r"[0-9]\s*[eе][+-]?[0-9]", re.IGNORECASE)

_PLAIN: Final = re.compile(r"[0-9]+")
_SPACED: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]+)?")
_DECIMAL: Final = re.compile(r"([0-9]+)([.,])([0-9]+)")
_COMMA_GROUPS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINT_GROUPS: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")

NOT_A_NUMBER: Final = _("Write a number in ordinary digits, for example %(example)s.")


def _never(rest: str) -> bool:
    return False


def split_number(
    text: str, *, example: str, is_whole: Callable[[str], bool] = _never
) -> tuple[Decimal, str]:
    """Read the number at the start of `text`; return it and what follows, stripped.

    `is_whole` says of what follows whether the number before it must be a whole one.

    «около» and «~» before the number are let pass. A minus is read: whether a negative value makes
    sense is for the limits of the question to say.

    Raises:
        ParseError: there is no number, it is a range of two, or it can be read in two ways.
    """
    if len(text) > LONGEST:
        raise ParseError(
            _("This is too long for a number. Write it in at most %(most)s characters."),
            most=LONGEST,
        )
    text = _ABOUT.sub("", text.strip())
    if _EXPONENT.search(text):
        raise ParseError(
            _("Write the number without an exponent, for example %(example)s."), example=example
        )
    if _BETWEEN.search(text):
        raise ParseError(
            _("Write one number, the most likely one, for example %(example)s."), example=example
        )
    found = _NUMBER_PART.match(text)
    if not found:
        raise ParseError(NOT_A_NUMBER, example=example)
    rest = text[found.end() :].strip()
    number = found.group().rstrip(_SPACES)
    return read_number(number, example=example, whole=is_whole(rest)), rest


def read_number(text: str, *, example: str, whole: bool = False) -> Decimal:
    """Read a number that stands alone. Of a `whole` one, `1,500` and `1.500` are 1500.

    Raises:
        ParseError: it is not a number, or it can be read in two ways (`1,500`).
    """
    negative = text[:1] in "-\u2212"
    body = re.sub(f"[{_SPACES}]", " ", text.lstrip("-\u2212+").strip(_SPACES))
    value = _read_body(body, example=example, whole=whole)
    return -value if negative else value


def _read_body(body: str, *, example: str, whole: bool) -> Decimal:
    if _PLAIN.fullmatch(body):
        return Decimal(body)
    if _SPACED.fullmatch(body):
        return Decimal(body.replace(" ", "").replace(",", "."))
    decimal = _DECIMAL.fullmatch(body)
    if decimal:
        before, _mark, fraction = decimal.groups()
        if len(fraction) == 3 and len(before) <= 3 and not before.startswith("0"):
            if whole:
                return Decimal(before + fraction)
            raise _two_readings(body, before, fraction)
        return Decimal(f"{before}.{fraction}")
    if _COMMA_GROUPS.fullmatch(body):
        return Decimal(body.replace(",", ""))
    if _POINT_GROUPS.fullmatch(body):
        return Decimal(body.replace(".", "").replace(",", "."))
    raise ParseError(NOT_A_NUMBER, example=example)


def _two_readings(body: str, whole: str, fraction: str) -> ParseError:
    shorter = fraction.rstrip("0") or "0"
    # Three digits after the mark are what makes it ambiguous; four are a fraction for sure.
    clear = shorter if len(shorter) < 3 else fraction + "0"
    return ParseError(
        _(
            "“%(typed)s” can be read as %(thousands)s or as %(fraction)s. Write the one you mean, just like that."
        ),
        typed=body,
        thousands=whole + fraction,
        fraction=partial(_with_mark, whole, clear),
    )


def _with_mark(whole: str, fraction: str) -> str:
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{fraction}"
