"""How an answer is said back: under the field while it is typed, and in every summary.

The client's own figure is said exactly as given, never rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Final, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from apps.core import formatting
from apps.questionnaire.question import NUMERIC, Kind, Parsed, Question

HOURS_PER_DAY: Final = 24
_WHOLE_DAYS_FROM: Final = 48
_GROUPED_FROM: Final = 1000
_MANY: Final = 5  # the form of the word after «млрд»
_SCALED_DIGITS: Final = 3
_SCALES: Final = (
    (10**12, pgettext_lazy("large count", "%(shown)s trillion")),
    (10**9, pgettext_lazy("large count", "%(shown)s billion")),
    (10**6, pgettext_lazy("large count", "%(shown)s million")),
)


def exact(value: float) -> str:
    """Every digit that was given: 0.125 is 0,125."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return formatting.number(value, max(0, -int(exponent)))


def counted(question: Question, value: float) -> str:
    """`8 192 токена`: the number with its word in the right form."""
    if question.unit is None:
        return exact(value)
    # A fraction takes the form of «два»: 1,5 токена, 1.5 tokens.
    form = int(value) if value == int(value) else 2
    return f"{exact(value)}{formatting.NBSP}{question.unit.counted % {'n': form}}"


def scaled(question: Question, value: float) -> str:
    """`8,03 млрд параметров`: a large count as people say it, if that loses nothing."""
    for size, template in _SCALES:
        if value >= size and value * 10**_SCALED_DIGITS % size == 0:
            word = question.unit.counted % {"n": _MANY} if question.unit else ""
            return f"{template % {'shown': exact(value / size)}} {word}".strip()
    return counted(question, value)


def hours_text(hours: float) -> str:
    """72 ч (3 дня): hours, and whole days when there are some."""
    text = f"{exact(hours)}{formatting.NBSP}{formatting.unit_name('h')}"
    days = hours / HOURS_PER_DAY
    if hours < _WHOLE_DAYS_FROM or days != int(days):
        return text
    return f"{text} ({_days(int(days))})"


def _days(days: int) -> str:
    shown = formatting.number(days)
    return ngettext("%(shown)s day", "%(shown)s days", days) % {"shown": shown}


def display(question: Question, value: Parsed) -> str:
    """One answer as a person reads it."""
    if isinstance(value, bool):
        return pgettext("answer", "Yes") if value else pgettext("answer", "No")
    if isinstance(value, date):
        return formatting.day(value)
    if isinstance(value, tuple):
        return ", ".join(_option_label(question, v) for v in value)
    if isinstance(value, str):
        return _option_label(question, value) if question.kind is Kind.CHOICE else value
    return _NUMBERS.get(question.kind, counted)(question, value)


def _option_label(question: Question, value: str) -> str:
    option = question.option(value)
    return str(option.label) if option else value


def _bytes_text(question: Question, value: float) -> str:
    return formatting.byte_size_both(value)


def _with(unit: str) -> Callable[[Question, float], str]:
    return lambda question, value: formatting.with_unit(exact(value), unit, value)


_NUMBERS: Final[dict[Kind, Callable[[Question, float], str]]] = {
    Kind.BYTES: _bytes_text,
    Kind.COUNT: scaled,
    Kind.HOURS: lambda question, value: hours_text(value),
    Kind.KILOWATTS: _with("kW"),
    Kind.MILLIMETRES: _with("mm"),
    Kind.KILOGRAMS: _with("kg"),
    Kind.PERCENT: _with("percent"),
}


def echo(question: Question, value: Parsed | None) -> str:
    """What was understood, for the line under the field; empty when there is nothing to add."""
    if value is None:
        return ""
    if question.kind is Kind.BYTES:
        size = cast(int, value)
        return _("= %(bytes)s (%(binary)s)") % {
            "bytes": ngettext("%(shown)s byte", "%(shown)s bytes", size)
            % {"shown": formatting.number(size)},
            "binary": formatting.binary_size(size),
        }
    if question.kind is Kind.COUNT:
        return f"= {counted(question, cast(float, value))}"
    if (
        question.kind is Kind.NUMBER
        and question.unit is None
        and cast(float, value) < _GROUPED_FROM
    ):
        return ""  # a bare small number is understood as it is written
    if question.kind in NUMERIC or question.kind is Kind.DATE:
        return f"= {display(question, value)}"
    return ""
