"""A variant as a part of the result document: figures, verdicts, and what to say beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.cases import resolve_case
from apps.sizing.compatibility import Finding, Proposal, check
from apps.sizing.estimators.interconnect import scheme_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.task import Placement, Task
from apps.sizing.variants import COMFORTABLE, GIVEN, MINIMAL, PILOT, SCALE_OUT, Variant

BLOCKS: Final = ("memory", "time", "interconnect", "storage", "host", "rack")
_LAYOUT_FIELDS: Final = (
    "data_parallel",
    "shard_degree",
    "tensor_parallel",
    "sequence_parallel",
    "pipeline_parallel",
    "virtual_pipeline",
    "context_parallel",
    "expert_parallel",
)
# Exchange that nothing hides above this share is a risk of its own.
_EXCHANGE_RISK: Final = 0.35
_DATA_RISK: Final = 0.2
_LONG_USE: Final = frozenset({"1-2y", "3-5y"})
_LOW_PRECISIONS: Final = frozenset({"fp8-mixed", "mxfp8", "nvfp4"})
_LIKE_ADAPTERS: Final = frozenset({"lora", "qlora", "dora"})


def variant_block(
    variant: Variant,
    task: Task,
    catalog: Catalog,
    *,
    recommended: bool,
    failed: Sequence[str],
) -> dict[str, Any]:
    """One entry of `variants[]`. A cell without a figure is null and has a reason in `reasons`."""
    candidate = variant.candidate
    platform = candidate.platform
    cells = {key: candidate.blocks.get(key) for key in BLOCKS}
    if variant.rented:
        cells["rack"] = None
    placed = not variant.rented
    return {
        "key": variant.key,
        "platform": platform.key,
        "server": platform.server,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "layout": _layout(task, platform.placement, catalog),
        "link": {"intra_node": platform.intra_node_link, "inter_node": platform.inter_node_link},
        "recommended": recommended,
        "rented": variant.rented,
        "measured": candidate.measured,
        "status": "calculated",
        "verdicts": {
            "memory": candidate.memory_verdict,
            "time": candidate.time_verdict,
            "storage": candidate.storage_verdict,
            "rack": candidate.rack_verdict if placed else "unknown",
            "overall": candidate.overall(placed=placed),
        },
        **cells,
        "reasons": {k: m.as_dict() for k, m in _reasons(variant, cells, failed)},
        "free_gpu_slots": candidate.free_slots if placed else None,
        "growth": ((candidate.blocks.get("rack") or {}).get("growth")) if placed else None,
        "savings": [m.as_dict() for m in variant.savings],
        "risks": [m.as_dict() for m in _risks(variant, task)],
        "when": [m.as_dict() for m in _when(variant)],
        # A rented node is the landlord's to put together.
        "compatibility": [] if variant.rented else _compatibility(candidate, catalog),
        "needs_confirmation": True,
    }


def _layout(task: Task, place: Placement, catalog: Catalog) -> dict[str, Any]:
    """The layout's degrees and its name; a variant without a named scheme could not be built."""
    name = None
    if place.accelerator in catalog.accelerators:
        case = resolve_case(task, place, catalog)
        name = scheme_of(case) if case else None
    stated = {f: getattr(place, f) for f in _LAYOUT_FIELDS if getattr(place, f) is not None}
    return {"name": name, **stated}


def _reasons(
    variant: Variant, cells: Mapping[str, Any], failed: Sequence[str]
) -> Iterator[tuple[str, Message]]:
    for key, cell in cells.items():
        if cell is not None:
            continue
        if key == "rack" and variant.rented:
            yield key, Message("result.reason.rented")
        elif key in failed:
            yield key, Message("result.reason.estimator-failed", {"estimator": key})
        else:
            yield key, Message("result.reason.not-enough-known", {"estimator": key})
    time = cells.get("time")
    if time is not None and time.get("cycle") is None:
        yield "cycle", Message("result.reason.length-unknown")


def _compatibility(candidate: Candidate, catalog: Catalog) -> list[dict[str, Any]]:
    platform = candidate.platform
    if platform.server is None or platform.accelerator is None:
        return []
    found = check(
        Proposal(
            server=platform.server,
            accelerator=platform.accelerator,
            gpus=platform.gpus_per_node,
        ),
        catalog,
    )
    return [finding_block(f) for f in found.findings]


def finding_block(finding: Finding) -> dict[str, Any]:
    """A finding of compatibility as JSON, with its source."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message.as_dict(),
        "source": asdict(finding.source),
        "servers": list(finding.servers),
        "accelerators": list(finding.accelerators),
    }


def _risks(variant: Variant, task: Task) -> Iterator[Message]:
    candidate = variant.candidate
    yield from _memory_risks(candidate)
    yield from _time_risks(candidate)
    if not candidate.measured:
        yield Message("variant.risk.not-measured", {"accelerator": candidate.platform.accelerator})
    if variant.rented:
        yield Message("variant.risk.rented-differs")
    else:
        yield from _site_risks(candidate, task)
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
        params = {"missing_kw": power["missing_kw"], "required_kw": power["required_feed_kw"]}
        yield Message("variant.risk.power", params)
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


def _when(variant: Variant) -> Iterator[Message]:
    """When to choose it, in one sentence."""
    candidate = variant.candidate
    hours = candidate.hours
    if variant.key == PILOT:
        yield Message("variant.when.pilot", {"gpus": candidate.platform.gpus})
    elif variant.key == MINIMAL:
        if hours is not None and candidate.time_verdict in ("risk", "does-not-fit"):
            yield Message("variant.when.longer-deadline", {"deadline_hours": hours.high})
        else:
            yield Message("variant.when.minimal")
    elif variant.key == COMFORTABLE:
        yield Message("variant.when.comfortable", {"free_slots": candidate.free_slots})
    elif variant.key == SCALE_OUT:
        power = (candidate.blocks.get("rack") or {}).get("power") or {}
        if power.get("verdict") in ("risk", "does-not-fit"):
            yield Message("variant.when.more-power", {"required_kw": power["required_feed_kw"]})
        elif candidate.platform.nodes > 1:
            yield Message("variant.when.several-nodes", {"nodes": candidate.platform.nodes})
        else:
            yield Message("variant.when.faster")
    elif variant.key == GIVEN:
        yield Message("variant.when.given")
