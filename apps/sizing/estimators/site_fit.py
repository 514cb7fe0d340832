"""Whether a platform stands on the client's site, without the advice of the rack estimator.

The same figures and verdicts as `rack.platform_block`, several times faster: the planner asks it
of every server of the catalog.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.sizing.estimators.cooling import cooling_verdict, method_for
from apps.sizing.estimators.feeds import Feed, feed_reserve_ratio
from apps.sizing.estimators.node import is_liquid, power_of, server_of
from apps.sizing.estimators.phases import Phases, phases_of, usable_kw
from apps.sizing.estimators.space import space_of
from apps.sizing.facts import Catalog
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.verdicts import (
    HOLDS,
    VERDICTS,
    Verdict,
    feed_verdict,
    worst,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFit:
    """`verdicts` by part: power, cooling, and units, depth, weight where the server is known.

    `phases` are those of a three-phase circuit. `required_kw` is the feed that the high end asks for with its reserve.
    """

    load_kw: Range
    reserve_ratio: float
    feed_kw: float | None
    verdicts: Mapping[str, Verdict]
    phases: Phases | None = None

    @property
    def short_of_phase(self) -> Phases | None:
        """The phases, where they alone are what the power fails by."""
        feed = feed_verdict(self.load_kw, self.feed_kw, self.reserve_ratio)
        return self.phases if "power" in self.obstacles and feed in HOLDS else None

    @property
    def verdict(self) -> Verdict:
        """The power decides; what else is known may only make it worse."""
        others = [v for part, v in self.verdicts.items() if part != "power" and v != "unknown"]
        return worst([self.verdicts["power"], *others])

    @property
    def stands(self) -> bool:
        """Nothing that is known of the site speaks against it."""
        return all(v in HOLDS or v == "unknown" for v in self.verdicts.values())

    @property
    def obstacles(self) -> tuple[str, ...]:
        """The parts that fail, the worst first."""
        failing = [p for p, v in self.verdicts.items() if v not in HOLDS and v != "unknown"]
        return tuple(sorted(failing, key=lambda p: -VERDICTS.index(self.verdicts[p])))

    @property
    def required_kw(self) -> float:
        return self.load_kw.high / (1 - self.reserve_ratio)

    @property
    def missing_kw(self) -> float:
        """What the feed lacks with its reserve; nothing where it is not known."""
        return 0.0 if self.feed_kw is None else max(0.0, self.required_kw - self.feed_kw)


def site_fit(task: Task, platform: Platform, catalog: Catalog, feed: Feed | None) -> SiteFit | None:
    """None where the accelerator's power is not known."""
    power = power_of(task, platform, catalog)
    if power is None:
        return None
    server = server_of(platform, catalog)
    constants = catalog.constants
    load_kw = power.load_w * (platform.nodes / 1000)
    method = method_for(task.site.cooling)
    phases = phases_of(task.site, server, platform.nodes, constants)
    reserve_ratio = feed_reserve_ratio(constants)
    verdicts = {
        "power": feed_verdict(load_kw, usable_kw(feed, phases), reserve_ratio),
        "cooling": cooling_verdict(load_kw, method, constants, liquid_server=is_liquid(server)),
    }
    if server is not None:
        space = space_of(platform.nodes, server, task.site, constants)
        verdicts["units"] = space.units_verdict
        verdicts["depth"] = space.depth_verdict
        verdicts["weight"] = space.weight_verdict
    return SiteFit(
        load_kw=load_kw,
        reserve_ratio=reserve_ratio,
        feed_kw=feed.capacity_kw if feed else None,
        verdicts=verdicts,
        phases=phases,
    )
