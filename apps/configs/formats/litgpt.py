"""LitGPT: YAML of its config hub, and the same names as options of its commands."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.shared import Format, read_model_name, read_optimizer
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import (
    as_count,
    as_flag,
    as_number,
    as_positive,
    as_share,
    as_text,
    as_word,
)
from apps.configs.words import precision_word

_QUANTIZED: Final = {
    "bnb.nf4": "nf4",
    "bnb.nf4-dq": "nf4-double",
    "bnb.fp4": "nf4",
    "bnb.fp4-dq": "nf4-double",
    "bnb.int8": "int8",
    "bnb.int8-training": "int8",
}
# Switch of an adapted module -> whether it is on when nothing is said.
_TARGETS: Final = {
    "query": True,
    "key": False,
    "value": True,
    "projection": False,
    "mlp": False,
    "head": False,
}
_SHAPE: Final = (
    ("layers", "n_layer"),
    ("hidden", "n_embd"),
    ("heads", "n_head"),
    ("kv_heads", "n_query_groups"),
    ("head_dim", "head_size"),
    ("ffn", "intermediate_size"),
    ("vocab", "padded_vocab_size"),
)
_FINETUNE: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "micro_batch": 1,
    "global_batch": 16,
    "epochs": 5,
    "packing": False,
}
_PRETRAIN: Final[dict[str, Any]] = {
    "strategy": "from-scratch",
    "stage": "pretrain",
    "micro_batch": 4,
    "global_batch": 512,
    "packing": True,
}
_BOTH: Final[dict[str, Any]] = {
    "optimizer": "adamw",
    "precision": "bf16-mixed",
    "save_every_steps": 1000,
    "attention": "sdpa",
    "fused_cross_entropy": False,
    "quantization": "none",
}


# Before it was installed as a command, its scripts were run from their folders.
_OLD_SCRIPT: Final = re.compile(
    r"(?:^|/)(?:finetune|pretrain)/(?:lora|full|adapter|adapter_v2)\.py$"
)
_CHECKPOINTS: Final = ("checkpoint_dir", "io.checkpoint_dir")


def _recognises(document: Document, keys: Keys) -> bool:
    if document.program[:1] == ("litgpt",):
        return True
    train = keys.part("train")
    named = any(keys.has(name) for name in (*_CHECKPOINTS, "model_name"))
    if named and any(_OLD_SCRIPT.search(word) for word in document.program):
        return True
    return named and (train.has("global_batch_size") or train.has("micro_batch_size"))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "litgpt")
    command = " ".join(
        document.program if "litgpt" not in document.program else document.program[1:3]
    )
    pretrain = "pretrain" in command or (
        not any(keys.states(name) for name in _CHECKPOINTS) and "finetune" not in command
    )
    read_model_name(draft, keys, *_CHECKPOINTS, "model_name")
    if document.program[2:3] and not document.program[2].startswith("-"):
        draft.file("model", as_text(document.program[2]))
    _read_shape(keys.part("model_config"), draft)
    draft.read("quantization", keys, "quantize", by=lambda v: _QUANTIZED.get(as_word(v)))
    _read_method(keys, draft, command)
    train = keys.part("train")
    draft.read("sequence_length", train, "max_seq_length", by=as_count)
    draft.read("micro_batch", train, "micro_batch_size", by=as_count)
    draft.read("global_batch", train, "global_batch_size", by=as_count)
    draft.read("epochs", train, "epochs", by=as_positive)
    draft.read("steps", train, "max_steps", by=as_count)
    draft.read("save_every_steps", train, "save_interval", by=as_count)
    if draft.value("tied_embeddings") is None:
        draft.read("tied_embeddings", train, "tie_embeddings", by=as_flag)
    draft.read("precision", keys, "precision", by=precision_word)
    read_optimizer(draft, keys, "optimizer.class_path", "optimizer")
    _read_devices(document, keys, draft)
    if pretrain and keys.states("initial_checkpoint_dir"):
        draft.guess("strategy", "continual")
    draft.defaults(_PRETRAIN if pretrain else _FINETUNE)
    draft.defaults(_BOTH)
    _derive(train, draft)


def _read_shape(config: Keys, draft: Draft) -> None:
    for field, name in _SHAPE:
        draft.read(field, config, name, by=as_count)
    gated = as_word(config.plain("mlp_class_name"))
    draft.file("gated_ffn", gated.startswith("llama") or "gated" in gated if gated else None)


def _read_method(keys: Keys, draft: Draft, command: str) -> None:
    if not keys.states("lora_r") and "lora" not in command:
        method = "full" if "adapter" not in command else "lora"
        (draft.default if method == "full" else draft.guess)("method", method)
        return
    quantized = (draft.value("quantization") or "").startswith("nf4")
    draft.file("method", "qlora" if quantized else "lora")
    draft.read("lora_rank", keys, "lora_r", by=as_count)
    draft.read("lora_dropout", keys, "lora_dropout", by=as_share)
    switches = {name: as_flag(keys.plain(f"lora_{name}")) for name in _TARGETS}
    chosen = [
        n for n, default in _TARGETS.items() if (default if switches[n] is None else switches[n])
    ]
    stated = any(switch is not None for switch in switches.values())
    (draft.file if stated else draft.default)("lora_targets", chosen or None)
    draft.default("lora_rank", 8)


def _read_devices(document: Document, keys: Keys, draft: Draft) -> None:
    devices = keys.get("devices")
    nodes = as_count(keys.plain("num_nodes"))
    draft.file("nodes", nodes)
    count = as_count(devices)
    if count:
        draft.file("gpus", count * (nodes or 1))
    elif devices is None:
        draft.default("gpus", nodes or 1)
    elif devices is not OPAQUE:
        draft.unreadable.add("gpus")
    read_launch(document, draft)
    if draft.value("gpus") and draft.value("gpus") > 1:
        draft.default("data_parallel", "fsdp")
        draft.default("activation_checkpointing", "full")
    elif draft.value("gpus") == 1:
        draft.default("activation_checkpointing", "none")
    layout_default(draft)


def _derive(train: Keys, draft: Draft) -> None:
    """Accumulation from the batches; steps from a budget of tokens."""
    total, micro, gpus = (draft.value(n) for n in ("global_batch", "micro_batch", "gpus"))
    if total and micro and gpus:
        draft.guess("grad_accumulation", max(1, total // (int(micro) * gpus)))
    tokens = as_number(train.plain("max_tokens"))
    length = draft.value("sequence_length")
    if tokens and tokens > 0:
        draft.guess("tokens", tokens)
        if total and length:
            draft.guess("steps", max(1, int(tokens // (total * length))))


LITGPT: Final = Format(name="litgpt", role="trainer", recognises=_recognises, read=_read)
