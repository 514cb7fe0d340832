"""Circuits and feeds: what a breaker gives, and how many nodes one feed carries.

A site with two feeds is sized so that each carries everything alone: the other is there to be
lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.ranges import Range
from apps.sizing.task import Site

# A voltage below this with three phases is the phase voltage (230), not the line voltage (400).
_LINE_VOLTAGE_FROM_V: Final = 300.0
_PHASES: Final = 3

# IEC circuits a rack is usually given, smallest first: phases, amperes, volts.
CIRCUITS: Final = (
    (1, 16.0, 230.0),
    (1, 32.0, 230.0),
    (3, 16.0, 400.0),
    (3, 32.0, 400.0),
    (3, 63.0, 400.0),
)


def circuit_kva(amps: float, phases: int, volts: float) -> float:
    """Apparent power of a circuit, kVA. Two phases are taken as two single-phase lines."""
    if phases == _PHASES:
        line_volts = volts if volts >= _LINE_VOLTAGE_FROM_V else volts * math.sqrt(3)
        return math.sqrt(3) * line_volts * amps / 1000
    return phases * volts * amps / 1000


def circuit_kw(
    amps: float, phases: int, volts: float, *, power_factor: float, continuous_ratio: float = 1.0
) -> float:
    """Continuous active power of a circuit, kW.

    `continuous_ratio` is the share of the breaker that may be loaded all day: 1 by IEC (the
    nameplate is continuous), 0.8 as a policy against nuisance trips. It is a policy, not a law,
    outside the United States.
    """
    return circuit_kva(amps, phases, volts) * power_factor * continuous_ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One feed of the site. `capacity_kw` is its full rating, before any reserve.

    `assumed_volts` is set when the voltage had to be assumed.
    """

    capacity_kw: float
    assumed_volts: float | None = None


def feed_reserve_ratio(constants: Mapping[str, Range]) -> float:
    """Share of a feed that is kept free: a policy that an administrator may change in the catalog,
    down to nothing (by IEC the nameplate is continuous)."""
    return constants["power.feed_reserve"].typical


def site_feed(site: Site, power_factor: float) -> Feed | None:
    """The feed the site describes, by kilowatts or by the circuit; None when it says neither.

    The reserve is taken once: from the kilowatts as from the breaker.
    """
    if site.kw_usable is not None:
        return Feed(capacity_kw=site.kw_usable)
    if site.amps is None or site.phases is None:
        return None
    volts = site.volts or (400.0 if site.phases == 3 else 230.0)
    kilowatts = circuit_kw(site.amps, site.phases, volts, power_factor=power_factor)
    return Feed(capacity_kw=kilowatts, assumed_volts=None if site.volts else volts)


def nodes_per_feed(capacity_kw: float, node_kw: float) -> int:
    """Whole nodes that one feed carries alone."""
    return math.floor(capacity_kw / node_kw + 1e-9)


def racks_needed(nodes: int, per_rack: int) -> int | None:
    """Racks for `nodes` when the feed of each carries `per_rack` of them; None: not one fits.

    Nodes are counted rack by rack: a node cannot be split between two.
    """
    return math.ceil(nodes / per_rack) if per_rack else None


def even_share(supplies: int) -> float:
    """Share of a three-phase circuit that `supplies` can take before one of its phases is full."""
    return supplies / (_PHASES * math.ceil(supplies / _PHASES))


def smallest_circuit(
    load_kw: Range, power_factor: float, reserve_ratio: float, *, supplies: int = _PHASES
) -> tuple[int, float, float] | None:
    """The smallest usual circuit (phases, amperes, volts) that carries `load_kw` with reserve
    through so many supplies.

    None when even the largest does not: several circuits are needed then.
    """
    for phases, amps, volts in CIRCUITS:
        kilowatts = circuit_kw(amps, phases, volts, power_factor=power_factor)
        if phases == _PHASES:
            kilowatts *= even_share(supplies)
        if load_kw.high <= kilowatts * (1 - reserve_ratio):
            return phases, amps, volts
    return None
