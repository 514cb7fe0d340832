"""Megatron-LM's command lines, Megatron-DeepSpeed's, and the same names written as YAML."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.megatron_degrees import read_degrees, read_recompute
from apps.configs.formats.shared import (
    Format,
    read_attention,
    read_deepspeed_reference,
    read_optimizer,
)
from apps.configs.formats.transformer_shape import read_widths
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_text, product
from apps.configs.words import stage_word

_SIGNS: Final = (
    "num_layers",
    "seq_length",
    "train_iters",
    "train_samples",
    "tensor_model_parallel_size",
    "global_batch_size",
    "rollout_batch_size",
)
_DEFAULTS: Final[dict[str, Any]] = {
    "method": "full",
    "optimizer": "adamw",
    "optimizer_step": "fused",
    "precision": "fp32",
    "activation_checkpointing": "none",
    "tensor_parallel": 1,
    "pipeline_parallel": 1,
    "quantization": "none",
    "packing": True,
}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "python":
        return False
    # Without a micro-batch the tokens of a GPU are counted, or they follow from other numbers.
    counted = keys.has("micro_batch_size")
    return sum(keys.has(sign) for sign in _SIGNS) >= (2 if counted else 3)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    deepspeed = as_flag(keys.plain("deepspeed"))
    draft.file("framework", "megatron-deepspeed" if deepspeed else "megatron")
    read_widths(keys, draft)
    _read_shape(keys, draft)
    read_megatron_batch(keys, draft)
    draft.read("sequence_length", keys, "seq_length", "encoder_seq_length", by=as_count)
    read_megatron_memory(keys, draft)
    read_degrees(keys, draft)
    _read_length(keys, draft)
    zero = as_number(keys.plain("zero_stage"))
    if deepspeed and zero is not None:
        draft.file("data_parallel", f"zero{zero}" if zero in (1, 2, 3) else "ddp")
    read_deepspeed_reference(draft, keys.plain("deepspeed_config"))
    read_launch(document, draft)
    _read_start(document, keys, draft)
    if keys.states("hf_checkpoint"):  # reinforcement around Megatron loads and trains in bf16
        draft.default("precision", "bf16-mixed")
    draft.defaults(_DEFAULTS)
    if draft.value("precision") != "fp32":
        draft.default("master_weights", "fp32")
    derive_accumulation(draft)


def _read_shape(keys: Keys, draft: Draft) -> None:
    gated = any(as_flag(keys.plain(name)) for name in ("swiglu", "geglu", "reglu"))
    draft.file("gated_ffn", value=True) if gated else draft.default("gated_ffn", value=False)
    if as_flag(keys.plain("group_query_attention")) or keys.states("num_query_groups"):
        draft.drop("kv_heads")
        draft.read("kv_heads", keys, "num_query_groups", by=as_count)
    untied = as_flag(keys.plain("untie_embeddings_and_output_weights"))
    (draft.file if untied is not None else draft.default)("tied_embeddings", not untied)
    draft.read("experts_per_token", keys, "moe_router_topk", by=as_count)
    draft.read("image_size", keys, "img_h", by=as_count)
    if (draft.value("experts") or 0) > 1:
        draft.guess("kind", "moe-decoder")


def read_megatron_batch(keys: Keys, draft: Draft) -> None:
    draft.read("micro_batch", keys, "micro_batch_size", by=as_count)
    draft.read("global_batch", keys, "global_batch_size", by=as_count)
    read_optimizer(draft, keys, "optimizer")


def read_megatron_memory(keys: Keys, draft: Draft) -> None:
    """Precision, recomputation, attention, offload, the fused loss."""
    if keys.states("fp8_format") or as_flag(keys.plain("fp8_hybrid", "fp8_e4m3")):
        recipe = str(keys.plain("fp8_recipe") or "")
        keys.get("fp8_format")
        draft.file("precision", "mxfp8" if recipe.startswith("mx") else "fp8-mixed")
    if keys.states("fp4_format"):
        draft.file("precision", "nvfp4")
    for flag in ("bf16", "fp16"):
        if as_flag(keys.plain(flag)):
            draft.file("precision", f"{flag}-mixed")
    read_recompute(keys, draft)
    if as_flag(keys.plain("use_flash_attn", "use_flash_attn_v2")):
        draft.file("attention", "flash")
    read_attention(draft, keys, "attention_backend", "attn_impl", "attn_implementation")
    if as_flag(keys.plain("cross_entropy_loss_fusion")):
        draft.file("fused_cross_entropy", value=True)
    if as_flag(keys.plain("optimizer_cpu_offload", "cpu_optimizer")):
        draft.file("offload", "optimizer")
    elif as_flag(keys.plain("cpu_offloading")):
        draft.file("offload", "activations")


def _read_length(keys: Keys, draft: Draft) -> None:
    draft.read("steps", keys, "train_iters", by=as_count)
    samples = as_count(keys.plain("train_samples"))
    batch = draft.value("global_batch")
    if samples and batch:
        draft.guess("steps", max(1, samples // batch))
    draft.read("save_every_steps", keys, "save_interval", by=as_count)


def _read_start(document: Document, keys: Keys, draft: Draft) -> None:
    """`--finetune` begins with a checkpoint; `--load` alone only resumes."""
    tuned = as_flag(keys.plain("finetune")) or keys.states("pretrained_checkpoint")
    program = " ".join(document.program).lower()
    state = draft.file if tuned else draft.guess
    state("strategy", "finetune" if tuned or "finetune" in program else "from-scratch")
    draft.file("stage", stage_word(keys.plain("advantage_estimator")))
    draft.guess("stage", "sft" if "sft" in program else "pretrain")
    draft.guess("model", as_text(keys.plain("hf_checkpoint", "model_name", "model_type")))
    draft.guess(
        "gpus",
        product(
            as_count(keys.plain("actor_num_nodes")),
            as_count(keys.plain("actor_num_gpus_per_node")),
        ),
    )
    if draft.value("gpus") and draft.value("data_parallel") is None:
        split = (draft.value("tensor_parallel") or 1) * (draft.value("pipeline_parallel") or 1)
        replicas = draft.value("gpus") // (split * (draft.value("context_parallel") or 1))
        draft.default("data_parallel", "ddp" if replicas > 1 else "none")


def derive_accumulation(draft: Draft) -> None:
    """global batch / (micro-batch × replicas), once the GPUs are known."""
    total, micro, gpus = (draft.value(n) for n in ("global_batch", "micro_batch", "gpus"))
    split = (draft.value("tensor_parallel") or 1) * (draft.value("pipeline_parallel") or 1)
    split *= draft.value("context_parallel") or 1
    if total and micro and gpus and gpus >= split:
        replicas = max(1, gpus // split)
        draft.guess("grad_accumulation", max(1, total // (int(micro) * replicas)))


MEGATRON: Final = Format(name="megatron", role="trainer", recognises=_recognises, read=_read)
