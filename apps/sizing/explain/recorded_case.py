"""A settled case whose numbers are recorded: what the formulas of memory and time are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from apps.sizing.adapters import Adapters
from apps.sizing.architectures import find_architecture
from apps.sizing.calibration import Calibration
from apps.sizing.cases import Case
from apps.sizing.explain.leaves import (
    ASSUMED,
    CALIBRATION,
    CATALOG,
    COMPUTED,
    FRAMEWORK,
    LAYOUT,
    TASK,
    Leaf,
    Leaves,
    Recording,
)
from apps.sizing.explain.quantities import unit_of_coefficient
from apps.sizing.explain.usual import recognise_images
from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.layouts import Layout
from apps.sizing.shapes import Experts, Shape
from apps.sizing.task import Model, Placement, Task

_TOLERANCE: Final = 1e-9
# A field of the shape -> the field of the task's model that says it.
_MODEL_FIELDS: Final = {
    "total_params": ("params", "params_billion"),
    "layers": ("layers", "layers"),
    "hidden": ("hidden", "hidden"),
    "heads": ("heads", "heads"),
    "kv_heads": ("kv_heads", "kv_heads"),
    "head_dim": ("head_dim", "head_dim"),
    "ffn": ("ffn", "ffn"),
    "vocab": ("vocab", "vocab"),
    "query": ("query", ""),
    "key_value": ("key_value", ""),
    "attention_params": ("attention_params", ""),
    "mlp_params": ("mlp_params", ""),
}
_LAYOUT_FIELDS: Final = {
    "gpus": "gpus",
    "nodes": "nodes",
    "tensor": "tensor_parallel",
    "pipeline": "pipeline_parallel",
    "chunks": "virtual_pipeline",
    "context": "context_parallel",
    "expert": "expert_parallel",
    "data": "gpus",
    "shard": "shard_degree",
    "inter_gbit": "inter_node_link",
}


class RecordedCase(Case):
    """A case that writes its compute type as a quantity too."""

    @property
    def compute_bytes(self) -> float:
        recorded: float = self.__dict__["recorded_compute_bytes"]
        return recorded


def recorded_case(leaves: Leaves, case: Case, task: Task, catalog: Catalog) -> Case:
    """`case` with recorded numbers; equal to it in value everywhere."""
    recognise_images(leaves)
    calibration = _calibration(leaves, case.calibration)
    shape = _shape(leaves, case.shape, task.model, catalog)
    layout = _layout(leaves, case.layout, task)
    values = {
        **case.__dict__,
        "calibration": calibration,
        "shape": shape,
        "layout": layout,
        "dialect": leaves.row(case.dialect, "dialect", FRAMEWORK, f"dialects/{case.dialect.key}"),
        "family": _family(leaves, case),
        "card": _card(leaves, case.card),
        "adapters": _adapters(leaves, case, shape, task),
        **_types(leaves, case),
        **_batch(leaves, case, layout, task),
    }
    made: RecordedCase = object.__new__(RecordedCase)
    made.__dict__.update(values)
    return made


def _shape(leaves: Leaves, shape: Shape, model: Model, catalog: Catalog) -> Shape:
    architecture = find_architecture(model, catalog)
    changes: dict[str, Any] = {}
    for name, (key, stated) in _MODEL_FIELDS.items():
        origin, reference = CATALOG, architecture.name if architecture else ""
        if stated and getattr(model, stated) is not None:
            origin, reference = TASK, f"model.{stated}"
        elif name in shape.assumed:
            origin, reference = ASSUMED, f"model.{stated}"
        elif architecture is None:
            origin, reference = COMPUTED, ""
        changes[name] = leaves.known(key, getattr(shape, name), origin, reference)
    whole = shape.total_params
    leaves.tracer.recognise(whole, changes["total_params"])
    if shape.experts is not None:
        changes["experts"] = _experts(leaves, shape.experts, model, architecture is not None)
    source = architecture.name if architecture else "model.name"
    for name in ("sample", "companions", "tower"):
        beside = getattr(shape, name)
        if beside is not None:
            origin = CATALOG if architecture else ASSUMED
            changes[name] = leaves.row(beside, name, origin, source)
    return replace(shape, **changes)


def _experts(leaves: Leaves, experts: Experts, model: Model, listed: bool) -> Experts:
    def known(key: str, value: float, name: str) -> Any:
        said = getattr(model, name, None) is not None
        origin = TASK if said else CATALOG if listed else ASSUMED
        return leaves.known(key, value, origin, f"model.{name}" if name else "")

    return replace(
        experts,
        count=known("experts", experts.count, "experts"),
        per_token=known("experts_per_token", experts.per_token, "experts_per_token"),
        ffn=known("expert_ffn", experts.ffn, "moe_ffn"),
        shared_ffn=known("shared_ffn", experts.shared_ffn, ""),
    )


def _layout(leaves: Leaves, layout: Layout, task: Task) -> Layout:
    """Degrees of the variant: of the task's own placement where it has one."""
    stated = task.placement or Placement()
    changes = {}
    for name, given in _LAYOUT_FIELDS.items():
        said = name != "data" and getattr(stated, given) is not None
        origin = TASK if said else LAYOUT
        value = getattr(layout, name)
        changes[name] = leaves.known(name, value, origin, f"placement.{given}")
    return replace(layout, **changes)


def _card(leaves: Leaves, card: Accelerator) -> Accelerator:
    def known(name: str, value: Any) -> Any:
        return leaves.known(name, value, CATALOG, f"{card.id}:{name}")

    names = (
        "memory_tb_per_s",
        "bf16_tflops_per_s",
        "fp8_tflops_per_s",
        "usable_memory_gib",
        "memory_gb",
        "tdp_w",
    )
    changes = {name: known(name, getattr(card, name)) for name in names}
    return replace(card, **changes, extra=Recording(card.extra, known))


def _family(leaves: Leaves, case: Case) -> Any:
    family = case.family
    reference = f"families/{case.card.family}"

    def named(name: str) -> Recording:
        def record(key: str, value: float) -> float:
            # A letter for each kernel and each precision: one formula may hold two of them.
            leaf = Leaf(
                symbol=f"k_{''.join(filter(str.isalnum, key))}",
                value=value,
                unit="ratio",
                origin=CALIBRATION,
                reference=reference,
            )
            return leaves.record(f"family.{name}.{key}", leaf)

        return Recording(getattr(family, name), record)

    whole = leaves.row(family, "family", CALIBRATION, reference)
    return replace(
        whole, attention=named("attention"), low_precision_gain=named("low_precision_gain")
    )


def _calibration(leaves: Leaves, calibration: Calibration) -> Calibration:
    """The rows, each recorded when it is looked up."""

    def constant(key: str, value: float) -> float:
        unit = unit_of_coefficient(key)
        return leaves.coefficient(f"k.{key}", value, unit, f"constants/{key}")

    def rows(table: str, names: str) -> Recording:
        def record(key: str, row: Any) -> Any:
            spelt = "operators" if key == "operators" else names
            reference = f"{table}/{key}"
            return leaves.row(row, f"{names}.{key}", CALIBRATION, reference, names=spelt)

        return Recording(getattr(calibration, table), record)

    return replace(
        calibration,
        constants=Recording(calibration.constants, constant),
        layers=rows("layers", "layers"),
        elementwise=rows("elementwise", "elementwise"),
        links=rows("links", "link"),
    )


def _adapters(leaves: Leaves, case: Case, shape: Shape, task: Task) -> Adapters | None:
    """The adapted linears with the widths they are made of."""
    adapters = case.adapters
    if adapters is None:
        return None
    widths = {
        float(value): value
        for value in (shape.ffn, shape.active_ffn, shape.key_value, shape.query, shape.hidden)
    }
    linears = tuple((widths.get(i, i), widths.get(o, o)) for i, o in adapters.linears)
    said = task.recipe.lora_rank is not None
    rank = leaves.known("rank", adapters.rank, TASK if said else ASSUMED, "recipe.lora_rank")
    counted = sum(rank * (i + o) for i, o in linears) * shape.layers
    if abs(counted - adapters.trained_params) > _TOLERANCE * adapters.trained_params:
        stated = task.recipe.trainable_params_million is not None
        counted = leaves.known(
            "adapter_params",
            adapters.trained_params,
            TASK if stated else COMPUTED,
            "recipe.trainable_params_million" if stated else "",
        )
    else:
        leaves.tracer.name("adapter_params", counted)
    whole = leaves.known(
        "trained_modules", adapters.trained_modules_params, TASK, "recipe.modules_to_save"
    )
    return replace(
        adapters,
        linears=linears,
        rank=rank,
        trained_params=counted,
        trained_modules_params=whole,
    )


_STATE_FIELDS: Final = {
    "weights": "weight_bytes",
    "gradients": "gradient_bytes",
    "master": "master_bytes",
    "moment": "moment_bytes",
    "step_temporary": "temporary_bytes",
}
_TYPE_FIELDS: Final = (
    "scale_bytes",
    "vocabulary_bytes",
    "adapter_bytes",
    "loss_bytes",
    "residual_bytes",
    "frozen_share",
    "frozen_copies",
    "trained_copies",
    "engine_share",
)


def _types(leaves: Leaves, case: Case) -> dict[str, Any]:
    """In how many bytes a number is kept: the framework's way of the stated precision."""
    dialect = f"dialects/{case.dialect.key}"

    def known(name: str, value: Any, reference: str = dialect) -> Any:
        return leaves.known(name, value, FRAMEWORK, reference)

    rows = case.calibration
    row = next((k for k, v in rows.states.items() if v is case.states), "")
    optimizer = next((k for k, v in rows.optimizers.items() if v is case.optimizer), "")
    states = {
        name: known(key, getattr(case.states, name), f"states/{row}")
        for name, key in _STATE_FIELDS.items()
    }
    moments = {
        name: known(name, getattr(case.optimizer, name), f"optimizers/{optimizer}")
        for name in ("moments", "fixed_bytes")
    }
    kept = f"quantizations/{case.quantization}" if case.quantization != "none" else dialect
    return {
        **{name: known(name, getattr(case, name)) for name in _TYPE_FIELDS},
        "base_bytes": known("base_bytes", case.base_bytes, kept),
        "states": replace(case.states, **states),
        "optimizer": replace(case.optimizer, **moments),
        "recorded_compute_bytes": known("compute_bytes", case.compute_bytes),
    }


def _batch(leaves: Leaves, case: Case, layout: Layout, task: Task) -> dict[str, Any]:
    recipe = task.recipe

    def known(name: str, value: float, *given: str) -> Any:
        stated = next((f for f in given if getattr(recipe, f) is not None), None)
        origin = ASSUMED if stated is None else TASK
        return leaves.known(name, value, origin, f"recipe.{stated or given[0]}")

    micro = known("micro_batch", case.micro_batch, "micro_batch", "global_batch")
    sequence = known("sequence", case.sequence, "sequence_length")
    tokens = micro * sequence / layout.context
    if abs(tokens - case.tokens) > _TOLERANCE * case.tokens:
        tokens = case.tokens
    return {
        "micro_batch": micro,
        "sequence": sequence,
        "tokens": tokens,
        "padding": known("padding", case.padding, "average_length"),
        "accumulation": known(
            "accumulation", case.accumulation, "grad_accumulation", "global_batch"
        ),
    }
