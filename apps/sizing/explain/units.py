"""Dimensions of the quantities in a formula: which factor only changes the unit.

The engine works in bytes, seconds and watts and reports GiB, GB, hours and kilowatts. A person
reads a quantity with its unit, so that such a factor is not part of the formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.units import GB, GIB, KB, MB, MIB, SECONDS_PER_DAY, SECONDS_PER_HOUR, TB, TERA

Powers = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Dimension:
    """`scale` base units (bytes, seconds, watts) to the powers given."""

    scale: float = 1.0
    powers: Powers = ()

    def power(self, exponent: float) -> Dimension | None:
        """The dimension of a power; None where it would not be whole."""
        powers = [(name, power * exponent) for name, power in self.powers]
        if any(power != int(power) for _name, power in powers):
            return None
        kept = tuple((name, int(power)) for name, power in powers)
        return Dimension(self.scale**exponent, kept)

    def times(self, other: Dimension, power: int = 1) -> Dimension:
        found = dict(self.powers)
        for name, exponent in other.powers:
            found[name] = found.get(name, 0) + power * exponent
        kept = tuple(sorted((name, e) for name, e in found.items() if e))
        return Dimension(self.scale * other.scale**power, kept)


_BYTES: Final = (("B", 1),)
_RATE: Final = (("B", 1), ("s", -1))
_TIME: Final = (("s", 1),)
_POWER: Final = (("W", 1),)

UNITS: Final[Mapping[str, Dimension]] = {
    "": Dimension(),
    "ratio": Dimension(),
    "share": Dimension(),
    "bytes": Dimension(1, _BYTES),
    "binary": Dimension(1, _BYTES),
    "gib": Dimension(GIB, _BYTES),
    "gb": Dimension(GB, _BYTES),
    "tb": Dimension(TB, _BYTES),
    "bytes_per_s": Dimension(1, _RATE),
    "gb_per_s": Dimension(GB, _RATE),
    "tb_per_s": Dimension(TB, _RATE),
    "mib_per_s": Dimension(MIB, _RATE),
    "s": Dimension(1, _TIME),
    "ms": Dimension(1e-3, _TIME),
    "us": Dimension(1e-6, _TIME),
    "minutes": Dimension(60, _TIME),
    "hours": Dimension(SECONDS_PER_HOUR, _TIME),
    "days": Dimension(SECONDS_PER_DAY, _TIME),
    "w": Dimension(1, _POWER),
    "kw": Dimension(KB, _POWER),
    # Operations are counts.
    "flops": Dimension(),
    "tflops_per_s": Dimension(TERA, (("s", -1),)),
    "flops_per_s": Dimension(1, (("s", -1),)),
    # Figures whose unit nothing is converted to.
    "tokens": Dimension(),
    "per_s": Dimension(1, (("s", -1),)),
    "tokens_per_s": Dimension(1, (("s", -1),)),
    "gbit_per_s": Dimension(),
    "amps": Dimension(),
    "kwh": Dimension(),
    "kelvin": Dimension(),
    "kg": Dimension(),
    "mm": Dimension(),
    "rack_units": Dimension(),
    "m3_per_h": Dimension(),
    "btu_per_h": Dimension(),
}
_FACTORS: Final = frozenset(
    {KB, MB, GB, TB, MIB, GIB, 1e-3, 1e-6, 60.0, SECONDS_PER_HOUR, SECONDS_PER_DAY}
)
_KNOWN: Final = frozenset((d.scale, d.powers) for d in UNITS.values() if d.powers) | {(1.0, ())}


def converted(dimension: Dimension, factor: float, *, divided: bool) -> Dimension | None:
    """The dimension after a factor that only changes the unit; None when it means something."""
    if factor not in _FACTORS:
        factor = next((1 / f for f in _FACTORS if abs(f * factor - 1) < 1e-9), 0.0)
        if not factor:
            return None
    scale = dimension.scale * factor if divided else dimension.scale / factor
    plain = dimension.scale == 1.0 and not dimension.powers
    near = next(
        (s for s, powers in _KNOWN if powers == dimension.powers and abs(s / scale - 1) < 1e-9),
        None,
    )
    return None if plain or near is None else Dimension(near, dimension.powers)


def unit_of(dimension: Dimension | None) -> str:
    """The unit of a part that nobody named: bytes, seconds, watts, or none."""
    if dimension is None or dimension.scale != 1.0:
        return ""
    return {_BYTES: "binary", _TIME: "s", _POWER: "w", _RATE: "bytes_per_s"}.get(
        dimension.powers, ""
    )
