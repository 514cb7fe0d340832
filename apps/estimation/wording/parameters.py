"""Parameters of an engine message as text: the end of a name says the unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from apps.core import formatting

Write: TypeAlias = Callable[[Any], str]


def _in(unit: str) -> Write:
    """A figure or a range with its unit."""

    def write(value: Any) -> str:
        if isinstance(value, int | float):
            return formatting.estimate(value, unit)
        return formatting.range_text(value, unit)

    return write


def _count(value: Any) -> str:
    return formatting.number(value) if isinstance(value, int | float) else formatting.range_text(value)


def _billion(value: Any) -> str:
    return _in("params_billion")(value)


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
    "_hours": _in("h"),
    "_s": formatting.duration,
    "_ms": _in("ms"),
    "_days": _in("days"),
    "_ratio": formatting.percent,
    "_gb_per_s": _in("GB_per_s"),
    "_tb_per_s": _in("TB_per_s"),
    "_gbit_per_s": _in("Gbit_per_s"),
    "_tokens_per_s": _in("tokens_per_s"),
    "_tflops_per_s": _in("TFLOPS"),
    "_tokens": _in("tokens"),
    "_steps": _in("steps"),
    "_samples": _in("samples"),
    "_files": _in("files"),
    "_mm": _in("mm"),
    "_kg": _in("kg"),
    "_rack_units": _in("U"),
    "_gpus": _in("gpus"),
    "_nodes": _in("nodes"),
    "_billion": _billion,
    "_count": _count,
}
_LONGEST_FIRST: Final = sorted(SUFFIXES, key=len, reverse=True)

# Names that are a unit by themselves.
_WHOLE: Final[Mapping[str, Write]] = {
    "gpus": _in("gpus"),
    "nodes": _in("nodes"),
    "hours": _in("h"),
    "tokens": _in("tokens"),
    "steps": _in("steps"),
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
