"""What several formats state in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import as_count, as_flag, as_share, as_text, as_word, truthy
from apps.configs.words import (
    attention_word,
    optimizer_words,
    quantization_of_bits,
    quantization_of_name,
    targets_word,
)

Role = Literal["trainer", "launcher", "adapter", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """`recognises` decides by sure signs; `read` fills a draft from the keys of the document."""

    name: str
    role: Role
    recognises: Callable[[Document, Keys], bool]
    read: Callable[[Document, Keys, Draft], None]


_ZERO: Final = re.compile(r"(?:zero|z|stage)[_-]?(?:stage)?[_-]?([0-3])(?![0-9])", re.IGNORECASE)
_NVME_OR_CPU: Final = frozenset({"cpu", "nvme"})


# A sample's length stated as what goes in and what comes out.
TWO_SIDES: Final = (
    ("max_source_length", "max_target_length"),
    ("source_max_len", "target_max_len"),
    ("max_prompt_seq_len", "max_answer_seq_len"),
    ("max_input_length", "max_output_length"),
)


def read_optimizer(draft: Draft, keys: Keys, *paths: str) -> None:
    """An optimizer's name, and how its step is carried out where the name says so."""
    value = keys.get(*paths)
    if isinstance(value, Mapping):
        named = (value.get(name) for name in ("_component_", "class_path", "type", "name"))
        value = next((name for name in named if isinstance(name, str)), None)
    if value is None:
        return
    optimizer, step = optimizer_words(value)
    draft.file("optimizer", optimizer or OPAQUE)
    draft.file("optimizer_step", step)


def read_attention(draft: Draft, keys: Keys, *paths: str) -> None:
    value = keys.get(*paths)
    word = attention_word(value)
    draft.file("attention", OPAQUE if value is OPAQUE else word)
    if word is None and "flex" in str(value):
        draft.guess("attention", "flash")  # its memory is that of flash attention


def read_quantized_base(draft: Draft, keys: Keys, prefix: str = "") -> str | None:
    """`load_in_4bit`, `load_in_8bit`; returns the quantization that is stated."""
    four = as_flag(keys.get(f"{prefix}load_in_4bit"))
    eight = as_flag(keys.get(f"{prefix}load_in_8bit"))
    stated = quantization_of_bits(4 if four else 8 if eight else None)
    kind = keys.plain(f"{prefix}bnb_4bit_quant_type")
    double = keys.plain(f"{prefix}bnb_4bit_use_double_quant", f"{prefix}use_bnb_nested_quant")
    if stated == "nf4" and as_flag(double) and kind in (None, "nf4"):
        stated = "nf4-double"
    draft.file("quantization", stated)
    return stated


def read_model_name(draft: Draft, keys: Keys, *paths: str) -> None:
    name = draft.read("model", keys, *paths, by=as_text)
    draft.guess("quantization", quantization_of_name(name))


def read_adapters(
    draft: Draft, keys: Keys, rank: tuple[str, ...], targets: tuple[str, ...]
) -> None:
    draft.read("lora_rank", keys, *rank, by=as_count)
    draft.read("lora_targets", keys, *targets, by=targets_word)
    draft.read("lora_dropout", keys, "lora_dropout", by=as_share)


def adapter_method(*, dora: bool, quantized: bool) -> str:
    return "dora" if dora else "qlora" if quantized else "lora"


def zero_word(value: Any) -> str | None:
    """The data-parallel word of a preset such as `zero2`."""
    found = _ZERO.search(value) if isinstance(value, str) else None
    if not found:
        return None
    return f"zero{found.group(1)}" if found.group(1) != "0" else "ddp"


def read_deepspeed_reference(draft: Draft, value: Any) -> None:
    """`deepspeed: path/to/zero3_offload.json`: the stage stands in another file.

    Its name is a guess; a bare word such as `zero3` is a preset and says it.
    """
    if isinstance(value, dict):
        read_deepspeed(draft, Keys(value))
        return
    if not isinstance(value, str) or not truthy(value):
        return
    draft.refer(value)
    name = value.rsplit("/", 1)[-1]
    word = zero_word(name)
    if word is None:
        return
    (draft.file if "." not in name else draft.guess)("data_parallel", word)
    if "offload" in name.lower():
        everything = word == "zero3" and "optim" not in name.lower()
        draft.guess("offload", "params" if everything else "optimizer")


def read_deepspeed(draft: Draft, keys: Keys) -> None:
    """The `zero_optimization` block and what else of DeepSpeed's file shapes memory."""
    zero = keys.part("zero_optimization")
    stage: Any = zero.plain("stage")
    if as_flag(keys.plain("zero_optimization")):
        stage = 1  # the first versions knew no other
    if keys.states("zero_optimization") or stage is not None:
        number = stage if isinstance(stage, int) and stage in (0, 1, 2, 3) else 0
        draft.file("data_parallel", f"zero{number}" if number else "ddp")
    shard = as_count(zero.plain("zero_hpz_partition_size", "mics_shard_size"))
    if shard and shard > 1:
        draft.file("shard_degree", shard)
    params = _device(zero, "offload_param")
    optimizer = _device(zero, "offload_optimizer")
    if as_flag(zero.plain("cpu_offload")):
        optimizer = "cpu"
    if as_flag(zero.plain("cpu_offload_params")):
        params = "cpu"
    read_offload(draft, params=params, optimizer=optimizer)


def read_offload(draft: Draft, *, params: Any, optimizer: Any) -> None:
    """Devices the states are moved to; `none` is a statement too, an absent key is not."""
    if as_word(params) in _NVME_OR_CPU:
        draft.file("offload", "params")
    elif as_word(optimizer) in _NVME_OR_CPU:
        draft.file("offload", "optimizer")
    elif params is not None or optimizer is not None:
        draft.file("offload", "none")


def _device(zero: Keys, name: str) -> Any:
    part = zero.part(name)
    return part.plain("device") if part else None


_STRATEGIES: Final = {
    "full_shard": "fsdp",
    "1": "fsdp",
    "shard_grad_op": "zero2",
    "2": "zero2",
    "no_shard": "ddp",
    "3": "ddp",
    "hybrid_shard": "hsdp",
    "4": "hsdp",
    "hybrid_shard_zero2": "hsdp",
    "_hybrid_shard_zero2": "hsdp",
    "5": "hsdp",
}


def sharding_word(value: Any) -> str | None:
    """The data-parallel word of FSDP's sharding strategy, given by name or by number."""
    return _STRATEGIES.get(str(value).strip().lower())
