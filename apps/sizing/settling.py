"""What a recipe means when it does not say: one function a field.

Each returns the stated value, else what is typical of the framework or of the kind of task. The
defaults of frameworks are rows of `calibration.json`; those here are the habits of the field.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from apps.sizing.adapters import Adapters, resolve_adapters
from apps.sizing.calibration import Calibration, Dialect, FamilyRow, StateRecipe
from apps.sizing.layouts import Layout
from apps.sizing.settling_kinds import TOTAL_BATCHES
from apps.sizing.shapes import Shape
from apps.sizing.task import Placement, Recipe, Task

ADAPTER_METHODS: Final = frozenset({"lora", "qlora", "dora"})
TYPICAL_RANK: Final = 16
# Share of a model that stays trainable when "the upper layers" are tuned and nobody says which.
FREEZE_SHARE: Final = 0.2
_PRETRAIN_LENGTH: Final = 4096
_FINETUNE_LENGTH: Final = 2048
_MICRO_BATCHES: Final = {"vision": 32.0, "diffusion": 4.0}


def dialect_of(recipe: Recipe, place: Placement, calibration: Calibration) -> Dialect:
    """The dialect of a recipe: by its framework, and by who shards its states."""
    rows = calibration.dialects
    name = recipe.framework or "unknown"
    dialect = rows.get(calibration.dialect_of.get(name, name), rows["unknown"])
    split = (place.tensor_parallel or 1) * (place.pipeline_parallel or 1)
    if split > 1 and dialect.peft:
        # Stacks on Transformers split a model through Megatron, unless they say FSDP beside it:
        # that word is PyTorch's, and so is the splitting then.
        torch = place.data_parallel in ("fsdp", "hsdp")
        return rows["torch-parallel" if torch else "megatron-like"]
    zero = (place.data_parallel or "").startswith("zero")
    if zero and dialect.deepspeed_dialect:
        return rows[dialect.deepspeed_dialect]
    return dialect


def method_of(task: Task) -> str:
    """The method, or what the recipe's other fields imply."""
    recipe = task.recipe
    if task.method is not None:
        return task.method
    if recipe.quantization not in (None, "none"):
        return "qlora"
    if recipe.lora_rank is not None or recipe.lora_targets is not None:
        return "lora"
    return "lora" if task.strategy == "finetune" else "full"


def sequence_length_of(task: Task) -> float:
    """Tokens of the longest sample."""
    if task.recipe.sequence_length is not None:
        return float(task.recipe.sequence_length)
    pretrain = task.recipe.stage == "pretrain" or task.strategy == "from-scratch"
    return float(_PRETRAIN_LENGTH if pretrain else _FINETUNE_LENGTH)


def micro_batch_of(recipe: Recipe, layout: Layout, shape: Shape) -> float:
    """Samples one GPU sees in a pass; from the global batch when that is what is known."""
    if recipe.micro_batch is not None:
        return recipe.micro_batch
    if recipe.global_batch is not None and recipe.grad_accumulation is not None:
        return max(1.0, recipe.global_batch / (recipe.grad_accumulation * layout.data))
    usual = _MICRO_BATCHES.get(shape.kind, 1.0)
    total = TOTAL_BATCHES.get(recipe.framework or "")
    if total is not None:
        return max(1.0, (recipe.global_batch or total) / layout.data)
    if recipe.global_batch is not None:
        return max(1.0, min(usual, recipe.global_batch / layout.data))
    return usual


def accumulation_of(recipe: Recipe, layout: Layout, micro_batch: float) -> int:
    """Passes before an optimizer step."""
    if recipe.grad_accumulation is not None:
        return recipe.grad_accumulation
    if recipe.global_batch is not None:
        return max(1, round(recipe.global_batch / (micro_batch * layout.data)))
    return max(1, layout.pipeline)


def checkpointing_of(task: Task, dialect: Dialect, layout: Layout) -> str:
    """What is recomputed: as said, unless the framework's own scripts leave no choice."""
    recipe = task.recipe
    if dialect.recomputes_tuning and layout.gathers_weights and task.strategy != "from-scratch":
        return "full"
    if recipe.activation_checkpointing is not None:
        return recipe.activation_checkpointing
    if layout.replicas > 1:
        return dialect.default_checkpointing_sharded
    return dialect.default_checkpointing


def states_of(
    recipe: Recipe, precision: str, dialect: Dialect, layout: Layout, calibration: Calibration
) -> StateRecipe:
    """Where the framework keeps a trained parameter.

    Pure half precision and `master_weights: none` mean that no fp32 copy exists; llm-foundry keeps
    fp32 shards whatever its mixed-precision mode is called.
    """
    rows = calibration.states
    if precision == "fp32":
        return rows["fp32"]
    if dialect.mixed_states == "foundry":
        return rows["foundry"]
    if precision.endswith("-pure"):
        return rows["pure"]
    if dialect.stack != "torch":
        return rows[dialect.mixed_states]
    if recipe.master_weights == "none":
        return rows["pure"]
    if recipe.master_weights == "fp32":
        return rows["amp"]
    if dialect.alone_states is not None and layout.kind in ("none", "ddp"):
        return rows[dialect.alone_states]
    return rows[dialect.mixed_states]


def base_bytes_of(
    quantization: str, precision: str, dialect: Dialect, calibration: Calibration
) -> float:
    """Bytes of a frozen parameter of a layer."""
    if quantization == "none":
        return 4.0 if precision == "fp32" else 2.0
    if quantization == "nf4" and dialect.nf4_bytes is not None:
        return dialect.nf4_bytes
    return calibration.quantizations[quantization]


def scale_bytes_of(quantization: str, base_bytes: float) -> float:
    """Bytes of scales beside a quantised weight: not a parameter, so nobody shards them."""
    if quantization == "none":
        return 0.0
    return max(0.0, base_bytes - (1.0 if quantization in ("int8", "fp8") else 0.5))


def vocabulary_bytes_of(
    quantization: str, whole: float, base_bytes: float, dialect: Dialect, shape: Shape
) -> float:
    """Bytes of an element of the vocabulary matrices, on average of them.

    Usually nobody quantises them; Lightning replaces every linear, the output head too.
    """
    if quantization == "none" or not dialect.quantises_head or shape.embedding_count == 1:
        return whole
    return (whole + base_bytes) / 2


def paged_of(recipe: Recipe, dialect: Dialect, layout: Layout) -> bool:
    """Whether optimizer states lie in managed memory: said, or a framework's usual 8-bit one."""
    if recipe.optimizer_step == "paged":
        return True
    eight_bit = (recipe.optimizer or "").endswith("-8bit")
    return eight_bit and dialect.default_paged_8bit and layout.gpus == 1


def overlapped_of(dialect: Dialect, layout: Layout, family: FamilyRow) -> bool:
    """Whether tensor-parallel exchange and gradients run beside computing.

    Megatron learnt it in 2023, and whoever trains on several nodes of newer cards turns it on:
    Llama 3 on 8,192 and 16,384 H100 (430 and 400 TFLOP/s, arXiv 2407.21783) and the MCore
    r0.8 table come out at their figures with it and 10 to 40 % low without.
    """
    known = dialect.stack == "megatron" and dialect.time_runs > 0
    recent = known and layout.nodes > 1 and family.overlap_usual
    return dialect.tensor_parallel_hidden or recent


def dropout_of(recipe: Recipe, dialect: Dialect) -> bool:
    """Whether adapters drop inputs; frameworks differ in what they do unless told."""
    if recipe.lora_dropout is None:
        return dialect.default_dropout
    return recipe.lora_dropout > 0


def adapter_bytes_of(recipe: Recipe, precision: str, dialect: Dialect) -> float:
    """Bytes of an adapter weight: PEFT keeps them in fp32 unless the run is pure."""
    if recipe.adapter_precision is not None:
        return 4.0 if recipe.adapter_precision == "fp32" else 2.0
    if precision == "fp32":
        return 4.0
    return 4.0 if dialect.peft and precision.endswith("-mixed") else 2.0


def adapters_of(recipe: Recipe, shape: Shape, dialect: Dialect) -> Adapters:
    stated = recipe.trainable_params_million
    return resolve_adapters(
        shape,
        recipe.lora_targets or dialect.default_adapter_targets,
        recipe.lora_rank or TYPICAL_RANK,
        stated * 1e6 if stated is not None else None,
        recipe.modules_to_save or (),
    )


def loss_bytes_of(
    shape: Shape,
    dialect: Dialect,
    constants: Mapping[str, float],
    *,
    adapters: bool,
    fused_loss: bool,
    fused: bool,
    compiled: bool,
) -> float:
    """Bytes the loss keeps per logit."""
    if fused_loss:
        return dialect.loss_bytes_fused_loss
    if dialect.stack == "megatron":
        return dialect.loss_bytes_adapters if adapters else dialect.loss_bytes
    if not shape.logits_upcast:
        return constants["loss.no_upcast_fused" if fused else "loss.no_upcast"]
    if fused:
        return dialect.loss_bytes_fused
    if compiled:
        return dialect.loss_bytes_compiled
    return dialect.loss_bytes_adapters if adapters else dialect.loss_bytes


def frozen_share_of(method: str, recipe: Recipe, shape: Shape) -> float:
    """Share of the parameters that is frozen under the method `freeze`; 0 otherwise."""
    if method != "freeze":
        return 0.0
    if recipe.trainable_params_million is None:
        return 1.0 - FREEZE_SHARE
    return max(0.0, 1.0 - recipe.trainable_params_million * 1e6 / shape.total_params)


def padding_ratio(recipe: Recipe, length: float, micro_batch: float) -> float:
    """Tokens of an average pass over those of the fullest one.

    Unpacked samples are padded to the longest of their micro-batch: between the average and the
    maximum, nearer the maximum the more samples there are.
    """
    if recipe.packing or recipe.average_length is None or recipe.average_length >= length:
        return 1.0
    average = recipe.average_length / length
    spread = 1.0 - 1.0 / math.sqrt(max(1.0, micro_batch))
    return average + (1.0 - average) * 0.5 * spread
