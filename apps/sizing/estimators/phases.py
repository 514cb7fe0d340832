"""A three-phase feed is as strong as its fullest phase: a supply hangs on one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.estimators.feeds import Feed, circuit_kw, even_share, nodes_per_feed
from apps.sizing.estimators.power_supplies import fullest_phase_amps, phase_volts
from apps.sizing.facts import Server
from apps.sizing.ranges import Range
from apps.sizing.task import Site
from apps.sizing.verdicts import feed_verdict

_PHASES: Final = 3
_USUAL_LINE_VOLTS: Final = 400.0
_POWER_FACTOR: Final = "power.psu_power_factor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """The phases of one circuit that carries everything, when it is the last that is alive.

    `carries_kw` is what it gives through the supplies on it, before any reserve; with as many on
    every phase that is the whole circuit.
    """

    supplies: int
    breaker_amps: float
    volts: float
    power_factor: float
    carries_kw: float

    @property
    def even(self) -> bool:
        return self.supplies % _PHASES == 0

    def amps(self, load_kw: float) -> float:
        """Current of the fullest phase."""
        return fullest_phase_amps(load_kw * 1000, self.supplies, self.volts, self.power_factor)

    def even_amps(self, load_kw: float) -> float:
        """Current of each phase if all carried the same."""
        return fullest_phase_amps(load_kw * 1000, _PHASES, self.volts, self.power_factor)

    def as_dict(self, load_kw: Range, reserve_ratio: float) -> dict[str, Any]:
        return {
            "supplies": self.supplies,
            "even": self.even,
            "amps": (load_kw * self.amps(1.0)).as_dict(),
            "breaker_amps": self.breaker_amps,
            "carries_kw": self.carries_kw,
            "verdict": feed_verdict(load_kw, self.carries_kw, reserve_ratio),
        }


def phases_of(
    site: Site, server: Server | None, nodes: int, constants: Mapping[str, Range]
) -> Phases | None:
    """None without a three-phase circuit, or where the supplies of the server are not known."""
    if site.amps is None or site.phases != _PHASES:
        return None
    if server is None or server.psu_count is None or server.psu_w is None:
        return None
    supplies = max(1, server.psu_count // (site.feeds or 1)) * nodes
    volts = site.volts or _USUAL_LINE_VOLTS
    factor = constants[_POWER_FACTOR].typical
    whole_kw = circuit_kw(site.amps, _PHASES, volts, power_factor=factor)
    return Phases(
        supplies=supplies,
        breaker_amps=site.amps,
        volts=phase_volts(volts),
        power_factor=factor,
        carries_kw=whole_kw * even_share(supplies),
    )


def usable_kw(feed: Feed | None, phases: Phases | None) -> float | None:
    """What the feed gives before any reserve, no more than its fullest phase lets through."""
    if feed is None or phases is None:
        return feed.capacity_kw if feed else None
    return min(feed.capacity_kw, phases.carries_kw)


def nodes_carried(feed: Feed, phases: Phases | None, nodes: int, node_kw: float) -> int:
    """Whole nodes that one feed carries alone; `phases` are those of `nodes`."""
    by_feed = nodes_per_feed(feed.capacity_kw, node_kw)
    if phases is None:
        return by_feed
    each = phases.supplies // nodes
    phase_kw = phases.volts * phases.breaker_amps * phases.power_factor / 1000
    on_a_phase = math.floor(phase_kw / (node_kw / each) + 1e-9)
    return min(by_feed, _PHASES * on_a_phase // each)
