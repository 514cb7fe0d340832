"""A task on a card with every unknown settled: what the formulas take.

`resolve_case` fills each field that is missing with what is typical of the framework (see
`settling`). The alternatives to a guess are cases too: made with `Case.vary`, they give
a range its width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from apps.sizing import settling
from apps.sizing.adapters import Adapters
from apps.sizing.calibration import Calibration, Dialect, FamilyRow, OptimizerRow, StateRecipe
from apps.sizing.configurations import accelerators_named
from apps.sizing.errors import TaskError
from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.layouts import Layout, resolve_layout
from apps.sizing.settling_kinds import frozen_tower_share, kind_fields
from apps.sizing.shapes import Shape, resolve_shape
from apps.sizing.task import Placement, Recipe, Task

LOW_PRECISIONS: Final = frozenset({"fp8-mixed", "mxfp8", "nvfp4"})
# Models beside the trained one, by stage: frozen copies in memory, trained copies, how many
# sequences one sample has, and forward passes without gradients beside the trained one (KTO's
# estimate of the divergence takes two more). Source: the methods' papers and TRL's trainers.
_STAGES: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "dpo": (1, 0, 2, 1),
    "kto": (1, 0, 1, 3),
    "orpo": (0, 0, 2, 0),
    "rm": (0, 0, 2, 0),
    "ppo": (2, 1, 1, 3),
    "grpo": (1, 0, 1, 1),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """Everything the formulas of memory and time need, all known.

    `framework` is as stated, None where nobody named it: `dialect` is then a usual one.
    `tokens` is what one GPU sees in its fullest pass (micro-batch × sequence ÷ context parallel),
    `padding` how much of it an average pass has. `base_bytes` is what a frozen parameter of a
    layer takes, `scale_bytes` the part of it that are scales, `loss_bytes` what the loss keeps per
    logit, `residual_bytes` what a layer's input takes per element. `base_sharded` is false where a
    quantised base stays whole under FSDP. `no_sync` says whose gradients stay whole while batches
    accumulate: `no`, `full` (of the trained weights, in the type of the pass), `full-precision` or
    `all` (of frozen ones too). `paged` says that the optimizer's states lie in memory that the
    driver pages, outside the framework's allocator; `overlapped` that tensor-parallel exchange
    runs beside computing. `reference_passes` are forward passes without gradients beside the
    trained one; `averaged`: a moving average of the weights lies beside them; `cached`: frozen
    encoders have run before training and are gone; `tower_trained`: gradients go through the image
    encoder; `predicts_tokens`: the loss is over the vocabulary; `engine_share`: what a generation
    engine takes of the card.
    """

    shape: Shape
    layout: Layout
    framework: str | None
    dialect: Dialect
    card: Accelerator
    family: FamilyRow
    calibration: Calibration
    method: str
    stage: str
    adapters: Adapters | None
    precision: str
    states: StateRecipe
    optimizer: OptimizerRow
    step: str
    paged: bool
    quantization: str
    base_bytes: float
    scale_bytes: float
    vocabulary_bytes: float
    adapter_bytes: float
    tokens: float
    sequence: float
    micro_batch: float
    accumulation: int
    padding: float
    checkpointing: str
    eager: bool
    fused_kernels: bool
    fused_loss: bool
    compiled: bool
    dropout: bool
    offload: str
    loss_bytes: float
    residual_bytes: float
    no_sync: str
    overlapped: bool
    base_sharded: bool
    frozen_copies: float
    trained_copies: float
    reference_passes: float
    frozen_share: float
    reduces_in_half: bool
    averaged: bool
    cached: bool
    tower_trained: bool
    predicts_tokens: bool
    engine_share: float

    def vary(self, **changes: Any) -> Case:
        """This case with other values for some fields.

        As `dataclasses.replace`, several times faster: an estimate looks at tens of variations.
        """
        if not changes.keys() <= self.__dict__.keys():
            raise TypeError(f"a case has no such field: {sorted(changes)}")
        other = object.__new__(Case)
        other.__dict__.update(self.__dict__, **changes)
        return other

    @property
    def constants(self) -> Mapping[str, float]:
        return self.calibration.constants

    @property
    def megatron(self) -> bool:
        return self.dialect.stack == "megatron"

    @property
    def deepspeed(self) -> bool:
        return self.dialect.stack == "deepspeed"

    @property
    def samples(self) -> float:
        """Samples of a micro-batch: a pair of answers is one, of two sequences."""
        return self.micro_batch / (_STAGES[self.stage][2] if self.stage in _STAGES else 1)

    @property
    def compute_bytes(self) -> float:
        """Bytes of a weight in the pass: what is gathered and multiplied."""
        return 4.0 if self.precision == "fp32" else 2.0

    @property
    def stage_layers(self) -> int:
        """Layers of the fullest pipeline stage."""
        return -(-self.shape.layers // self.layout.pipeline)

    @property
    def sequence_shards(self) -> int:
        """Over how many ranks the inputs of a layer are cut along the sequence."""
        return self.layout.tensor if self.layout.sequence else 1


def accelerator_of(place: Placement, catalog: Catalog) -> Accelerator:
    """The card of a placement.

    Raises:
        TaskError: it is missing, means several («H200» is SXM or NVL), or is not in the catalog.
    """
    if place.accelerator is None:
        message = "a placement names its accelerator: an id of the catalog"
        raise TaskError("missing-accelerator", message, "placement.accelerator")
    card = catalog.accelerators.get(place.accelerator)
    if card is None:
        several = accelerators_named(place.accelerator, catalog)
        if len(several) > 1:
            message = f"{place.accelerator} means several: say which of {', '.join(several)}"
            raise TaskError("ambiguous-accelerator", message, "placement.accelerator")
        known = ", ".join(sorted(catalog.accelerators))
        message = f"placement.accelerator is one of {known}; not {place.accelerator!r}"
        raise TaskError("unknown-accelerator", message, "placement.accelerator")
    return card


def placed_case(
    task: Task, catalog: Catalog, place: Placement | None
) -> tuple[Case, Placement] | None:
    """The case of `task` on `place` or on its own placement; None without a model size.

    Raises:
        TaskError: there is no placement, or its accelerator is not in the catalog.
    """
    place = place or task.placement
    if place is None:
        raise TaskError("missing-placement", "say on which accelerator it runs", "placement")
    case = resolve_case(task, place, catalog)
    return None if case is None else (case, place)


@lru_cache(maxsize=256)
def resolve_case(task: Task, place: Placement, catalog: Catalog) -> Case | None:
    """The case of `task` on `place`, or None when not even the model's size is known.

    Raises:
        TaskError: the accelerator is missing or not in the catalog.
    """
    shape = resolve_shape(task.model, catalog)
    if shape is None:
        return None
    card = accelerator_of(place, catalog)
    dialect = settling.dialect_of(task.recipe, place, catalog.calibration)
    if dialect.always_shards and place.data_parallel == "ddp":
        place = replace(place, data_parallel=dialect.default_kind, shard_degree=None)
    layout = resolve_layout(
        place, card, megatron=dialect.stack == "megatron", default_kind=dialect.default_kind
    )
    return _settle(task, shape, layout, dialect, card, catalog.calibration)


def _settle(
    task: Task,
    shape: Shape,
    layout: Layout,
    dialect: Dialect,
    card: Accelerator,
    calibration: Calibration,
) -> Case:
    recipe = task.recipe
    method = settling.method_of(task)
    peft = method in settling.ADAPTER_METHODS
    frozen, trained, sequences, references = _STAGES.get(recipe.stage or "", (0, 0, 1, 0))
    kinds = kind_fields(task, method, shape)
    frozen_share = settling.frozen_share_of(method, recipe, shape)
    if method == "full":
        frozen_share = frozen_tower_share(shape, trained=kinds["tower_trained"])
    return Case(
        shape=shape,
        layout=layout,
        framework=recipe.framework,
        dialect=dialect,
        card=card,
        family=calibration.families[card.family],
        calibration=calibration,
        method=method,
        stage=recipe.stage or "sft",
        adapters=settling.adapters_of(recipe, shape, dialect) if peft else None,
        optimizer=calibration.optimizers[recipe.optimizer or "adamw"],
        step=recipe.optimizer_step or dialect.default_step,
        checkpointing=settling.checkpointing_of(task, dialect, layout),
        eager=recipe.attention == "eager" or shape.score_maps > 0,
        paged=settling.paged_of(recipe, dialect, layout),
        dropout=settling.dropout_of(recipe, dialect),
        offload=recipe.offload or "none",
        no_sync=dialect.no_sync,
        overlapped=settling.overlapped_of(dialect, layout, calibration.families[card.family]),
        base_sharded=True,
        frozen_copies=0.0 if peft and recipe.stage != "ppo" else frozen,
        trained_copies=trained,
        reference_passes=references,
        frozen_share=frozen_share,
        **kinds,
        **_types(recipe, method, dialect, layout, shape, calibration),
        **_batch(task, layout, shape, sequences),
        **_kernels(recipe, shape, dialect, calibration, peft=peft),
    )


def _types(
    recipe: Recipe,
    method: str,
    dialect: Dialect,
    layout: Layout,
    shape: Shape,
    calibration: Calibration,
) -> dict[str, Any]:
    """Fields of a case that say in which type a number is kept."""
    precision = recipe.precision or "bf16-mixed"
    quantization = recipe.quantization or "none"
    if method == "qlora" and quantization == "none":
        quantization = "nf4"
    whole = 4.0 if precision == "fp32" else 2.0
    base = settling.base_bytes_of(quantization, precision, dialect, calibration)
    return {
        "precision": precision,
        "states": settling.states_of(recipe, precision, dialect, layout, calibration),
        "quantization": quantization,
        "base_bytes": base,
        "scale_bytes": settling.scale_bytes_of(quantization, base),
        "vocabulary_bytes": settling.vocabulary_bytes_of(quantization, whole, base, dialect, shape),
        "adapter_bytes": settling.adapter_bytes_of(recipe, precision, dialect),
        "residual_bytes": whole,
        "reduces_in_half": (
            recipe.reduce_precision in ("bf16", "fp16") or precision.endswith("-pure")
        ),
    }


def _batch(task: Task, layout: Layout, shape: Shape, sequences: float) -> dict[str, Any]:
    """Fields of a case that say how much one GPU sees at a time."""
    recipe = task.recipe
    length = settling.sequence_length_of(task)
    samples = settling.micro_batch_of(recipe, layout, shape)
    micro = samples * sequences
    return {
        "tokens": micro * length / layout.context,
        "sequence": length,
        "micro_batch": micro,
        "accumulation": settling.accumulation_of(recipe, layout, samples),
        "padding": settling.padding_ratio(recipe, length, micro),
    }


def _kernels(
    recipe: Recipe, shape: Shape, dialect: Dialect, calibration: Calibration, *, peft: bool
) -> dict[str, Any]:
    """Fields of a case that say which kernels run."""
    fused_loss = _flag(recipe.fused_cross_entropy, dialect.default_fused_loss)
    fused = dialect.always_fused_kernels or _flag(
        recipe.fused_kernels, dialect.default_fused_kernels
    )
    compiled = bool(recipe.compile)
    return {
        "fused_kernels": fused,
        "fused_loss": fused_loss,
        "compiled": compiled,
        "loss_bytes": settling.loss_bytes_of(
            shape,
            dialect,
            calibration.constants,
            adapters=peft,
            fused_loss=fused_loss,
            fused=fused,
            compiled=compiled,
        ),
    }


def _flag(stated: bool | None, default: bool) -> bool:
    return default if stated is None else stated
