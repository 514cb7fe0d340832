"""Parameters of an engine message as text: the end of a name says the unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from django.utils.translation import pgettext

from apps.core import formatting

Write: TypeAlias = Callable[[Any], str]

_GB: Final = 10**9


def _in(unit: str) -> Write:
    """A figure or a range with its unit."""

    def write(value: Any) -> str:
        if isinstance(value, int | float):
            return formatting.estimate(value, unit)
        return formatting.range_text(value, unit)

    return write


def _exactly(unit: str) -> Write:
    """A count that is known: no rounding."""

    def write(value: Any) -> str:
        if isinstance(value, int | float):
            return formatting.quantity(value, unit)
        return formatting.range_text(value, unit)

    return write


def rate_text(rate_gb_per_s: Any) -> str:
    """GB/s in; the unit that suits the rate out: 0,53 МБ/с, 365 ГБ/с."""
    if isinstance(rate_gb_per_s, int | float):
        size = formatting.byte_size(rate_gb_per_s * _GB)
    else:
        values = formatting.range_values(rate_gb_per_s) or ()
        size = formatting.byte_size([v * _GB for v in values] or None)
    return pgettext("rate", "%(size)s/s") % {"size": size}


def _count(value: Any) -> str:
    if isinstance(value, int | float):
        return formatting.number(value)
    return formatting.range_text(value)


def _flop(value: Any) -> str:
    """Operations: a power of ten, because no word reaches so far."""
    return pgettext("operations", "%(count)s FLOP") % {"count": formatting.scientific(value)}


# The longest ending that fits wins: `_gb_per_s` is not `_s`.
SUFFIXES: Final[Mapping[str, Write]] = {
    "_gib": _in("GiB"),
    "_gb": _in("GB"),
    "_tb": _in("TB"),
    "_bytes": formatting.byte_size,
    "_kw": _in("kW"),
    "_w": formatting.power,
    "_kva": _in("kVA"),
    "_amps": _in("A"),
    "_volts": _in("V"),
    "_gpu_hours": _in("GPU_h"),
    "_hours": _in("h"),
    "_s": formatting.duration,
    "_ms": _in("ms"),
    "_days": _in("days"),
    "_ratio": formatting.percent,
    "_gb_per_s": rate_text,
    "_tb_per_s": _in("TB_per_s"),
    "_gbit_per_s": _in("Gbit_per_s"),
    "_tokens_per_s": _in("tokens_per_s"),
    "_tflops_per_s": _in("TFLOPS"),
    "_tokens": _exactly("tokens"),
    "_steps": _exactly("steps"),
    "_samples": _in("samples"),
    "_files": _in("files"),
    "_mm": _in("mm"),
    "_kg": _in("kg"),
    "_rack_units": _in("U"),
    "_gpus": _exactly("gpus"),
    "_nodes": _exactly("nodes"),
    "_billion": _in("params_billion"),
    "_count": _count,
    "_flop": _flop,
}
_LONGEST_FIRST: Final = sorted(SUFFIXES, key=len, reverse=True)

# Names that are a unit by themselves.
_WHOLE: Final[Mapping[str, Write]] = {
    "gpus": _exactly("gpus"),
    "nodes": _exactly("nodes"),
    "hours": _in("h"),
    "tokens": _exactly("tokens"),
    "steps": _exactly("steps"),
    "watts": formatting.power,
    "volts": _in("V"),
    "amps": _in("A"),
    # Modules are counted, not estimated: 16 × 64 GB is 1,024 GB.
    "module_gb": _exactly("GB"),
    "ram_gb": _exactly("GB"),
}


def parameter_text(name: str, value: Any) -> str | None:
    """`value` as its name asks for; None when the name says no unit."""
    write = _WHOLE.get(name)
    if write is None:
        suffix = next((s for s in _LONGEST_FIRST if name.endswith(s)), None)
        write = SUFFIXES[suffix] if suffix else None
    if write is None or isinstance(value, str | bool):
        return None
    return formatting.not_given() if value is None else write(value)
