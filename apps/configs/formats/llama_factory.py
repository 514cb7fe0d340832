"""LLaMA-Factory: YAML, JSON and command lines with the same names; also its rewritten version 1."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import read_arguments
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.megatron_degrees import read_degrees, read_recompute
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_model_name,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_list, as_number, as_positive, as_word
from apps.configs.words import quantization_of_bits, stage_word

_SIGNS: Final = ("finetuning_type", "cutoff_len", "template", "lora_target", "quantization_bit")
_DEFAULTS: Final[dict[str, Any]] = {
    "stage": "sft",
    "strategy": "finetune",
    "sequence_length": 2048,
    "micro_batch": 8,
    "grad_accumulation": 1,
    "epochs": 3,
    "optimizer": "adamw",
    "precision": "fp32",
    "quantization": "none",
    "activation_checkpointing": "full",
    "fused_cross_entropy": False,
}
_ADAPTER_DEFAULTS: Final[dict[str, Any]] = {"lora_rank": 8, "lora_targets": "all-linear"}
_OPTIMIZER_SWITCHES: Final = (
    ("use_galore", "galore"),
    ("use_muon", "muon"),
    ("use_apollo", "other"),
    ("use_badam", "other"),
    ("use_adam_mini", "other"),
)
_METHODS: Final = {"full": "full", "freeze": "freeze"}


def _recognises(document: Document, keys: Keys) -> bool:
    started = " ".join(document.program)
    if "llamafactory" in started or "train_bash" in started:
        return keys.states("model_name_or_path")
    named = keys.states("model_name_or_path") and not keys.has("train_type")
    return document.notation != "python" and named and any(keys.has(s) for s in _SIGNS)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "llama-factory")
    read_model_name(draft, keys, "model_name_or_path")
    _read_method(keys, draft)
    _read_stage(keys, draft)
    _read_length(keys, draft)
    for switch, word in _OPTIMIZER_SWITCHES:
        if as_flag(keys.plain(switch)):
            draft.file("optimizer", word)
    if as_flag(keys.plain("galore_layerwise")):
        draft.file("optimizer_step", "in-backward")
    _read_memory(keys, draft)
    read_degrees(keys, draft)
    read_arguments(keys, draft)
    read_launch(document, draft)
    if document.notation == "shell":
        layout_default(draft)
    draft.defaults(_DEFAULTS)
    if draft.value("method") in ("lora", "qlora", "dora"):
        draft.defaults(_ADAPTER_DEFAULTS)
    elif draft.value("precision") in ("bf16-mixed", "fp16-mixed"):
        draft.default("master_weights", "fp32")


def _read_method(keys: Keys, draft: Draft) -> None:
    bits = as_number(keys.plain("quantization_bit"))
    way = as_word(keys.plain("quantization_method"))
    stored = quantization_of_bits(bits)
    if stored == "nf4" and as_flag(keys.plain("double_quantization")):
        stored = "nf4-double"
    draft.file("quantization", stored if way not in ("gptq", "awq") else f"{way}-int4")
    kind = as_word(keys.plain("finetuning_type"))
    if kind in _METHODS:
        draft.file("method", _METHODS[kind])
        return
    dora = bool(as_flag(keys.plain("use_dora")))
    method = adapter_method(dora=dora, quantized=stored is not None and stored != "int8")
    state = draft.file if kind or dora or stored else draft.default
    state("method", method)
    read_adapters(draft, keys, ("lora_rank",), ("lora_target",))
    draft.file("modules_to_save", as_list(keys.plain("additional_target")) or None)


def _read_stage(keys: Keys, draft: Draft) -> None:
    stage = stage_word(keys.plain("stage"))
    loss = stage_word(keys.plain("pref_loss", "dpo_loss"))
    draft.file("stage", loss if stage == "dpo" and loss == "orpo" else stage)
    if stage == "pretrain":
        draft.guess("strategy", "continual")


def _read_length(keys: Keys, draft: Draft) -> None:
    draft.read("sequence_length", keys, "cutoff_len", by=as_count)
    old = [as_count(keys.plain(f"max_{side}_length")) for side in ("source", "target")]
    if draft.value("sequence_length") is None and None not in old:
        draft.file("sequence_length", sum(length or 0 for length in old))
    neat = as_flag(keys.plain("neat_packing"))
    draft.file("packing", True if neat else None)
    draft.read("packing", keys, "packing", by=as_flag)
    draft.default("packing", draft.value("stage") == "pretrain")


def _read_memory(keys: Keys, draft: Draft) -> None:
    disabled = as_flag(keys.plain("disable_gradient_checkpointing"))
    if disabled is not None:
        draft.file("activation_checkpointing", "none" if disabled else "full")
    if as_flag(keys.plain("use_unsloth_gc")):
        draft.file("activation_checkpointing", "full")
        draft.file("offload", "activations")
    if as_flag(keys.plain("use_unsloth")):
        draft.file("fused_kernels", value=True)
    read_recompute(keys, draft)
    read_attention(draft, keys, "flash_attn")


LLAMA_FACTORY: Final = Format(
    name="llamafactory", role="trainer", recognises=_recognises, read=_read
)


_V1_SIGNS: Final = ("dist_config", "peft_config", "quant_config", "kernel_config", "model_class")


def _recognises_v1(document: Document, keys: Keys) -> bool:
    if document.notation == "python" or not keys.states("model"):
        return False
    return any(keys.has(sign) for sign in _V1_SIGNS)


def _read_v1(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "llama-factory")
    read_model_name(draft, keys, "model")
    peft, quant = keys.part("peft_config"), keys.part("quant_config")
    stored = quantization_of_bits(quant.plain("quantization_bit"))
    draft.file("quantization", stored)
    if peft:
        quantized = (stored or "").startswith("nf4")
        kind = as_word(peft.plain("name"))
        draft.file(
            "method",
            "freeze" if kind == "freeze" else adapter_method(dora=False, quantized=quantized),
        )
        read_adapters(draft, peft, ("r", "lora_rank"), ("target_modules", "lora_target"))
    else:
        draft.default("method", "full")
    draft.read("micro_batch", keys, "micro_batch_size", by=as_count)
    draft.read("global_batch", keys, "global_batch_size", by=as_count)
    draft.read("sequence_length", keys, "cutoff_len", by=as_count)
    draft.read("epochs", keys, "num_train_epochs", by=as_positive)
    draft.read("packing", keys, "packing", by=as_flag)
    _read_distribution(keys.part("dist_config"), draft)
    _read_v1_memory(keys, draft)
    read_arguments(keys, draft)
    read_launch(document, draft)
    draft.defaults({"stage": "sft", "strategy": "finetune", "micro_batch": 1, "optimizer": "adamw"})


def _read_v1_memory(keys: Keys, draft: Draft) -> None:
    read_attention(draft, keys, "flash_attn")
    checkpointing = as_flag(
        keys.plain("enable_activation_checkpointing", "enable_gradient_checkpointing")
    )
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")


def _read_distribution(config: Keys, draft: Draft) -> None:
    name = as_word(config.plain("name"))
    if name.startswith("fsdp"):
        draft.file("data_parallel", "fsdp")
    offload = as_flag(config.plain("offload_params", "offload"))
    draft.file("offload", "params" if offload else None)


LLAMA_FACTORY_V1: Final = Format(
    name="llamafactory", role="trainer", recognises=_recognises_v1, read=_read_v1
)
