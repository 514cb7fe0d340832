"""How scripts around transformers' Trainer ask for an adapter: every project names its own switch."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.draft import Draft
from apps.configs.formats.shared import adapter_method, read_adapters, read_quantized_base
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import as_count, as_flag, as_list, truthy
from apps.configs.words import method_word, quantization_of_bits

_SWITCHES: Final = (
    "use_peft",
    "use_peft_lora",
    "use_lora",
    "lora_enable",
    "enable_lora",
    "is_lora",
    "with_lora",
    "lora",
    "peft",
    "use_llm_lora",
    "only_optimize_lora",
)
FOUR_BITS: Final = ("q_lora", "qlora", "use_qlora", "use_q_lora", "enable_qlora", "use_4bit")
_WORDS: Final = (
    "peft_method",
    "peft_type",
    "peft_config.peft_type",
    "finetune_type",
    "finetuning_type",
    "finetuning_method",
    "tuning_method",
    "train_method",
    "training_method",
    "tuning_strategy",
    "train_mode",
    "adapter_name",
    "adapter_type",
)
_WHOLE: Final = ("full_finetune", "full_finetuning", "full_parameter", "is_full")
RANKS: Final = (
    "lora_r",
    "lora_rank",
    "lora_dim",
    "peft_lora_r",
    "peft_lora_rank",
    "peft_config.r",
    "lora_config.r",
    "lora.r",
    "lora.rank",
    "peft.r",
)
TARGETS: Final = (
    "lora_target_modules",
    "target_modules",
    "lora_target",
    "lora_targets",
    "lora_modules",
    "lora_module_name",
    "lora_trainable",
    "trainable",
    "peft_lora_target_modules",
    "peft_config.target_modules",
    "lora_config.target_modules",
    "lora.target_modules",
    "peft.target_modules",
)
# A switch nobody listed: its name speaks of an adapter, and not of what becomes of it.
_SPEAKS_OF_ADAPTER: Final = re.compile(r"lora|peft")
_OTHER_THAN_SWITCH: Final = re.compile(r"merg|sav|load|path|dir|weight|fus|bias|alpha|drop|plus|rs")


def read_peft_method(keys: Keys, draft: Draft) -> None:
    """full unless something asks for an adapter; with a 4-bit base the adapter's method is QLoRA."""
    quantized = read_quantized_base(draft, keys) or read_quantized_base(
        draft, keys, "quantization_config."
    )
    bits = _bits(keys)
    draft.file("quantization", bits)
    word = method_word(keys.plain(*_WORDS))
    four_bits = any(as_flag(keys.plain(name)) for name in FOUR_BITS) or word == "qlora"
    asked = True if four_bits else _asked(keys)
    whole = word == "full" or any(as_flag(keys.plain(name)) for name in _WHOLE)
    ranked = any(as_count(v) or v is OPAQUE for v in (keys.get(name) for name in RANKS))
    if whole or asked is False or not (asked or ranked or bits or word or _other_switch(keys)):
        (draft.file if whole or asked is False else draft.default)("method", "full")
        return
    four_bits = four_bits or ((quantized or bits) or "").startswith("nf4")
    dora = bool(as_flag(keys.plain("use_dora"))) or word == "dora"
    method = "freeze" if word == "freeze" else adapter_method(dora=dora, quantized=four_bits)
    (draft.file if asked or word else draft.guess)("method", method)
    if four_bits:
        draft.guess("quantization", "nf4")
    if method != "freeze":
        _read_adapters(keys, draft)


def _read_adapters(keys: Keys, draft: Draft) -> None:
    read_adapters(draft, keys, RANKS, TARGETS)
    for name in _SWITCHES:  # some scripts switch LoRA on with its rank
        rank = as_count(keys.plain(name))
        draft.guess("lora_rank", rank if rank and rank > 1 else None)
    modules = as_list(keys.plain("lora_modules_to_save", "modules_to_save", "additional_target"))
    draft.file("modules_to_save", modules or None)


def _bits(keys: Keys) -> str | None:
    names = ("bits", "quant_bits", "quantization_bit", "quantization", "quantize", "quant")
    stored = quantization_of_bits(keys.plain(*names))
    double = as_flag(keys.plain("double_quant", "use_double_quant"))
    kind = keys.plain("quant_type")
    return "nf4-double" if stored == "nf4" and double and kind in (None, "nf4") else stored


def _asked(keys: Keys) -> bool | None:
    """Whether a switch is on; None when the file has none of them."""
    values: list[Any] = [v for v in (keys.plain(name) for name in _SWITCHES) if v is not None]
    on = [truthy(value) for value in values]
    return any(on) if on else None


def _other_switch(keys: Keys) -> bool:
    named = (n for n in keys.names() if _SPEAKS_OF_ADAPTER.search(n))
    return any(
        as_flag(keys.plain(name)) is True for name in named if not _OTHER_THAN_SWITCH.search(name)
    )
