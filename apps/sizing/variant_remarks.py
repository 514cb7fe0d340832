"""What to say beside a variant: reserves, growth, what would lift an obstacle, risks, when to choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.task import Task
from apps.sizing.variants import COMFORTABLE, GIVEN, MINIMAL, PILOT, SCALE_OUT, Variant
from apps.sizing.verdicts import HOLDS

# Exchange that nothing hides above this share is a risk of its own.
_EXCHANGE_RISK: Final = 0.35
_DATA_RISK: Final = 0.2
_LONG_USE: Final = frozenset({"1-2y", "3-5y"})
_LOW_PRECISIONS: Final = frozenset({"fp8-mixed", "mxfp8", "nvfp4"})
_LIKE_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})
# Advice of the rack estimator that says how to get round an obstacle.
_LIFT: Final = "rack.lift."


def reserves_of(variant: Variant) -> dict[str, float | None]:
    """Shares left free by the high end: of a GPU's memory, of what one feed may carry beside its
    own reserve, of the deadline.

    Negative where the high end is above the limit; None where the limit is not known, and for
    the feed of a rented node.
    """
    candidate = variant.candidate
    memory = candidate.blocks.get("memory") or {}
    power = (candidate.blocks.get("rack") or {}).get("power") or {}
    cycle = (candidate.blocks.get("time") or {}).get("cycle") or {}
    feed = None if variant.rented else _feed_limit_kw(power)
    return {
        "memory_ratio": _left(memory.get("device_gib"), memory.get("capacity_gib")),
        "power_ratio": _left(power.get("load_kw"), feed),
        "time_ratio": _left(cycle.get("hours"), cycle.get("target_hours")),
    }


def _feed_limit_kw(power: Mapping[str, Any]) -> float | None:
    """What the verdict is judged by: a feed without its reserve, no more than its fullest phase."""
    limit: float | None = power.get("feed_limit_kw")
    phases = power.get("phases")
    if limit is None or phases is None:
        return limit
    weakest: float = phases["carries_kw"] / power["feed_capacity_kw"]
    return limit * min(1.0, weakest)


def _left(need: Mapping[str, float] | None, limit: float | None) -> float | None:
    if need is None or not limit:
        return None
    return 1.0 - need["high"] / limit


def growth_of(variant: Variant, catalog: Catalog) -> Iterator[Message]:
    """Whether GPUs can be added to the chassis, and why not."""
    platform = variant.candidate.platform
    if variant.rented:
        yield Message("variant.growth.rented")
        return
    if platform.server not in catalog.servers:
        yield Message("variant.growth.unknown", {"accelerator": platform.accelerator})
        return
    params = {"server": platform.server, "gpus": platform.gpus_per_node}
    if variant.candidate.free_slots:
        free = {"free_gpus": variant.candidate.free_slots, "server": platform.server}
        yield Message("variant.growth.places", free)
    elif variant.candidate.module:
        yield Message("variant.growth.board", params)
    else:
        yield Message("variant.growth.full", params)


def lifts_of(variant: Variant) -> Iterator[Message]:
    """How to get round what the site does not carry; nothing where it does or is rented."""
    rack = variant.candidate.blocks.get("rack") or {}
    if variant.rented or variant.candidate.rack_verdict in (*HOLDS, "unknown"):
        return
    for found in rack.get("advice") or ():
        if found["key"].startswith(_LIFT):
            yield Message(found["key"], found["params"])


def risks_of(variant: Variant, task: Task) -> Iterator[Message]:
    candidate = variant.candidate
    yield from _memory_risks(candidate)
    yield from _time_risks(candidate)
    if not candidate.measured:
        yield Message("variant.risk.not-measured", {"accelerator": candidate.platform.accelerator})
    if variant.rented:
        yield Message("variant.risk.rented-differs")
    else:
        yield from _site_risks(candidate, task)
        yield from _horizon_risks(candidate, task)
    if candidate.platform.nodes > 1:
        yield Message("variant.risk.network", {"nodes": candidate.platform.nodes})
    if task.recipe.precision in _LOW_PRECISIONS:
        yield Message(
            "variant.risk.low-precision",
            {"field": "recipe.precision", "value": task.recipe.precision},
        )
    if task.method in _LIKE_ADAPTERS:
        yield Message("variant.risk.adapter-quality", {"field": "method", "value": task.method})
    if variant.savings:
        yield Message("variant.risk.savings-cost-time")


def _horizon_risks(candidate: Candidate, task: Task) -> Iterator[Message]:
    """Sized to fit today is tight in a year; replacing it then is usually uneconomic."""
    use = task.horizon.use
    if use not in _LONG_USE:
        return
    params = {"field": "horizon.use", "value": use}
    if candidate.memory_verdict == "tight":
        yield Message("variant.risk.no-reserve", params)
    if task.horizon.growth is not None and task.horizon.growth <= 1:
        yield Message("variant.risk.no-growth-planned", params)


def _memory_risks(candidate: Candidate) -> Iterator[Message]:
    memory = candidate.blocks.get("memory")
    if memory is None or candidate.memory_verdict in ("fits", "unknown"):
        return
    params = {
        "high_gib": memory["device_gib"]["high"],
        "capacity_gib": memory.get("capacity_gib"),
    }
    yield Message(f"variant.risk.memory-{candidate.memory_verdict}", params)


def _time_risks(candidate: Candidate) -> Iterator[Message]:
    time = candidate.blocks.get("time")
    if time is None:
        return
    hours = candidate.hours
    if hours is None:
        yield Message("variant.risk.floor", {"gpus": candidate.platform.gpus})
    if hours is not None and candidate.time_verdict in ("risk", "does-not-fit"):
        params = {"high_hours": hours.high, "target_hours": time["cycle"].get("target_hours")}
        yield Message("variant.risk.deadline", params)
    if time["communication_share"] > _EXCHANGE_RISK:
        yield Message("variant.risk.exchange", {"share_ratio": time["communication_share"]})
    if time["data_share"] > _DATA_RISK:
        yield Message("variant.risk.data-feed", {"share_ratio": time["data_share"]})


def _site_risks(candidate: Candidate, task: Task) -> Iterator[Message]:
    rack = candidate.blocks.get("rack") or {}
    power = rack.get("power") or {}
    if power.get("verdict") in ("risk", "does-not-fit"):
        yield _power_risk(power)
    cooling = rack.get("cooling") or {}
    if cooling.get("verdict") in ("risk", "does-not-fit"):
        yield Message("variant.risk.cooling", {"heat_kw": cooling["heat_kw"]["high"]})
    space = rack.get("space") or {}
    for name in ("units", "depth", "weight"):
        if space.get(f"{name}_verdict") in ("risk", "does-not-fit"):
            yield Message(f"variant.risk.{name}", {"server": candidate.platform.server})
    if candidate.storage_verdict in ("risk", "does-not-fit"):
        yield Message("variant.risk.drive-bays", {"server": candidate.platform.server})
    growth = rack.get("growth") or {}
    if growth.get("planned_verdict") in ("risk", "does-not-fit"):
        params = {
            "gpus": growth["planned_gpus"],
            "load_kw": growth["planned_load_kw"]["high"],
        }
        yield Message("variant.risk.growth-power", params)
    if candidate.free_slots == 0 and task.horizon.use in _LONG_USE and rack:
        yield Message(
            "variant.risk.no-free-slots", {"field": "horizon.use", "value": task.horizon.use}
        )


def _power_risk(power: Mapping[str, Any]) -> Message:
    phases = _short_phases(power)
    if phases is not None:
        params = {"phase_amps": phases["amps"]["high"], "breaker_amps": phases["breaker_amps"]}
        return Message("variant.risk.phases", params)
    params = {"missing_kw": power["missing_kw"], "required_kw": power["required_feed_kw"]}
    return Message("variant.risk.power", params)


def _short_phases(power: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The phases, where the feed as a whole would carry the load and the fullest of them does not."""
    carried = power["load_kw"]["high"] <= power["feed_capacity_kw"]
    return power["phases"] if carried else None


def when_of(variant: Variant) -> Iterator[Message]:
    """When to choose it, in one sentence."""
    candidate = variant.candidate
    hours = candidate.hours
    if variant.key == PILOT:
        yield Message("variant.when.pilot", {"gpus": candidate.platform.gpus})
    elif variant.key == MINIMAL:
        if hours is not None and candidate.time_verdict in ("risk", "does-not-fit"):
            yield Message("variant.when.longer-deadline", {"deadline_hours": hours.high})
        elif candidate.free_slots:
            yield Message("variant.when.minimal-with-room", {"free_slots": candidate.free_slots})
        else:
            yield Message("variant.when.minimal")
    elif variant.key == COMFORTABLE:
        yield Message("variant.when.comfortable", {"free_slots": candidate.free_slots})
    elif variant.key == SCALE_OUT:
        yield _when_scaled_out(candidate)
    elif variant.key == GIVEN:
        yield Message("variant.when.given")


def _when_scaled_out(candidate: Candidate) -> Message:
    power = (candidate.blocks.get("rack") or {}).get("power") or {}
    if power.get("verdict") in ("risk", "does-not-fit"):
        if phases := _short_phases(power):
            return Message("variant.when.stronger-phase", {"phase_amps": phases["amps"]["high"]})
        return Message("variant.when.more-power", {"required_kw": power["required_feed_kw"]})
    if candidate.platform.nodes > 1:
        return Message("variant.when.several-nodes", {"nodes": candidate.platform.nodes})
    return Message("variant.when.faster")
