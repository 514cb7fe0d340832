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
from apps.sizing.variant_remarks import growth_of, lifts_of, reserves_of, risks_of, when_of
from apps.sizing.variants import Variant

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
        "grows": [m.as_dict() for m in growth_of(variant, catalog)],
        "reserves": reserves_of(variant),
        "lifts": [m.as_dict() for m in lifts_of(variant)],
        "savings": [m.as_dict() for m in variant.savings],
        "risks": [m.as_dict() for m in risks_of(variant, task)],
        "when": [m.as_dict() for m in when_of(variant)],
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
        "processors": list(finding.processors),
        "network_cards": list(finding.network_cards),
        "counted": finding.counted,
        "counts": list(finding.counts),
    }
