"""Figures as text in templates. Each filter takes a number, a range or None."""

from collections.abc import Callable
from typing import Any, Final

from apps.core import formatting


def _with(unit: str, value: Any) -> str:
    if value is None:
        return formatting.not_given()
    if isinstance(value, int | float):
        return formatting.quantity(value, unit)
    return formatting.range_text(value, unit)


def num(value: Any, digits: int | None = None) -> str:
    """A bare number: for counts and for cells whose column names the unit."""
    if isinstance(value, int | float) or value is None:
        return formatting.number(value, digits)
    return formatting.range_text(value)


def approx(value: float | None) -> str:
    return formatting.approximate(value)


def unit(value: Any, name: str) -> str:
    """Any unit by its key: `{{ speed|unit:"GB_per_s" }}`."""
    return _with(name, value)


def span(value: Any, name: str = "") -> str:
    """42–67 ГиБ: low to high, for headlines whose range stands nearby."""
    return formatting.span_text(value, name)


def gib(value: Any) -> str:
    """GiB in."""
    return _with("GiB", value)


def gb(value: Any) -> str:
    """GB in."""
    return _with("GB", value)


def kw(value: Any) -> str:
    """kW in."""
    return _with("kW", value)


def hours(value: Any) -> str:
    """Hours in."""
    return _with("h", value)


def tokens(value: Any) -> str:
    return _with("tokens", value)


def _or_not_given(write: Any, value: Any) -> str:
    return formatting.not_given() if value is None else str(write(value))


def w(value: Any) -> str:
    """Watts in; W or kW out."""
    return _or_not_given(formatting.power, value)


def duration(value: Any) -> str:
    """Seconds in; the unit that suits them out."""
    return _or_not_given(formatting.duration, value)


def percent(value: Any) -> str:
    """A ratio in."""
    return _or_not_given(formatting.percent, value)


def bytes_(value: Any) -> str:
    """Bytes in; decimal units out."""
    return _or_not_given(formatting.byte_size, value)


def bytes_both(value: float | None) -> str:
    return formatting.byte_size_both(value)


FILTERS: Final[dict[str, Callable[..., str]]] = {
    "num": num,
    "approx": approx,
    "unit": unit,
    "span": span,
    "gib": gib,
    "gb": gb,
    "kw": kw,
    "w": w,
    "hours": hours,
    "tokens": tokens,
    "duration": duration,
    "percent": percent,
    "bytes": bytes_,
    "bytes_both": bytes_both,
    "day": formatting.day,
    "moment": formatting.moment,
    "short_moment": formatting.short_moment,
    "clock": formatting.clock,
}
