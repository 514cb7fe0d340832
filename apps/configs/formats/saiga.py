"""JSON of Russian instruction models: a `trainer` block of arguments beside a `lora` block."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import read_arguments
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_deepspeed_reference,
    read_model_name,
    read_quantized_base,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_list, as_share
from apps.configs.words import checkpointing_word, stage_word

_STAGES: Final = ("dpo", "kto", "orpo", "simpo", "smpo", "rm")
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "optimizer": "adamw",
    "micro_batch": 8,
    "grad_accumulation": 1,
    "epochs": 3,
    "quantization": "none",
    "activation_checkpointing": "none",
}


def _recognises(document: Document, keys: Keys) -> bool:
    return keys.part("trainer").has("per_device_train_batch_size")


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "hf-trainer")
    read_model_name(draft, keys, "model_name", "model_name_or_path")
    quantized = read_quantized_base(draft, keys)
    lora = keys.part("lora")
    if lora:
        four_bits = (quantized or "").startswith("nf4")
        draft.file("method", adapter_method(dora=False, quantized=four_bits))
        read_adapters(draft, lora, ("r",), ("target_modules",))
        draft.file("lora_dropout", as_share(lora.plain("lora_dropout")))
        draft.file("modules_to_save", as_list(lora.plain("modules_to_save")) or None)
        checkpointing = lora.plain("use_gradient_checkpointing")
        if checkpointing is not None:
            draft.file("activation_checkpointing", checkpointing_word(checkpointing))
            draft.guess("framework", "unsloth")
    else:
        draft.default("method", "full")
    for stage in _STAGES:
        if keys.part(stage):
            draft.file("stage", stage_word(stage))
            draft.file("sequence_length", as_count(keys.part(stage).plain("max_length")))
    _read_length(keys, draft)
    read_arguments(keys.part("trainer"), draft)
    read_deepspeed_reference(draft, keys.plain("deepspeed"))
    draft.defaults(_DEFAULTS)


def _read_length(keys: Keys, draft: Draft) -> None:
    draft.read("sequence_length", keys, "max_tokens_count", "max_seq_length", by=as_count)
    sides = [as_count(keys.plain(f"max_{side}_tokens_count")) for side in ("source", "target")]
    if None not in sides:
        draft.file("sequence_length", sum(side or 0 for side in sides))


SAIGA: Final = Format(name="saiga", role="trainer", recognises=_recognises, read=_read)
