"""Unsloth Studio's YAML: a `training` section beside a `lora` section."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import read_arguments
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_model_name,
    read_quantized_base,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_positive, as_word

_NAMES: Final = ("model_name", "model", "base_model", "model.name", "training.model_name")
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "grad_accumulation": 1,
    "epochs": 3,
    "optimizer": "adamw",
    "sequence_length": 2048,
    "lora_rank": 16,
    "lora_targets": "all-linear",
    "activation_checkpointing": "full",
    "fused_kernels": True,
    "fused_cross_entropy": True,
    "packing": False,
}


def _recognises(document: Document, keys: Keys) -> bool:
    training, lora = keys.part("training"), keys.part("lora")
    return training.has("max_seq_length") and bool(lora)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "unsloth")
    training, lora = keys.part("training"), keys.part("lora")
    read_model_name(draft, keys, *_NAMES)
    quantized = read_quantized_base(draft, training) or read_quantized_base(draft, keys)
    kind = as_word(training.plain("training_type", "type", "method"))
    if "full" in kind:
        draft.file("method", "full")
    else:
        four_bits = "qlora" in kind or (quantized or "").startswith("nf4")
        draft.file("method", adapter_method(dora=False, quantized=four_bits))
        draft.default("quantization", "nf4" if four_bits else "none")
        read_adapters(draft, lora, ("lora_r", "r"), ("target_modules",))
    draft.read("sequence_length", training, "max_seq_length", by=as_count)
    draft.read("packing", training, "packing", by=as_flag)
    draft.read("micro_batch", training, "batch_size", by=as_count)
    draft.read("epochs", training, "num_epochs", by=as_positive)
    read_arguments(training, draft)
    whole = draft.value("method") == "full"
    draft.defaults({k: v for k, v in _DEFAULTS.items() if not (whole and k.startswith("lora"))})


UNSLOTH_STUDIO: Final = Format(
    name="unsloth_studio", role="trainer", recognises=_recognises, read=_read
)
