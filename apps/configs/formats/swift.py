"""ms-swift: its commands (`swift sft`, `megatron sft`) and YAML with the same names."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import read_arguments
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.megatron import (
    derive_accumulation,
    read_megatron_batch,
    read_megatron_memory,
)
from apps.configs.formats.megatron_degrees import read_degrees
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_model_name,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_positive, as_word
from apps.configs.words import dtype_word, quantization_of_bits, stage_word

_TUNERS: Final = ("tuner_type", "train_type", "sft_type")
_MODEL: Final = ("model", "model_id_or_path", "model_type")
_COMMANDS: Final = frozenset({"sft", "pt", "rlhf"})
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "micro_batch": 1,
    "epochs": 3,
    "optimizer": "adamw",
    "precision": "bf16-mixed",
    "quantization": "none",
    "activation_checkpointing": "full",
    "packing": False,
    "attention": "sdpa",
    "fused_cross_entropy": False,
}
_MEGATRON_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "method": "full",
    "micro_batch": 1,
    "global_batch": 16,
    "optimizer": "adamw",
    "optimizer_step": "fused",
    "precision": "bf16-mixed",
    "master_weights": "fp32",
    "activation_checkpointing": "selective",
    "data_parallel": "zero1",
    "attention": "flash",
    "packing": False,
    "fused_cross_entropy": True,
    "save_every_steps": 500,
    "quantization": "none",
}
_OTHER_ADAPTERS: Final = frozenset({"adalora", "longlora", "vera", "boft", "fourierft", "llamapro"})


def _is_swift(document: Document) -> bool:
    words = [word.rsplit("/", 1)[-1] for word in document.program]
    joined = " ".join(document.program)
    return words[:1] == ["swift"] or "swift/cli" in joined or "swift.cli" in joined


def _is_megatron(document: Document, keys: Keys) -> bool:
    started = document.program[:1] == ("megatron",) or "_megatron" in " ".join(document.program)
    return started and (keys.states("model") or keys.states("load") or keys.states("mcore_model"))


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "shell" and (_is_swift(document) or _is_megatron(document, keys)):
        return bool(keys)
    tuned = any(keys.states(name) for name in _TUNERS)
    return document.notation != "python" and tuned and any(keys.states(name) for name in _MODEL)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    megatron = _is_megatron(document, keys)
    draft.file("framework", "ms-swift-megatron" if megatron else "ms-swift")
    read_model_name(draft, keys, *_MODEL)
    _read_method(keys, draft, megatron=megatron)
    _read_stage(document, keys, draft)
    draft.read("sequence_length", keys, "max_length", by=as_count)
    draft.read("packing", keys, "packing", by=as_flag)
    if as_flag(keys.plain("padding_free")):
        draft.guess("packing", value=True)  # no padding is computed, which is what packing saves
    (_read_megatron if megatron else _read_trainer)(keys, draft)
    read_launch(document, draft)
    draft.defaults(_MEGATRON_DEFAULTS if megatron else _DEFAULTS)
    if megatron:
        derive_accumulation(draft)
        return
    layout_default(draft)
    _derive_accumulation(draft)


def _read_trainer(keys: Keys, draft: Draft) -> None:
    read_attention(draft, keys, "attn_impl", "use_flash_attn")
    vit = keys.plain("vit_gradient_checkpointing")
    draft.read("context_parallel", keys, "sequence_parallel_size", by=as_count)
    draft.read("micro_batch", keys, "batch_size", by=as_count)
    draft.guess("activation_checkpointing", "full" if as_flag(vit) else None)
    weights = dtype_word(keys.plain("torch_dtype", "dtype"))
    if weights and not keys.states("bf16") and not keys.states("fp16"):
        # The trainer computes in the type of the weights unless it is told otherwise.
        draft.file("precision", "fp32" if weights == "fp32" else f"{weights}-mixed")
    read_arguments(keys, draft)


def _read_megatron(keys: Keys, draft: Draft) -> None:
    read_megatron_batch(keys, draft)
    read_megatron_memory(keys, draft)
    read_degrees(keys, draft)
    draft.read("epochs", keys, "num_train_epochs", "max_epochs", by=as_positive)
    draft.read("steps", keys, "train_iters", by=as_count)
    draft.read("save_every_steps", keys, "save_steps", "save_interval", by=as_count)
    draft.read("saves_kept", keys, "save_total_limit", by=as_kept)


def _read_method(keys: Keys, draft: Draft, *, megatron: bool) -> None:
    bits = quantization_of_bits(keys.plain("quant_bits", "quantization_bit"))
    way = as_word(keys.plain("quant_method"))
    if bits == "nf4" and as_flag(keys.plain("bnb_4bit_use_double_quant")):
        bits = "nf4-double"
    draft.file("quantization", f"{way}-int4" if way in ("gptq", "awq") and bits else bits)
    tuner = as_word(keys.plain(*_TUNERS))
    if tuner in ("full", "freeze") or (megatron and not tuner):
        (draft.file if tuner else draft.default)("method", tuner or "full")
        return
    dora = bool(as_flag(keys.plain("use_dora")))
    method = adapter_method(dora=dora, quantized=(bits or "").startswith("nf4"))
    state = (
        draft.guess if tuner in _OTHER_ADAPTERS else draft.file if tuner or bits else draft.default
    )
    state("method", method)
    read_adapters(draft, keys, ("lora_rank",), ("target_modules", "lora_target_modules"))
    draft.file("modules_to_save", as_list(keys.plain("modules_to_save")) or None)
    draft.defaults({"lora_rank": 8, "lora_targets": "all-linear"})


def _read_stage(document: Document, keys: Keys, draft: Draft) -> None:
    command = next((w for w in document.program if w in _COMMANDS), "")
    if command == "rlhf":
        draft.read("stage", keys, "rlhf_type", by=stage_word)
        draft.default("stage", "dpo")
    elif command == "pt":
        draft.file("stage", "pretrain")
        draft.guess("strategy", "continual")
    elif command == "sft":
        draft.file("stage", "sft")
    answer = as_count(keys.plain("max_completion_length"))
    length = as_count(keys.plain("max_length"))
    if answer and draft.value("stage") == "grpo" and not length:
        draft.guess("sequence_length", answer + 512)


def _derive_accumulation(draft: Draft) -> None:
    """Sixteen samples a step unless the file says otherwise."""
    micro, gpus = draft.value("micro_batch"), draft.value("gpus")
    if micro and gpus and "grad_accumulation" not in draft.unreadable:
        draft.default("grad_accumulation", max(1, -(-16 // (int(micro) * gpus))))


SWIFT: Final = Format(name="swift", role="trainer", recognises=_recognises, read=_read)
