"""llm-foundry's YAML for Composer. Batches are totals; durations carry their unit."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_optimizer,
    sharding_word,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_number, as_text, as_word
from apps.configs.words import precision_word

_DURATION: Final = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?(?:e[0-9]+)?)(ba|ep|tok|sp|iter)")
_SHAPE: Final = (
    ("hidden", ("d_model",)),
    ("layers", ("n_layers",)),
    ("heads", ("n_heads",)),
    ("kv_heads", ("attn_config.kv_n_heads", "kv_n_heads")),
    ("vocab", ("vocab_size",)),
)
_BATCHES: Final = ("device_train_microbatch_size", "device_train_grad_accum")
_MANAGED: Final = "parameters"  # of a file for the job service, the run's own keys stand below it
_GLOBAL: Final = "global_train_batch_size"
_DEFAULTS: Final[dict[str, Any]] = {
    "precision": "bf16-mixed",
    "master_weights": "fp32",
    "save_every_steps": 1000,
    "quantization": "none",
    "activation_checkpointing": "none",
    "fused_cross_entropy": False,
}


def _recognises(document: Document, keys: Keys) -> bool:
    inner = keys.part(_MANAGED) or keys
    return bool(inner.part("train_loader")) and any(
        inner.has(name) for name in (_GLOBAL, *_BATCHES, "max_duration")
    )


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "llm-foundry")
    draft.read("gpus", keys, "compute.gpus", "gpu_num", by=as_count)
    keys = keys.part(_MANAGED) or keys
    keys.get("variables")  # their values stand where they are referred to
    _read_model(keys.part("model"), draft)
    _read_method(keys, draft)
    draft.read("sequence_length", keys, "max_seq_len", by=as_count)
    draft.read("global_batch", keys, _GLOBAL, by=as_count)
    draft.read("micro_batch", keys, "device_train_microbatch_size", by=as_count)
    draft.read("grad_accumulation", keys, "device_train_grad_accum", by=as_count)
    read_optimizer(draft, keys, "optimizer.name")
    draft.read("precision", keys, "precision", by=precision_word)
    _read_duration(keys, draft)
    _read_sharding(keys.part("fsdp_config"), draft)
    _read_packing(keys.part("train_loader"), draft)
    read_launch(document, draft)
    draft.defaults(_DEFAULTS)
    draft.default("stage", "pretrain" if draft.value("strategy") != "finetune" else "sft")


def _read_model(model: Keys, draft: Draft) -> None:
    published = as_text(model.plain("pretrained_model_name_or_path"))
    draft.file("model", published)
    draft.guess("model", as_text(model.plain("name")))
    for field, names in _SHAPE:
        draft.read(field, model, *names, by=as_count)
    ratio = as_number(model.plain("expansion_ratio", "ffn_config.ffn_hidden_size"))
    hidden = draft.value("hidden")
    if ratio and hidden:
        draft.guess("ffn", int(ratio * hidden) if ratio < hidden else int(ratio))
    if hidden and not published:
        draft.default("gated_ffn", as_word(model.plain("ffn_config.ffn_type")).endswith("glu"))
        draft.default("tied_embeddings", value=True)
    read_attention(draft, model, "attn_config.attn_impl", "attn_impl")
    if as_flag(model.plain("use_flash_attention_2")):
        draft.file("attention", "flash")
    pretrained = as_flag(model.plain("pretrained"))
    if pretrained is not None or not published:
        draft.file("strategy", "finetune" if pretrained else "from-scratch")


def _read_method(keys: Keys, draft: Draft) -> None:
    peft = keys.part("model.peft_config")
    if not peft:
        draft.default("method", "full")
        return
    dora = as_flag(peft.plain("use_dora"))
    draft.file("method", adapter_method(dora=bool(dora), quantized=False))
    read_adapters(draft, peft, ("r",), ("target_modules",))


def _read_duration(keys: Keys, draft: Draft) -> None:
    count, unit = _duration(keys.plain("max_duration"))
    if unit == "ep":
        draft.file("epochs", count)
    elif unit in ("ba", "iter"):
        draft.file("steps", count)
    elif unit == "tok":
        draft.guess("tokens", count)
    elif unit == "sp":
        draft.guess("samples", count)
    every, unit = _duration(keys.plain("save_interval"))
    if unit == "ba":
        draft.file("save_every_steps", every)
    elif unit:
        draft.unreadable.add("save_every_steps")
    draft.read("saves_kept", keys, "save_num_checkpoints_to_keep", by=as_kept)


def _duration(value: Any) -> tuple[int | None, str]:
    """(how many, of what): `63900ba` are batches, `2ep` epochs, `1e9tok` tokens."""
    found = _DURATION.fullmatch(as_word(value))
    if not found:
        return as_count(value), "ep" if as_count(value) else ""
    number = as_number(found.group(1))
    return (int(number), found.group(2)) if number else (None, "")


def _read_sharding(config: Keys, draft: Draft) -> None:
    if not config:
        draft.default("data_parallel", "ddp")
        return
    draft.file("data_parallel", sharding_word(config.plain("sharding_strategy")) or "fsdp")
    checkpointing = as_flag(config.plain("activation_checkpointing"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")
    if as_flag(config.plain("activation_cpu_offload")):
        draft.file("offload", "activations")
    if as_word(config.plain("mixed_precision")) == "pure":
        draft.file("reduce_precision", "bf16")


def _read_packing(loader: Keys, draft: Draft) -> None:
    """Streams of text are cut into whole samples; examples are packed by a ratio."""
    ratio = loader.plain("dataset.packing_ratio")
    if ratio is not None:
        number = as_number(ratio)
        draft.file("packing", number is None or number > 1)
    elif as_word(loader.plain("name")) == "text":
        draft.default("packing", value=True)
    else:
        draft.default("packing", value=False)


LLM_FOUNDRY: Final = Format(name="llmfoundry", role="trainer", recognises=_recognises, read=_read)
