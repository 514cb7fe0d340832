"""The rack: power, cooling and room of a platform against what the site offers.

The load is taken as continuous at full power: training runs for days, and an average utilisation
does not size a feed. Detailed engineering of the room is not part of it.
"""

from __future__ import annotations

import math
from typing import Any, Final

from apps.sizing.estimators.cooling import (
    M3_PER_H_PER_CFM,
    airflow_range_m3_per_h,
    btu_per_h,
    cooling_verdict,
    method_for,
    refrigeration_tons,
    sufficient_methods,
)
from apps.sizing.estimators.feeds import (
    Feed,
    feed_reserve_ratio,
    racks_needed,
    site_feed,
)
from apps.sizing.estimators.node import (
    accelerator_of,
    installed_gpus,
    is_liquid,
    power_of,
    server_of,
)
from apps.sizing.estimators.phases import nodes_carried, phases_of, usable_kw
from apps.sizing.estimators.power import NodePower
from apps.sizing.estimators.rack_advice import (
    advice,
    assumptions,
    growth_advice,
    open_questions,
)
from apps.sizing.estimators.space import space_of
from apps.sizing.estimators.supplies import Supplies, supplies_of
from apps.sizing.facts import Catalog, Server
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.verdicts import Verdict, feed_verdict, worst

VERSION: Final = 3
POWER_FACTOR: Final = "power.psu_power_factor"

_NOT_COUNTED: Final = (
    Message("rack.not-counted.switches"),
    Message("rack.not-counted.room-engineering"),
)


def rack_estimator(task: Task, catalog: Catalog, platforms: tuple[Platform, ...]) -> dict[str, Any]:
    """Judge every platform against `task.site`; see `platform_block` for what a block holds."""
    feed = site_feed(task.site, catalog.constants[POWER_FACTOR].typical)
    return {
        "version": VERSION,
        "platforms": {p.key: platform_block(task, p, catalog, feed) for p in platforms},
        "assumptions": [m.as_dict() for m in assumptions(task, catalog, feed)],
        "open_questions": open_questions(task, feed),
        "not_counted": [m.as_dict() for m in _NOT_COUNTED],
    }


def platform_block(
    task: Task, platform: Platform, catalog: Catalog, feed: Feed | None
) -> dict[str, Any]:
    """One platform: `power`, `cooling`, `space`, `growth`, `advice` and the verdict over them.

    The verdict is that of the power and of whatever else is known; without a known feed it is
    unknown, unless something known fails outright.
    """
    power = power_of(task, platform, catalog)
    if power is None:
        reason = Message("rack.reason.no-accelerator", {"accelerator": platform.accelerator})
        return {"verdict": "unknown", "reason": reason.as_dict()}
    server = server_of(platform, catalog)
    load_kw = power.load_w * (platform.nodes / 1000)
    supplies = supplies_of(task, platform, catalog, power)
    power_block = _power_block(task, platform, catalog, feed, power, load_kw, supplies)
    cooling_block = _cooling_block(task, catalog, server, load_kw)
    space_block = _space_block(task, platform, catalog, server)
    verdicts = [cooling_block["verdict"]] + [
        space_block[name]
        for name in ("units_verdict", "depth_verdict", "weight_verdict")
        if name in space_block
    ]
    growth = _growth_block(task, platform, catalog, feed, load_kw)
    return {
        "verdict": overall(power_block["verdict"], verdicts),
        "power": power_block,
        "cooling": cooling_block,
        "space": space_block,
        "growth": growth,
        "advice": [
            m.as_dict()
            for m in (
                *advice(task, platform, catalog, feed, load_kw, supplies, cooling_block),
                *growth_advice(task, growth, catalog, server),
            )
        ],
    }


def overall(power: Verdict, others: list[Verdict]) -> Verdict:
    """The power decides; what else is known may only make it worse."""
    return worst([power, *(v for v in others if v != "unknown")])


def _power_block(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    feed: Feed | None,
    power: NodePower,
    load_kw: Range,
    supplies: Supplies | None,
) -> dict[str, Any]:
    accelerator = accelerator_of(platform, catalog)
    server = server_of(platform, catalog)
    rated_w = accelerator.tdp_w if accelerator else None
    node_kw = power.load_w / 1000
    gpus = installed_gpus(platform, server)
    reserve_ratio = feed_reserve_ratio(catalog.constants)
    phases = supplies.phases if supplies else None
    carries_kw = usable_kw(feed, phases)
    required_kw = load_kw.high / (1 - reserve_ratio)
    per_feed = nodes_carried(feed, phases, platform.nodes, node_kw.high) if feed else None
    return {
        "node_kw": {
            "feed": (power.feed_w / 1000).as_dict(),
            "peak": (power.peak_w / 1000).as_dict(),
            "average": (power.average_w / 1000).as_dict(),
        },
        "load_kw": load_kw.as_dict(),
        "parts_kw": {k: w * platform.nodes / 1000 for k, w in power.parts_w.items()},
        "gpu_rating_kw": None if rated_w is None else rated_w * gpus * platform.nodes / 1000,
        "feeds": task.site.feeds,
        "feed_capacity_kw": feed.capacity_kw if feed else None,
        "feed_limit_kw": feed.capacity_kw * (1 - reserve_ratio) if feed else None,
        "required_feed_kw": required_kw,
        # Of the feed, with its reserve: what there is and what is missing make what is required.
        "missing_kw": None if feed is None else max(0.0, required_kw - feed.capacity_kw),
        # A feed is no stronger than its fullest phase.
        "verdict": feed_verdict(load_kw, carries_kw, reserve_ratio),
        "phases": phases.as_dict(load_kw, reserve_ratio) if phases else None,
        "cases": _cases(task, carries_kw, load_kw, reserve_ratio),
        "nodes_per_feed": per_feed,
        "racks_needed": None if per_feed is None else racks_needed(platform.nodes, per_feed),
        "supplies": supplies.as_dict() if supplies else None,
    }


def _cases(
    task: Task, capacity: float | None, load_kw: Range, reserve_ratio: float
) -> list[dict[str, Any]]:
    """What each feed carries with all of them alive, and with one lost."""
    feeds = task.site.feeds or 1
    shared = load_kw / feeds
    cases = [_case("all-feeds", feeds, shared, feed_verdict(shared, capacity, reserve_ratio))]
    if feeds > 1:
        # The design rule: one feed alone carries everything, however many there are.
        alone = feed_verdict(load_kw, capacity, reserve_ratio)
        cases.append(_case("feed-lost", 1, load_kw, alone))
    return cases


def _case(key: str, feeds: int, per_feed_kw: Range, verdict: Verdict) -> dict[str, Any]:
    return {
        "case": key,
        "live_feeds": feeds,
        "per_feed_kw": per_feed_kw.as_dict(),
        "verdict": verdict,
    }


def _cooling_block(
    task: Task, catalog: Catalog, server: Server | None, heat_kw: Range
) -> dict[str, Any]:
    constants = catalog.constants
    liquid = is_liquid(server)
    site_method = method_for(task.site.cooling)
    air = airflow_range_m3_per_h(heat_kw, constants["cooling.air_temperature_rise"])
    return {
        "heat_kw": heat_kw.as_dict(),
        "btu_per_h": btu_per_h(heat_kw, constants).as_dict(),
        "refrigeration_tons": refrigeration_tons(heat_kw).as_dict(),
        "airflow_m3_per_h": None if liquid else air.as_dict(),
        "airflow_cfm": None if liquid else (air / M3_PER_H_PER_CFM).as_dict(),
        "server_cooling": server.cooling if server else None,
        "site_method": site_method,
        "sufficient_methods": list(sufficient_methods(heat_kw, constants, liquid_server=liquid)),
        "verdict": cooling_verdict(heat_kw, site_method, constants, liquid_server=liquid),
    }


def _space_block(
    task: Task, platform: Platform, catalog: Catalog, server: Server | None
) -> dict[str, Any]:
    if server is None:
        reason = Message("rack.reason.no-server", {"accelerator": platform.accelerator})
        return {"reason": reason.as_dict()}
    space = space_of(platform.nodes, server, task.site, catalog.constants)
    return {
        "server": server.sku,
        "server_rack_units": server.rack_units,
        "rack_units": space.rack_units,
        "depth_mm": space.depth_mm.as_dict() if space.depth_mm else None,
        "node_kg": space.node_kg.as_dict(),
        "rack_kg": space.rack_kg.as_dict(),
        "floor_kg_per_m2": space.floor_kg_per_m2.as_dict(),
        "tile_kg": space.tile_kg.as_dict(),
        "units_verdict": space.units_verdict,
        "depth_verdict": space.depth_verdict,
        "weight_verdict": space.weight_verdict,
    }


def _growth_block(
    task: Task, platform: Platform, catalog: Catalog, feed: Feed | None, load_kw: Range
) -> dict[str, Any]:
    """Where it can grow: free places in the chassis, or one more node."""
    reserve_ratio = feed_reserve_ratio(catalog.constants)
    server = server_of(platform, catalog)

    def judged(load_kw: Range, nodes: int) -> Verdict:
        phases = phases_of(task.site, server, nodes, catalog.constants)
        return feed_verdict(load_kw, usable_kw(feed, phases), reserve_ratio)

    standing = installed_gpus(platform, server)
    most = max(server.gpu_counts) if server else standing
    more_nodes = load_kw * ((platform.nodes + 1) / platform.nodes)
    block: dict[str, Any] = {
        "free_gpu_slots": max(0, most - standing) if server else None,
        "expandable": most > standing if server else None,
        "next_node_load_kw": more_nodes.as_dict(),
        "next_node_verdict": judged(more_nodes, platform.nodes + 1),
    }
    if server and most > standing:
        full = power_of(task, platform, catalog, gpus=most)
        if full is not None:
            full_kw = full.load_w * (platform.nodes / 1000)
            block["full_chassis_gpus"] = most * platform.nodes
            block["full_chassis_load_kw"] = full_kw.as_dict()
            block["full_chassis_parts_kw"] = {
                part: watts * platform.nodes / 1000 for part, watts in full.parts_w.items()
            }
            block["full_chassis_verdict"] = judged(full_kw, platform.nodes)
    planned = _planned_growth(task, platform, catalog, load_kw, most)
    if planned is not None:
        gpus, nodes, planned_kw = planned
        block["planned_gpus"] = gpus
        block["planned_load_kw"] = planned_kw.as_dict()
        block["planned_verdict"] = judged(planned_kw, nodes)
    return block


def _planned_growth(
    task: Task, platform: Platform, catalog: Catalog, load_kw: Range, most: int
) -> tuple[int, int, Range] | None:
    """GPUs that the stated growth asks for, their nodes and their load: in the same chassis, else more nodes.

    None when no growth is stated.
    """
    factor = task.horizon.growth
    if factor is None or factor <= 1:
        return None
    gpus = math.ceil(platform.gpus * factor)
    per_node = math.ceil(gpus / platform.nodes)
    if per_node <= most:
        grown = power_of(task, platform, catalog, gpus=per_node)
        if grown is not None:
            return gpus, platform.nodes, grown.load_w * (platform.nodes / 1000)
    nodes = math.ceil(gpus / platform.gpus_per_node)
    return gpus, nodes, load_kw * (nodes / platform.nodes)
