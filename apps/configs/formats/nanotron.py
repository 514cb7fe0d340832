"""nanotron's YAML. Nothing about batches and layout has a default: the file says all of it."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format, read_attention, read_optimizer
from apps.configs.formats.transformer_shape import read_widths
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_text, product
from apps.configs.words import dtype_word

_DEFAULTS: Final[dict[str, Any]] = {
    "method": "full",
    "strategy": "from-scratch",
    "stage": "pretrain",
    "activation_checkpointing": "none",
    "attention": "flash",
    "packing": True,
    "quantization": "none",
}


def _recognises(document: Document, keys: Keys) -> bool:
    layout = keys.part("parallelism")
    return keys.part("tokens").has("micro_batch_size") and (layout.has("dp") or layout.has("tp"))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "nanotron")
    _read_model(keys.part("model"), draft)
    tokens = keys.part("tokens")
    draft.read("sequence_length", tokens, "sequence_length", by=as_count)
    draft.read("micro_batch", tokens, "micro_batch_size", by=as_count)
    draft.read("grad_accumulation", tokens, "batch_accumulation_per_replica", by=as_count)
    draft.read("steps", tokens, "train_steps", by=as_count)
    draft.read("save_every_steps", keys, "checkpoints.checkpoint_interval", by=as_count)
    _read_layout(keys, draft)
    _read_optimizer(keys.part("optimizer"), draft)
    draft.defaults(_DEFAULTS)


def _read_model(model: Keys, draft: Draft) -> None:
    config = model.part("model_config")
    read_widths(config, draft)
    moe = config.part("moe_config")
    draft.read("experts", moe, "num_experts", by=as_count)
    draft.read("experts_per_token", moe, "top_k", by=as_count)
    draft.read("moe_ffn", moe, "moe_intermediate_size", by=as_count)
    if (draft.value("experts") or 0) > 1:
        draft.guess("kind", "moe-decoder")
    read_attention(draft, config, "_attn_implementation")
    weights = dtype_word(model.plain("dtype"))
    if weights:
        draft.file("precision", "fp32" if weights == "fp32" else f"{weights}-mixed")
    method = model.part("init_method")
    existing = as_text(method.plain("path"))
    if existing:
        draft.guess("model", existing)
        draft.guess("strategy", "continual")


def _read_layout(keys: Keys, draft: Draft) -> None:
    layout = keys.part("parallelism")
    data = as_count(layout.plain("dp"))
    tensor = draft.read("tensor_parallel", layout, "tp", by=as_count)
    pipeline = draft.read("pipeline_parallel", layout, "pp", by=as_count)
    context = draft.read("context_parallel", layout, "context_parallel_size", by=as_count)
    expert = draft.read("expert_parallel", layout, "expert_parallel_size", by=as_count)
    ranks = product(data, tensor or 1, pipeline or 1, context or 1, expert or 1)
    draft.file("gpus", ranks)
    if str(layout.plain("tp_mode")).upper() == "REDUCE_SCATTER" and (tensor or 1) > 1:
        draft.file("sequence_parallel", value=True)
    recompute = as_flag(layout.plain("recompute_layer"))
    if recompute is not None:
        draft.file("activation_checkpointing", "full" if recompute else "none")
    stage = as_number(keys.plain("optimizer.zero_stage"))
    if stage in (1, 2, 3):
        draft.file("data_parallel", f"zero{stage}")
    elif stage == 0 and data:
        draft.file("data_parallel", "ddp" if data > 1 else "none")
    micro, steps = draft.value("micro_batch"), draft.value("grad_accumulation")
    if data and micro and steps:
        draft.guess("global_batch", data * int(micro) * steps)


def _read_optimizer(optimizer: Keys, draft: Draft) -> None:
    factory = optimizer.part("optimizer_factory")
    if as_flag(factory.plain("torch_adam_is_fused")):
        draft.file("optimizer_step", "fused")
    read_optimizer(draft, factory, "name")
    if as_flag(optimizer.plain("accumulate_grad_in_fp32")):
        draft.default("master_weights", "fp32")


NANOTRON: Final = Format(name="nanotron", role="trainer", recognises=_recognises, read=_read)
