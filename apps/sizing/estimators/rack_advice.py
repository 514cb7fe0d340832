"""What to say beside the figures of the rack: assumptions, questions, warnings, what would lift it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from apps.sizing.estimators.cooling import (
    method_for,
    sufficient_methods,
)
from apps.sizing.estimators.feeds import (
    Feed,
    feed_reserve_ratio,
    racks_needed,
    smallest_circuit,
)
from apps.sizing.estimators.node import installed_gpus, is_liquid, power_of, server_of
from apps.sizing.estimators.phases import Phases, nodes_carried, phases_of, usable_kw
from apps.sizing.estimators.supplies import Supplies, supply_warnings
from apps.sizing.facts import Catalog, Server
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.verdicts import HOLDS, feed_verdict

_LONG_USE: Final = frozenset({"1-2y", "3-5y"})
_BY_AIR: Final = frozenset({"room-air", "containment", "in-row"})
# How strongly each unknown moves the verdict on the rack, 0..1.
_SITE_QUESTIONS: Final = (
    ("site.feeds", 0.5),
    ("site.cooling", 0.5),
    ("site.rack_units", 0.3),
    ("site.depth_mm", 0.2),
    ("site.floor_kg", 0.2),
)


def assumptions(task: Task, catalog: Catalog, feed: Feed | None) -> list[Message]:
    """What was taken for granted for the whole task."""
    found = [
        Message("rack.assumption.continuous-load"),
        Message(
            "rack.assumption.feed-reserve",
            {"reserve_ratio": feed_reserve_ratio(catalog.constants)},
        ),
        Message(
            "rack.assumption.feed-planning-ratio",
            {"planning_times": catalog.constants["power.feed_planning_ratio"].typical},
        ),
    ]
    if task.site.feeds is not None and task.site.feeds > 1:
        found.append(
            Message("rack.assumption.one-feed-carries-all", {"feed_count": task.site.feeds})
        )
    if feed is not None and feed.assumed_volts is not None:
        found.append(Message("rack.assumption.voltage", {"volts": feed.assumed_volts}))
    return found


def open_questions(task: Task, feed: Feed | None) -> list[dict[str, Any]]:
    """Unknowns of the site with their influence."""
    found = [{"field": "site.kw_usable", "influence": 0.9}] if feed is None else []
    found += [
        {"field": field, "influence": influence}
        for field, influence in _SITE_QUESTIONS
        if getattr(task.site, field.removeprefix("site.")) is None
    ]
    if task.site.cooling is not None and method_for(task.site.cooling) is None:
        found.append({"field": "site.cooling", "influence": 0.5})
    return found


def advice(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    feed: Feed | None,
    load_kw: Range,
    supplies: Supplies | None,
    cooling: Mapping[str, Any],
) -> list[Message]:
    """Warnings about one platform, then what would lift what does not fit.

    `cooling` is the block of that name of the platform.
    """
    server = server_of(platform, catalog)
    return [
        *supply_warnings(task, platform, supplies),
        *_site_warnings(task, server, catalog, platform),
        *_power_lifts(task, platform, catalog, feed, load_kw, supplies),
        *_cooling_lifts(server, cooling),
    ]


def _site_warnings(
    task: Task, server: Server | None, catalog: Catalog, platform: Platform
) -> Iterator[Message]:
    if task.site.feeds == 1:
        yield Message("rack.warning.single-feed")
    if task.site.cooling is not None and method_for(task.site.cooling) is None:
        # Somebody who says "as any server" has not said how the heat leaves the rack.
        yield Message("rack.warning.cooling-not-understood", {"said": task.site.cooling})
    if server is None:
        yield Message("rack.warning.no-server-in-catalog", {"accelerator": platform.accelerator})
        return
    if server.weight_kg is None:
        yield Message("rack.warning.mass-by-height", {"server": server.sku})
    elif server.weight_kg > catalog.constants["cooling.lift_from_mass"].typical:
        yield Message("rack.warning.needs-lift", {"node_kg": server.weight_kg})
    ceiling = server.extra.get("operating_temp_max_c")
    if ceiling is not None:
        inlet = catalog.constants["cooling.ashrae_h1_recommended"]
        yield Message(
            "rack.warning.inlet-temperature",
            {"limit_c": ceiling, "low_c": round(inlet.low), "high_c": round(inlet.high)},
        )


def growth_advice(
    task: Task, growth: Mapping[str, Any], catalog: Catalog, server: Server | None
) -> Iterator[Message]:
    """A contour that will grow beyond what air carries: a subject for the designers of the room."""
    lasting = task.horizon.use in _LONG_USE or "planned_load_kw" in growth
    if not lasting or is_liquid(server):
        return
    heat = Range.from_dict(growth.get("planned_load_kw") or growth["next_node_load_kw"])
    methods = sufficient_methods(heat, catalog.constants, liquid_server=False)
    if not set(methods) & _BY_AIR:
        yield Message("rack.advice.growth-density", {"heat_kw": heat.high})


def _power_lifts(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    feed: Feed | None,
    load_kw: Range,
    supplies: Supplies | None,
) -> Iterator[Message]:
    reserve_ratio = feed_reserve_ratio(catalog.constants)
    phases = supplies.phases if supplies else None
    found = feed_verdict(load_kw, usable_kw(feed, phases), reserve_ratio)
    if found == "fits":
        return
    yield from _feed_lifts(task, feed, load_kw, reserve_ratio, phases)
    power_factor = catalog.constants["power.psu_power_factor"].typical
    through = {"supplies": phases.supplies} if phases else {}
    circuit = smallest_circuit(load_kw, power_factor, reserve_ratio, **through)
    if circuit is None:
        required_kw = load_kw.high / (1 - reserve_ratio)
        yield Message("rack.lift.several-circuits", {"required_kw": required_kw})
    else:
        lines, amps, volts = circuit
        yield Message(
            "rack.lift.circuit", {"phases": lines, "amps": round(amps), "volts": round(volts)}
        )
    if feed is None or found == "tight":
        return
    if platform.nodes > 1:
        per_rack = nodes_carried(feed, phases, platform.nodes, load_kw.high / platform.nodes)
        racks = racks_needed(platform.nodes, per_rack)
        if racks is not None and racks > 1:
            yield Message("rack.lift.more-racks", {"racks": racks})
    gpus = _gpus_that_fit(task, platform, catalog, feed)
    if gpus is not None:
        yield Message("rack.lift.fewer-gpus", {"gpus": gpus})


def _feed_lifts(
    task: Task, feed: Feed | None, load_kw: Range, reserve_ratio: float, phases: Phases | None
) -> Iterator[Message]:
    """A stronger feed where it is too weak; the same on every phase where that is enough."""
    if feed is None:
        return
    by_feed = feed_verdict(load_kw, feed.capacity_kw, reserve_ratio)
    if by_feed not in HOLDS:
        required = {"required_kw": load_kw.high / (1 - reserve_ratio)}
        several = task.site.feeds is not None and task.site.feeds > 1
        yield (
            Message("rack.lift.each-feed", {**required, "feed_count": task.site.feeds})
            if several
            else Message("rack.lift.feed", required)
        )
    elif phases is not None and not phases.even:
        even_amps = phases.even_amps(load_kw.high)
        if even_amps <= phases.breaker_amps:
            params = {"supply_count": phases.supplies, "phase_amps": even_amps}
            yield Message("rack.lift.even-phases", params)


def _gpus_that_fit(task: Task, platform: Platform, catalog: Catalog, feed: Feed) -> int | None:
    """The largest smaller number of GPUs in the same chassis that the feed carries."""
    server = server_of(platform, catalog)
    if server is None or platform.nodes > 1:
        return None
    standing = installed_gpus(platform, server)
    reserve_ratio = feed_reserve_ratio(catalog.constants)
    carries_kw = usable_kw(feed, phases_of(task.site, server, platform.nodes, catalog.constants))
    for count in sorted((n for n in server.gpu_counts if n < standing), reverse=True):
        smaller = replace(platform, gpus=count)
        power = power_of(task, smaller, catalog, gpus=count)
        if power is None:
            continue
        if feed_verdict(power.load_w / 1000, carries_kw, reserve_ratio) in HOLDS:
            return count
    return None


def _cooling_lifts(server: Server | None, cooling: Mapping[str, Any]) -> Iterator[Message]:
    method, liquid = cooling["site_method"], is_liquid(server)
    if method == "direct-to-chip" and not liquid:
        yield Message("rack.warning.air-server-liquid-site")
    if liquid and method not in (None, "direct-to-chip", "immersion"):
        yield Message("rack.lift.liquid-loop")
        return
    methods = cooling["sufficient_methods"]
    if methods and cooling["verdict"] in ("tight", "risk", "does-not-fit", "unknown"):
        yield Message(
            "rack.lift.cooling",
            {"cooling_method": methods[0], "heat_kw": cooling["heat_kw"]["high"]},
        )
