"""Training scripts in Python: Unsloth, TRL and transformers, read from the constants of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import is_old, read_arguments
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_model_name,
    read_quantized_base,
)
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.readers.python_reader import Call
from apps.configs.values import as_count, as_flag, as_list
from apps.configs.words import checkpointing_word

_UNSLOTH: Final = (
    "FastLanguageModel",
    "FastModel",
    "FastVisionModel",
    "FastTextModel",
    "FastBaseModel",
)
_STAGES: Final = {
    "SFT": "sft",
    "DPO": "dpo",
    "KTO": "kto",
    "ORPO": "orpo",
    "CPO": "orpo",
    "GRPO": "grpo",
    "Reward": "rm",
    "PPO": "ppo",
}
_ARGUMENTS: Final = ("TrainingArguments", *(f"{name}Config" for name in _STAGES))
_TRAINERS: Final = ("Trainer", *(f"{name}Trainer" for name in _STAGES))
_MODEL_LOADERS: Final = ("AutoModel", "LlamaForCausalLM", "MistralForCausalLM")
_LENGTHS: Final = ("max_length", "max_seq_length", "max_seq_len")
# What scripts call the length where they cut the text themselves.
_OWN_LENGTHS: Final = (*_LENGTHS, "cutoff_len", "block_size", "context_length", "seq_length")
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "micro_batch": 8,
    "grad_accumulation": 1,
    "epochs": 3,
    "optimizer": "adamw",
    "quantization": "none",
}
_UNSLOTH_DEFAULTS: Final[dict[str, Any]] = {
    "sequence_length": 2048,
    "lora_rank": 16,
    "lora_targets": "all-linear",
    "activation_checkpointing": "full",
    "fused_kernels": True,
    "fused_cross_entropy": True,
}


def _recognises(document: Document, keys: Keys) -> bool:
    names = {call.last for call in document.calls}
    loads = any(call.last == "from_pretrained" for call in document.calls)
    return bool(names & set(_ARGUMENTS)) or (loads and bool(names & {"LoraConfig", *_TRAINERS}))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    calls = document.calls
    unsloth = any(call.name.startswith(_UNSLOTH) for call in calls)
    trl = any(call.last in _ARGUMENTS[1:] or call.last == "SFTTrainer" for call in calls)
    draft.file("framework", "unsloth" if unsloth else "trl" if trl else "hf-trainer")
    model = keys.beside(_model_keywords(calls))
    adapter = keys.beside(_joined(c for c in calls if c.last in ("LoraConfig", "get_peft_model")))
    arguments = keys.beside(_joined(c for c in calls if c.last in _ARGUMENTS))
    trainer = keys.beside(_joined(c for c in calls if c.last in _TRAINERS))
    read_model_name(
        draft, model, "model_name", "pretrained_model_name_or_path", "model_name_or_path"
    )
    _read_method(model, adapter, draft, unsloth=unsloth)
    for part in (arguments, trainer, model):
        draft.read("sequence_length", part, *_LENGTHS, by=as_count)
        draft.read("packing", part, "packing", by=as_flag)
    draft.guess("sequence_length", as_count(keys.plain(*_OWN_LENGTHS)))
    read_attention(draft, model, "attn_implementation")
    read_arguments(arguments, draft)
    _read_checkpointing(calls, adapter, draft)
    for name, stage in _STAGES.items():
        if any(call.last in (f"{name}Config", f"{name}Trainer") for call in calls):
            draft.file("stage", stage)
    draft.guess("stage", "sft")
    _fill_defaults(arguments, draft, unsloth=unsloth, trl=trl)


def _model_keywords(calls: Iterable[Call]) -> dict[str, Any]:
    """Keywords of what loads the model, with the quantization it is given."""
    found: dict[str, Any] = {}
    for call in calls:
        if call.last == "from_pretrained" and call.name.startswith((*_UNSLOTH, *_MODEL_LOADERS)):
            first = call.arguments[0] if call.arguments else None
            named = {"model_name": first} if isinstance(first, str) or first is OPAQUE else {}
            found = named | call.keywords | found
        if call.last == "BitsAndBytesConfig":
            found = call.keywords | found
    return found


def _joined(calls: Iterable[Call]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for call in calls:
        found = found | {k: v for k, v in call.keywords.items() if not isinstance(v, Mapping)}
    return found


def _read_method(model: Keys, adapter: Keys, draft: Draft, *, unsloth: bool) -> None:
    quantized = read_quantized_base(draft, model)
    if unsloth and not model.has("load_in_4bit") and quantized is None:
        whole = as_flag(model.plain("full_finetuning", "load_in_16bit"))
        if not whole:
            draft.default("quantization", "nf4")
            quantized = "nf4"
    if as_flag(model.plain("full_finetuning")) or not adapter:
        draft.file("method", "full") if not unsloth or not adapter else None
        return
    dora = bool(as_flag(adapter.plain("use_dora")))
    four_bits = (quantized or "").startswith("nf4")
    draft.file("method", adapter_method(dora=dora, quantized=four_bits))
    read_adapters(draft, adapter, ("r",), ("target_modules",))
    draft.file("modules_to_save", as_list(adapter.plain("modules_to_save")) or None)


def _read_checkpointing(calls: Iterable[Call], adapter: Keys, draft: Draft) -> None:
    value = adapter.get("use_gradient_checkpointing")
    draft.file("activation_checkpointing", OPAQUE if value is OPAQUE else checkpointing_word(value))
    if any(call.last == "gradient_checkpointing_enable" for call in calls):
        draft.file("activation_checkpointing", "full")


def _fill_defaults(arguments: Keys, draft: Draft, *, unsloth: bool, trl: bool) -> None:
    draft.defaults(_DEFAULTS)
    adapted = draft.value("method") in ("lora", "qlora", "dora")
    if unsloth:
        kept = (
            _UNSLOTH_DEFAULTS
            if adapted
            else {k: v for k, v in _UNSLOTH_DEFAULTS.items() if not k.startswith("lora")}
        )
        draft.defaults(kept)
        return
    new = trl and not is_old(arguments)
    draft.default("activation_checkpointing", "full" if new else "none")
    draft.default("precision", "bf16-mixed" if new else "fp32")
    draft.default("attention", "sdpa")
    if trl:
        draft.default("sequence_length", 1024)
        draft.default("packing", value=False)
    if adapted:
        draft.defaults({"lora_rank": 8, "lora_targets": ["q_proj", "v_proj"]})


def _recognises_unsloth(document: Document, keys: Keys) -> bool:
    return any(call.name.startswith(_UNSLOTH) for call in document.calls)


UNSLOTH: Final = Format(name="unsloth", role="trainer", recognises=_recognises_unsloth, read=_read)
HF_SCRIPT: Final = Format(name="hf_script", role="trainer", recognises=_recognises, read=_read)
