"""What the protocol of a pilot rests on, as plain JSON: the same for a page, a file and a paper.

The recipe is settled by the engine, so that whoever runs the pilot has every setting; the figures
are those of the calculation, worked out anew for fewer GPUs than the variant has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from apps.estimation.models import Calculation
from apps.estimation.services import engine_input
from apps.pilots.workload import MEASURED_STEPS, WARMUP_STEPS, fingerprint
from apps.sizing.cases import Case, placed_case
from apps.sizing.estimators.memory import memory_of
from apps.sizing.estimators.time import time_of
from apps.sizing.facts import Catalog
from apps.sizing.platform import Platform
from apps.sizing.platforms import candidate_platforms
from apps.sizing.settling import ADAPTER_METHODS
from apps.sizing.task import Placement, Task
from apps.sizing.variants import with_savings
from apps.sizing.verdicts import HOLDS

Block = Mapping[str, Any]

COUNTS: Final = (1, 2, 4, 8)
_BELOW_BF16: Final = frozenset({"fp8-mixed", "mxfp8", "nvfp4"})
_SHAPE: Final = ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab")


def variant_for(result: Block, key: str = "") -> Block | None:
    """The variant that is named, else the one to try first: the rented, else the recommended."""
    variants = list(result.get("variants") or ())
    named = (v for v in variants if v["key"] == key)
    rented = (v for v in variants if v.get("rented"))
    picked = (v for v in variants if v.get("recommended"))
    found: Block | None = next(chain(named, rented, picked, variants), None)
    return found


def protocol_facts(calculation: Calculation, result: Block, key: str = "") -> dict[str, Any] | None:
    """The facts of the protocol for a variant; None when there is no variant, or this engine knows
    its platform or a constant of its catalog no more."""
    variant = variant_for(result, key)
    if variant is None:
        return None
    try:
        task, catalog, platforms = engine_input(calculation)
        if variant.get("savings"):
            task, _saved = with_savings(task)
            platforms = candidate_platforms(task, catalog)
        platform = next((p for p in platforms if p.key == variant["platform"]), None)
        placed = placed_case(task, catalog, platform.placement) if platform else None
    except KeyError:
        return None
    if platform is None or placed is None:
        return None
    case, place = placed
    workload = _workload(task, case)
    return {
        "variant": variant["key"],
        "place": _place(variant, place, case),
        "workload": workload,
        "workload_sha256": fingerprint(workload),
        "shape": {name: getattr(case.shape, name) for name in _SHAPE},
        "templates": _templates(task, case),
        "keeps_state": case.optimizer.moments > 0,
        "trained_share": _trained_share(case),
        "by_gpus": list(_by_gpus(task, catalog, platform)),
        "estimates": _estimates(variant),
        "wanted": _wanted(variant, result, task),
    }


def _templates(task: Task, case: Case) -> list[str]:
    """Which parts of the protocol this task needs beside the common ones."""
    found = {
        "adapter": case.method in ADAPTER_METHODS,
        "distributed": case.layout.gpus > 1,
        "network": case.layout.nodes > 1,
        "low-precision": case.precision in _BELOW_BF16,
    }
    return [name for name, needed in found.items() if needed]


def _place(variant: Block, place: Placement, case: Case) -> dict[str, Any]:
    layout = case.layout
    return {
        "server": variant.get("server"),
        "rented": bool(variant.get("rented")),
        "accelerator": variant["accelerator"],
        "gpus": layout.gpus,
        "nodes": layout.nodes,
        "layout": layout.kind if layout.gpus > 1 else "none",
        "scheme": (variant.get("layout") or {}).get("name") or "",
        "shard": layout.shard,
        "tensor": layout.tensor,
        "pipeline": layout.pipeline,
        "context": layout.context,
        "expert": layout.expert,
        "inter_node_link": place.inter_node_link,
    }


def _workload(task: Task, case: Case) -> dict[str, Any]:
    """What is fixed: two pilots compare only when every field of it is the same."""
    recipe, data = task.recipe, task.data
    sample = case.shape.sample is not None
    parameters = {
        "method": case.method,
        "stage": case.stage,
        "precision": case.precision,
        "quantization": case.quantization,
        "optimizer": recipe.optimizer or "adamw",
        "sequence_length": None if sample else round(case.sequence),
        "image_size": task.model.image_size if sample else None,
        "micro_batch": _samples(case),
        "grad_accumulation": case.accumulation,
        "activation_checkpointing": case.checkpointing,
        "lora_rank": case.adapters.rank if case.adapters else None,
    }
    return {
        "model": task.model.name or _size_name(case),
        "dataset": {
            "kind": data.kind,
            "bytes": data.bytes,
            "tokens": data.tokens,
            "samples": data.samples,
        },
        "parameters": parameters,
        "steps": {"warmup": WARMUP_STEPS, "measured": MEASURED_STEPS},
    }


def _samples(case: Case) -> float:
    """Samples of one pass: a stage of pairs counts two sequences for one."""
    sequences = 2 if case.stage in ("dpo", "orpo", "rm") else 1
    micro = float(case.micro_batch) / sequences
    return round(micro) if micro >= 1 else micro


def _size_name(case: Case) -> str:
    return f"{case.shape.total_params / 1e9:.3g}B"


def _trained_share(case: Case) -> float:
    if case.adapters is None:
        return 1.0
    return float(case.adapters.trained_params / case.shape.total_params)


def _by_gpus(task: Task, catalog: Catalog, platform: Platform) -> Iterator[dict[str, Any]]:
    """Step and memory on fewer GPUs of the same node, where the layout holds; the whole last."""
    whole = platform.placement
    degrees = (whole.tensor_parallel, whole.pipeline_parallel, whole.context_parallel)
    least = 1
    for degree in degrees:
        least *= degree or 1
    for count in (*(n for n in COUNTS if least <= n < platform.gpus), platform.gpus):
        place = whole if count == platform.gpus else _fewer(whole, count, platform)
        placed = placed_case(task, catalog, place)
        if placed is None:
            continue
        case, place = placed
        memory = memory_of(case, task, place, catalog)
        if count < platform.gpus and memory.verdict not in HOLDS:
            continue
        time = time_of(case, task, place, catalog)
        yield {
            "gpus": count,
            "global_batch": round(_samples(case) * case.accumulation * case.layout.data),
            "step_s": time.step_s.as_dict(),
            "device_gib": memory.device_gib.as_dict(),
        }


def _fewer(whole: Placement, count: int, platform: Platform) -> Placement:
    """The same layout over fewer GPUs; one GPU splits nothing."""
    nodes = 1 if count <= platform.gpus_per_node else -(-count // platform.gpus_per_node)
    return replace(
        whole,
        gpus=count,
        nodes=nodes,
        data_parallel="none" if count == 1 else whole.data_parallel,
        shard_degree=None,
    )


def _estimates(variant: Block) -> dict[str, Any]:
    """Ranges as `{low, typical, high}`; what nobody estimated is None."""
    memory, time = variant.get("memory") or {}, variant.get("time") or {}
    storage, exchange = variant.get("storage") or {}, variant.get("interconnect") or {}
    save, cycle = storage.get("save") or {}, time.get("cycle") or {}
    return {
        "allocated_gib": memory.get("allocated_gib"),
        "reserved_gib": memory.get("reserved_gib"),
        "device_gib": memory.get("device_gib"),
        "step_s": time.get("step_s"),
        "samples_per_s": time.get("samples_per_s"),
        "data_share": time.get("data_share"),
        "exchange_share": exchange.get("communication_share"),
        "read_gb_per_s": (storage.get("read") or {}).get("gb_per_s"),
        "checkpoint_gb": (storage.get("checkpoint") or {}).get("full_gb"),
        "save_s": save.get("save_s"),
        "hours": cycle.get("hours"),
        "steps": cycle.get("steps"),
        "parts_hours": cycle.get("parts_hours"),
    }


def _wanted(variant: Block, result: Block, task: Task) -> dict[str, Any]:
    """What the figures decide on: the deadline and the memory of the card."""
    capacity = (variant.get("memory") or {}).get("capacity_gib")
    return {"target_hours": task.cycle.target_hours, "capacity_gib": capacity}
