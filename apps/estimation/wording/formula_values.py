"""Values of a formula as text: the unit of a quantity says how."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from django.utils.translation import pgettext

from apps.core import formatting
from apps.estimation.magnitude import figure_as_shown
from apps.estimation.wording.parameters import rate_text

Write: TypeAlias = Callable[[float], str]

_GB: Final = 1e9
_TERA: Final = 1e12
_MIB: Final = 2.0**20
_MINUTE_S: Final = 60.0
_HOUR_S: Final = 3600.0
_LEAST_HOURS: Final = 0.01


def _in(unit: str, factor: float = 1.0) -> Write:
    return lambda value: formatting.estimate(value * factor, unit)


def _exactly(unit: str) -> Write:
    return lambda value: formatting.with_unit(formatting.scientific(value), unit, value)


def _a_second(text: str) -> str:
    return pgettext("rate", "%(size)s/s") % {"size": text}


def _hours(value: float) -> str:
    """Hours, which deadlines are compared in; what is no hundredth of one, in its own unit."""
    if 0 < value < _LEAST_HOURS:
        return formatting.duration(value * _HOUR_S)
    return formatting.estimate(value, "h")


_WRITERS: Final[Mapping[str, Write]] = {
    "": formatting.scientific,
    "ratio": formatting.scientific,
    "share": formatting.percent,
    "bytes": formatting.byte_size,
    "binary": formatting.binary_size,
    "gib": lambda value: formatting.binary_size(value * 2.0**30),
    "gb": lambda value: formatting.byte_size(value * _GB),
    "tb": lambda value: formatting.byte_size(value * _TERA),
    "bytes_per_s": lambda value: rate_text(value / _GB),
    "gb_per_s": rate_text,
    "tb_per_s": lambda value: rate_text(value * 1000),
    "mib_per_s": lambda value: _a_second(formatting.binary_size(value * _MIB)),
    "s": formatting.duration,
    "ms": lambda value: formatting.duration(value / 1e3),
    "us": lambda value: formatting.duration(value / 1e6),
    "minutes": lambda value: formatting.duration(value * _MINUTE_S),
    "hours": _hours,
    "days": _in("days"),
    "w": formatting.power,
    "kw": lambda value: formatting.power(value * 1000),
    "flops": _exactly("FLOP"),
    "flops_per_s": _in("TFLOPS", 1 / _TERA),
    "tflops_per_s": _in("TFLOPS"),
    "tokens": _exactly("tokens"),
    "tokens_per_s": _in("tokens_per_s"),
    "per_s": lambda value: _a_second(formatting.approximate(value)),
    "gbit_per_s": _in("Gbit_per_s"),
    "amps": _in("A"),
    "kwh": _in("kWh"),
    "kelvin": _in("K"),
    "kg": _in("kg"),
    "mm": _in("mm"),
    "rack_units": _exactly("U"),
    "m3_per_h": _in("m3_per_h"),
    "btu_per_h": _in("BTU_per_h"),
}
UNITS: Final = frozenset(_WRITERS)
# Units that are read in steps of their own: two digits of bytes are three of MiB.
_STEPS: Final[Mapping[str, Sequence[tuple[float, float]]]] = {
    "binary": [(size, size) for _unit, size in formatting.BINARY_SIZES],
    "s": [(begins, size) for _unit, size, begins in formatting.DURATIONS],
}


def quantity_text(value: float, unit: str, *, rough: bool = False) -> str:
    """`value` in its unit, to the digits that are worth reading.

    `rough`: a computed figure of a result that shows orders of magnitude only.
    """
    return _WRITERS[unit](_rounded(value, unit) if rough else value)


def _rounded(value: float, unit: str) -> float:
    step = max((size for begins, size in _STEPS.get(unit, ()) if begins <= abs(value)), default=1.0)
    return figure_as_shown(value / step) * step
