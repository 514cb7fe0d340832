"""The power supplies of a node in the rack of the site: scheme, losses, outlets, phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.estimators.node import server_of
from apps.sizing.estimators.phases import Phases, phases_of
from apps.sizing.estimators.power import NodePower
from apps.sizing.estimators.power_supplies import (
    PsuScheme,
    outlet_for,
    phase_volts,
    psu_scheme,
    supply_amps,
)
from apps.sizing.facts import Catalog, Server
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.task import Site, Task

_AT_FULL_LOAD: Final = "power.psu_titanium_eff_100pct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """The scheme of one node, the current of one supply at its rating and the outlet it needs.

    `outlets_per_feed` are those of all nodes; `phase_amps` is the fullest phase of the circuit
    when one feed carries everything, None without a three-phase circuit; `phases` says the same of
    any load.
    """

    scheme: PsuScheme
    server: Server
    amps: float
    outlet: str | None
    outlets_per_feed: int
    phase_amps: float | None
    phases: Phases | None

    def as_dict(self) -> dict[str, Any]:
        scheme, extra = self.scheme, self.server.extra
        return {
            "count": scheme.count,
            "watts": scheme.watts,
            "needed": scheme.needed,
            "spare": scheme.spare,
            "n_plus_n": scheme.n_plus_n,
            "maker_scheme_known": self.server.psu_needed is not None,
            "surviving": scheme.surviving,
            "full_speed_on_feed_loss": scheme.full_speed_on_feed_loss,
            "on_supply_loss": scheme.on_supply_loss,
            "on_feed_loss": scheme.on_feed_loss,
            "supply_amps": self.amps,
            "outlet": self.outlet,
            "outlets_per_feed": self.outlets_per_feed,
            "phase_amps": self.phase_amps,
            "inlet": extra.get("psu_inlet"),
            "min_volts": extra.get("psu_min_volts"),
        }


def supplies_of(
    task: Task, platform: Platform, catalog: Catalog, power: NodePower
) -> Supplies | None:
    """None when the catalog does not know the supplies of the server."""
    server = server_of(platform, catalog)
    if server is None or server.psu_count is None or server.psu_w is None:
        return None
    site, constants = task.site, catalog.constants
    scheme = psu_scheme(
        server.psu_count,
        server.psu_w,
        power.output_peak_w,
        maker_needs=server.psu_needed,
        feeds=site.feeds,
    )
    volts = phase_volts(site.volts)
    amps = supply_amps(server.psu_w, volts, constants[_AT_FULL_LOAD].typical)
    phases = phases_of(site, server, platform.nodes, constants)
    per_feed = -(-scheme.count // (site.feeds or 1))
    return Supplies(
        scheme=scheme,
        server=server,
        amps=amps,
        outlet=outlet_for(amps, constants),
        outlets_per_feed=per_feed * platform.nodes,
        phase_amps=phases.amps(power.load_w.high * platform.nodes / 1000) if phases else None,
        phases=phases,
    )


def supply_warnings(task: Task, platform: Platform, supplies: Supplies | None) -> Iterator[Message]:
    """What the scheme, the losses, the outlets and the phases ask to be told."""
    if supplies is None:
        yield Message("rack.warning.supplies-unknown", {"server": platform.server})
        return
    scheme, site = supplies.scheme, task.site
    counts = {"count": scheme.count, "needed": scheme.needed, "supply_w": scheme.watts}
    if not scheme.carries_load:
        yield Message("rack.warning.supplies-too-weak", counts)
    elif not scheme.n_plus_n:
        yield Message("rack.warning.no-n-plus-n", {**counts, "spare": scheme.spare})
    if scheme.full_speed_on_feed_loss is False:
        yield Message("rack.warning.slower-on-feed-loss", {**counts, "surviving": scheme.surviving})
    yield from _of_the_circuit(site, supplies)


def _of_the_circuit(site: Site, supplies: Supplies) -> Iterator[Message]:
    least = supplies.server.extra.get("psu_min_volts")
    if least is not None and site.volts is not None and phase_volts(site.volts) < least:
        yield Message("rack.warning.low-voltage", {"min_volts": least, "volts": site.volts})
    if supplies.outlet is None:
        yield Message("rack.warning.no-outlet", {"supply_amps": supplies.amps})
    if supplies.phases and supplies.phase_amps and supplies.phase_amps > (site.amps or 0.0):
        params = {"phase_amps": supplies.phase_amps, "breaker_amps": site.amps}
        even = supplies.phases.even
        yield Message(f"rack.warning.{'full' if even else 'uneven'}-phases", params)
