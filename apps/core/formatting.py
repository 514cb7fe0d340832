"""Numbers, ranges and dates as text: the only place where a number becomes text.

Everything follows the active language. Russian writes a decimal comma and thin groups, English a
decimal point and comma groups; a no-break space stands before a unit.
"""

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any, Final

from django.utils import dateformat, timezone
from django.utils.translation import get_language, gettext, pgettext

from apps.core.rounding import SIGNIFICANT_DIGITS, common_digits, exponent
from apps.core.units import unit_name, with_unit

__all__ = ["unit_name", "with_unit"]  # so that a caller needs one import

NBSP: Final = "\N{NO-BREAK SPACE}"
WORD_JOINER: Final = "\u2060"  # nothing wide, and no end of a line
THIN: Final = "\N{NARROW NO-BREAK SPACE}"
MINUS: Final = "\N{MINUS SIGN}"
DASH: Final = "\N{EN DASH}"

# (decimal mark, mark between groups of three)
_MARKS: Final = {"ru": (",", THIN), "en": (".", ",")}
_EXACT: Final = Context(prec=700, rounding=ROUND_HALF_UP)  # holds any float, whole and fraction
_ROUNDS_UP_RATIO: Final = 0.9995  # 999,6 GB would read 1 000 GB: that is 1 TB

_SMALLEST_SHARE: Final = 0.001
_LARGE_FROM: Final = 1e6  # from here on a formula writes a power of ten
_TEN: Final = 10
_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_FRACTIONS: Final = {0.25: "¼", 0.5: "½"}

DECIMAL_SIZES: Final = (
    ("B", 1),
    ("kB", 10**3),
    ("MB", 10**6),
    ("GB", 10**9),
    ("TB", 10**12),
    ("PB", 10**15),
)
BINARY_SIZES: Final = (
    ("B", 1),
    ("KiB", 2**10),
    ("MiB", 2**20),
    ("GiB", 2**30),
    ("TiB", 2**40),
    ("PiB", 2**50),
)
POWERS: Final = (("W", 1), ("kW", 1000))
# (unit, its seconds, from how many seconds on): 90 s and 72 h read better than 1,5 min and 3 d.
# What a range is said in once it reaches five digits: 20–40 TB, 14–120 months.
_LARGER: Final = {"GB": ("TB", 1000.0), "h": ("mo", 730.0)}
_FIVE_DIGITS: Final = 10_000 * _ROUNDS_UP_RATIO
DURATIONS: Final = (
    ("ms", 0.001, 0.0),
    ("s", 1.0, 1.0),
    ("min", 60.0, 120.0),
    ("h", 3600.0, 7200.0),
    ("d", 86400.0, 120 * 3600.0),
)


def _marks() -> tuple[str, str]:
    return _MARKS["en"] if (get_language() or "ru").startswith("en") else _MARKS["ru"]


def _written(value: float, digits: int) -> str:
    """`value` rounded half up to `digits` decimals (negative: tens, hundreds), grouped, signed."""
    rounded = Decimal(repr(value) if isinstance(value, float) else value).quantize(
        Decimal(1).scaleb(-digits), context=_EXACT
    )
    plain = f"{abs(rounded):,.{max(digits, 0)}f}"
    decimal, group = _marks()
    swapped = plain.replace(",", "\0").replace(".", decimal).replace("\0", group)
    return f"{MINUS}{swapped}" if rounded < 0 else swapped


def _without_zeros(texts: Sequence[str]) -> list[str]:
    """Drop the decimals that are zero in every one of `texts`, all of the same precision."""
    decimal, _ = _marks()
    shown = list(texts)
    while all(decimal in t and t.endswith("0") for t in shown):
        shown = [t[:-1] for t in shown]
    return [t.removesuffix(decimal) for t in shown]


def not_given() -> str:
    """What stands where there is no value; never a blank, never a zero."""
    return gettext("not specified")


def number(value: float | None, digits: int | None = None) -> str:
    """A count as it is; a fraction to three significant digits. `digits` fixes the decimals."""
    if value is None or not math.isfinite(value):
        return not_given()
    if digits is not None:
        return _written(value, digits)
    if value == int(value):
        return _written(int(value), 0)
    return approximate(value)


def approximate(value: float | None, significant: int = SIGNIFICANT_DIGITS) -> str:
    """An estimate to `significant` digits, without trailing zeros: 41 837 is 41 800."""
    if value is None or not math.isfinite(value):
        return not_given()
    digits = significant - 1 - exponent(value)
    return _without_zeros([_written(value, digits)])[0]


def quantity(value: float | None, unit: str) -> str:
    """`number` with its unit: 3,95 кВт."""
    if value is None or not math.isfinite(value):
        return not_given()
    # The word goes with what is read: 682.67 tokens stand as 683.
    read = value if value == int(value) else round(value, SIGNIFICANT_DIGITS - 1 - exponent(value))
    return with_unit(number(value), unit, read)


def scientific(value: float, significant: int = SIGNIFICANT_DIGITS) -> str:
    """A number of a formula: 0,77; 14 336; from a million on 8,03·10⁹."""
    if not math.isfinite(value):
        return not_given()
    if value == int(value) and abs(value) < _LARGE_FROM:
        return _written(int(value), 0)
    if abs(value) < _LARGE_FROM:
        return approximate(value, significant)
    power = exponent(value)
    digits = approximate(value / 10**power, significant)
    if abs(parse_number(digits)) >= _TEN:
        power, digits = power + 1, "1"
    ten = f"10{str(power).translate(_SUPERSCRIPT)}"
    return ten if digits == "1" else f"{digits}·{ten}"


def power_of(text: str, exponent_value: float) -> str:
    """`text` raised to a power: x⁴, x^¼."""
    fraction = _FRACTIONS.get(exponent_value)
    if fraction:
        return f"{text}^{fraction}"
    if exponent_value == int(exponent_value) and exponent_value > 0:
        return text + str(int(exponent_value)).translate(_SUPERSCRIPT)
    return f"{text}^{number(exponent_value)}"


def estimate(value: float | None, unit: str) -> str:
    """`approximate` with its unit: 41 800 токенов/с."""
    if value is None or not math.isfinite(value):
        return not_given()
    return with_unit(approximate(value), unit, value)


# ranges ------------------------------------------------------------------------------------------


def range_values(source: Any) -> tuple[float, float, float] | None:
    """`low, typical, high` of a Range, of its dict, or of three numbers; None for None.

    Raises:
        TypeError: it is none of these.
    """
    if source is None:
        return None
    if isinstance(source, Mapping):
        values: Iterable[Any] = (source[k] for k in ("low", "typical", "high"))
    elif hasattr(source, "typical"):
        values = (source.low, source.typical, source.high)
    elif isinstance(source, Sequence) and not isinstance(source, str) and len(source) == 3:
        values = source
    else:
        raise TypeError(f"not a range: {source!r}")
    low, typical, high = (float(v) for v in values)
    return low, typical, high


def range_texts(source: Any) -> tuple[str, str, str] | None:
    """The three figures as text, rounded alike so that they compare; None for no range.

    A range over more than one power of ten rounds each figure for itself.
    """
    values = range_values(source)
    if values is None or not all(math.isfinite(v) for v in values):
        return None
    low, typical, high = values
    if low == high:
        same = number(typical)
        return same, same, same
    digits = common_digits(low, typical, high)
    if digits is None:
        return approximate(low), approximate(typical), approximate(high)
    first, second, third = _without_zeros([_written(v, digits) for v in values])
    return first, second, third


def fitted_range(source: Any, unit: str) -> tuple[Any, str, float]:
    """A range, its unit and by what it was divided: a larger unit where five digits would stand.

    Only where its low end too makes one of the larger unit, and the range is none exactly known.
    """
    values = range_values(source) if unit in _LARGER else None
    if values is None:
        return source, unit, 1.0
    larger, size = _LARGER[unit]
    low, _, high = values
    if low < size or high < _FIVE_DIGITS or low == high:
        return source, unit, 1.0
    fitted = [value / size for value in values]
    if unit == "h":  # a year and more is not known finer, and 730 would make digits of its own
        fitted = [round(value, 1 - exponent(value)) for value in fitted]
    return fitted, larger, size


def range_text(source: Any, unit: str = "") -> str:
    """42 – 59 – 67 ГиБ. A figure that is known exactly stands alone, with the word."""
    source, unit, _size = fitted_range(source, unit)
    texts = range_texts(source)
    if texts is None:
        return not_given()
    low, typical, high = texts
    if low == high:
        values = range_values(source)
        exact = values is not None and values[0] == values[2]
        count = values[1] if values else None
        return one_figure(with_unit(typical, unit, count), exact=exact)
    return with_unit(f"{low}{NBSP}{DASH}{NBSP}{typical}{NBSP}{DASH}{NBSP}{high}", unit)


def one_figure(text: str, *, exact: bool) -> str:
    """The words for a range whose three figures read the same."""
    pattern = (
        pgettext("range", "exactly %(value)s") if exact else pgettext("range", "about %(value)s")
    )
    return pattern % {"value": text}


def span_text(source: Any, unit: str = "") -> str:
    """42–67 ГиБ: low to high without the typical, for headlines only."""
    source, unit, _size = fitted_range(source, unit)
    texts = range_texts(source)
    if texts is None:
        return not_given()
    low, _, high = texts
    return with_unit(low if low == high else f"{low}{DASH}{high}", unit)


# units that suit the size ------------------------------------------------------------------------


def _fitting(largest: float, steps: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """The biggest unit that `largest` holds at least once, else the smallest."""
    chosen = steps[0]
    for unit, size in steps[1:]:
        if abs(largest) >= size * _ROUNDS_UP_RATIO:
            chosen = (unit, size)
    return chosen


def _scaled(source: Any, unit: str, size: float) -> str:
    if isinstance(source, int | float):
        return with_unit(approximate(source / size), unit, source / size)
    values = range_values(source)
    return not_given() if values is None else range_text([v / size for v in values], unit)


def _largest(source: Any) -> float:
    if isinstance(source, int | float):
        return float(source)
    values = range_values(source)
    return values[2] if values else 0.0


def byte_size(size_bytes: Any) -> str:
    """Bytes in decimal units, or a range of them: 482 ГБ."""
    return _scaled(size_bytes, *_fitting(_largest(size_bytes), DECIMAL_SIZES))


def binary_size(size_bytes: Any) -> str:
    """Bytes in binary units, or a range of them: 449 ГиБ."""
    return _scaled(size_bytes, *_fitting(_largest(size_bytes), BINARY_SIZES))


def byte_size_both(size_bytes: float | None) -> str:
    """482 ГБ (449 ГиБ): the same bytes said both ways."""
    if size_bytes is None:
        return not_given()
    return f"{byte_size(size_bytes)} ({binary_size(size_bytes)})"


def power(power_w: Any) -> str:
    """Watts as W or kW, or a range of them."""
    return _scaled(power_w, *_fitting(_largest(power_w), POWERS))


def duration(duration_s: Any) -> str:
    """Seconds in the unit that suits them, or a range of them: 45 с, 53 ч, 12 дн."""
    largest = abs(_largest(duration_s))
    unit, size, _ = [step for step in DURATIONS if largest >= step[2]][-1]
    return _scaled(duration_s, unit, size)


def duration_span(duration_s: Any) -> str:
    """A range of seconds from low to high, without the typical: 23–43 ч."""
    unit, size, _ = [step for step in DURATIONS if abs(_largest(duration_s)) >= step[2]][-1]
    values = range_values(duration_s)
    return not_given() if values is None else span_text([v / size for v in values], unit)


def percent(ratio: Any) -> str:
    """0.283 as 28 %, or a range of ratios.

    A share is an estimate: two digits, and none where it is too small to measure.
    """
    if not isinstance(ratio, int | float):
        return _scaled(ratio, "percent", 0.01)
    if 0 < ratio < _SMALLEST_SHARE:
        return gettext("less than %(share)s") % {"share": percent(_SMALLEST_SHARE)}
    return with_unit(approximate(100 * ratio, 2), "percent", 100 * ratio)


# dates -------------------------------------------------------------------------------------------


def _local(value: dt.date | dt.datetime) -> dt.date | dt.datetime:
    aware = isinstance(value, dt.datetime) and timezone.is_aware(value)
    return timezone.localtime(value) if aware and isinstance(value, dt.datetime) else value


def _dated(value: dt.date | dt.datetime | None, pattern: str) -> str:
    return not_given() if value is None else dateformat.format(_local(value), pattern)


def day(value: dt.date | dt.datetime | None) -> str:
    """28 ноября 2026."""
    return _dated(value, f"j{NBSP}E{NBSP}Y")


def moment(value: dt.datetime | None) -> str:
    """28 ноября 2026, 18:00, in the server's time zone."""
    return _dated(value, f"j{NBSP}E{NBSP}Y, H:i")


def short_moment(value: dt.datetime | None) -> str:
    """28 ноября, 18:00: for what happens within the year."""
    return _dated(value, f"j{NBSP}E, H:i")


def clock(value: dt.datetime | None) -> str:
    """18:00."""
    return _dated(value, "H:i")


# back from text ----------------------------------------------------------------------------------

_SPACE: Final = re.compile("[\\s\u00a0\u202f\u2009]")
_PLAIN: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_GROUPED: Final = re.compile(r"-?[0-9]{1,3}( [0-9]{3})+(\.[0-9]+)?")


def parse_number(text: str) -> float:
    """Read what `number` wrote in the active language.

    Raises:
        ValueError: it is not a number as the language writes it.
    """
    tidy = _SPACE.sub(" ", text.strip()).replace(MINUS, "-")
    decimal, _ = _marks()
    if decimal == ",":
        tidy = tidy.replace(",", ".")
    elif " " not in tidy:
        tidy = tidy.replace(",", " ")
    if _GROUPED.fullmatch(tidy):
        tidy = tidy.replace(" ", "")
    if not _PLAIN.fullmatch(tidy):
        raise ValueError(f"not a number: {text[:80]!r}")
    return float(tidy)
