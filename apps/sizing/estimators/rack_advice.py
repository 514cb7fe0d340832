"""What to say beside the figures of the rack: assumptions, questions, warnings, what would lift it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from apps.sizing.estimators.cooling import (
    cooling_verdict,
    method_for,
    sufficient_methods,
)
from apps.sizing.estimators.feeds import Feed, racks_needed, smallest_circuit
from apps.sizing.estimators.node import installed_gpus, is_liquid, power_of, server_of
from apps.sizing.estimators.power import NodePower
from apps.sizing.estimators.power_supplies import psu_scheme
from apps.sizing.facts import Catalog, Server
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.verdicts import FEED_RESERVE_RATIO, feed_verdict

# Two people lift what is lighter; a heavier node needs a lift.
_LIFT_FROM_KG: Final = 50.0

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
        Message("rack.assumption.feed-reserve", {"reserve_ratio": FEED_RESERVE_RATIO}),
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


def supplies_block(
    task: Task, platform: Platform, catalog: Catalog, power: NodePower
) -> dict[str, Any] | None:
    """The power supplies of one node; None when the catalog does not know them."""
    server = server_of(platform, catalog)
    if server is None or server.psu_count is None or server.psu_w is None:
        return None
    scheme = psu_scheme(
        server.psu_count,
        server.psu_w,
        power.output_peak_w,
        maker_needs=server.psu_needed,
        feeds=task.site.feeds,
    )
    return {
        "count": scheme.count,
        "watts": scheme.watts,
        "needed": scheme.needed,
        "spare": scheme.spare,
        "n_plus_n": scheme.n_plus_n,
        "maker_scheme_known": server.psu_needed is not None,
        "surviving": scheme.surviving,
        "full_speed_on_feed_loss": scheme.full_speed_on_feed_loss,
        "inlet": server.extra.get("psu_inlet"),
        "min_volts": server.extra.get("psu_min_volts"),
    }


def advice(
    task: Task, platform: Platform, catalog: Catalog, feed: Feed | None, load_kw: Range
) -> list[Message]:
    """Warnings about one platform, then what would lift what does not fit."""
    server = server_of(platform, catalog)
    power = power_of(task, platform, catalog)
    assert power is not None
    return [
        *_supply_warnings(task, platform, catalog, power),
        *_site_warnings(task, server, catalog, platform),
        *_power_lifts(task, platform, catalog, feed, load_kw),
        *_cooling_lifts(task, server, catalog, load_kw),
    ]


def _supply_warnings(
    task: Task, platform: Platform, catalog: Catalog, power: NodePower
) -> Iterator[Message]:
    block = supplies_block(task, platform, catalog, power)
    if block is None:
        yield Message("rack.warning.supplies-unknown", {"server": platform.server})
        return
    counts = {"count": block["count"], "needed": block["needed"], "supply_w": block["watts"]}
    if block["spare"] < 0:
        yield Message("rack.warning.supplies-too-weak", counts)
    elif not block["n_plus_n"]:
        yield Message("rack.warning.no-n-plus-n", {**counts, "spare": block["spare"]})
    if block["full_speed_on_feed_loss"] is False:
        survivors = {**counts, "surviving": block["surviving"]}
        yield Message("rack.warning.slower-on-feed-loss", survivors)
    if block["min_volts"] is not None and task.site.volts is not None:
        phase_volts = task.site.volts / 3**0.5 if task.site.volts >= 300 else task.site.volts
        if phase_volts < block["min_volts"]:
            params = {"min_volts": block["min_volts"], "volts": task.site.volts}
            yield Message("rack.warning.low-voltage", params)


def _site_warnings(
    task: Task, server: Server | None, catalog: Catalog, platform: Platform
) -> Iterator[Message]:
    if task.site.feeds == 1:
        yield Message("rack.warning.single-feed")
    if server is None:
        yield Message("rack.warning.no-server-in-catalog", {"accelerator": platform.accelerator})
        return
    if server.weight_kg is None:
        yield Message("rack.warning.mass-by-height", {"server": server.sku})
    elif server.weight_kg > _LIFT_FROM_KG:
        yield Message("rack.warning.needs-lift", {"node_kg": server.weight_kg})
    ceiling = server.extra.get("operating_temp_max_c")
    if ceiling is not None:
        inlet = catalog.constants["cooling.ashrae_h1_recommended"]
        yield Message(
            "rack.warning.inlet-temperature",
            {"limit_c": ceiling, "low_c": round(inlet.low), "high_c": round(inlet.high)},
        )


def _power_lifts(
    task: Task, platform: Platform, catalog: Catalog, feed: Feed | None, load_kw: Range
) -> Iterator[Message]:
    found = feed_verdict(load_kw, feed.capacity_kw if feed else None)
    if found == "fits":
        return
    required = {"required_kw": load_kw.high / (1 - FEED_RESERVE_RATIO)}
    if feed is not None and found != "tight":
        several = task.site.feeds is not None and task.site.feeds > 1
        yield (
            Message("rack.lift.each-feed", {**required, "feed_count": task.site.feeds})
            if several
            else Message("rack.lift.feed", required)
        )
    power_factor = catalog.constants["power.psu_power_factor"].typical
    circuit = smallest_circuit(load_kw, power_factor)
    if circuit is None:
        yield Message("rack.lift.several-circuits", required)
    else:
        phases, amps, volts = circuit
        yield Message(
            "rack.lift.circuit", {"phases": phases, "amps": round(amps), "volts": round(volts)}
        )
    if feed is None or found == "tight":
        return
    if platform.nodes > 1:
        racks = racks_needed(platform.nodes, feed.capacity_kw, load_kw.high / platform.nodes)
        if racks is not None and racks > 1:
            yield Message("rack.lift.more-racks", {"racks": racks})
    gpus = _gpus_that_fit(task, platform, catalog, feed)
    if gpus is not None:
        yield Message("rack.lift.fewer-gpus", {"gpus": gpus})


def _gpus_that_fit(task: Task, platform: Platform, catalog: Catalog, feed: Feed) -> int | None:
    """The largest smaller number of GPUs in the same chassis that the feed carries."""
    server = server_of(platform, catalog)
    if server is None or platform.nodes > 1:
        return None
    standing = installed_gpus(platform, server)
    for count in sorted((n for n in server.gpu_counts if n < standing), reverse=True):
        smaller = replace(platform, gpus=count)
        power = power_of(task, smaller, catalog, gpus=count)
        if power and feed_verdict(power.load_w / 1000, feed.capacity_kw) in ("fits", "tight"):
            return count
    return None


def _cooling_lifts(
    task: Task, server: Server | None, catalog: Catalog, load_kw: Range
) -> Iterator[Message]:
    method = method_for(task.site.cooling)
    liquid = is_liquid(server)
    if method == "direct-to-chip" and not liquid:
        yield Message("rack.warning.air-server-liquid-site")
    if liquid and method not in (None, "direct-to-chip", "immersion"):
        yield Message("rack.lift.liquid-loop")
        return
    found = cooling_verdict(load_kw, method, catalog.constants, liquid_server=liquid)
    if found in ("tight", "risk", "does-not-fit", "unknown"):
        methods = sufficient_methods(load_kw, catalog.constants, liquid_server=liquid)
        if methods:
            yield Message(
                "rack.lift.cooling", {"cooling_method": methods[0], "heat_kw": load_kw.high}
            )
