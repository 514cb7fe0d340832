"""torchtune: dotted `_component_` names say model, method, optimizer and loss.

One GPU or several is decided by the recipe on the command line, which only comments repeat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_positive, as_share, as_text
from apps.configs.words import precision_word

_MODEL: Final = ("model", "policy_model", "generator", "student_model")
_ONE_DEVICE: Final = re.compile(r"single[_-]device")
_DISTRIBUTED: Final = re.compile(r"_distributed\b")
_LORA_BUILDER: Final = re.compile(r"(?:^|\.)(qlora|lora|qdora|dora)_\w+$")
_STAGES: Final = (
    ("ppo", re.compile(r"ppo", re.IGNORECASE)),
    ("grpo", re.compile(r"grpo", re.IGNORECASE)),
    ("dpo", re.compile(r"DPO|RSO|IPO|SimPO", re.IGNORECASE)),
)


def _recognises(document: Document, keys: Keys) -> bool:
    if ("tune", "run") in pairwise(document.program):
        return True
    return any(keys.part(name).states("_component_") for name in (*_MODEL, "tokenizer", "dataset"))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "torchtune")
    name = next((n for n in _MODEL if keys.part(n)), "model")
    model = keys.part(name)
    draft.read("model", model, "_component_", by=as_text)
    _read_method(model, draft)
    _read_stage(document, keys, draft)
    lengths = ("tokenizer.max_seq_len", "dataset.max_seq_len", "max_seq_len")
    draft.read("sequence_length", keys, *lengths, by=as_count)
    draft.read("packing", keys, "dataset.packed", by=as_flag)
    _read_batch(keys, draft)
    _read_step(keys, draft)
    draft.read("precision", keys, "dtype", by=_precision)
    _read_memory(keys, draft)
    _read_length(keys, draft)
    _read_layout(document, keys, draft)
    if document.notation == "shell":
        _read_recipe(document, keys, draft)
        return  # the rest stands in the file that the command names
    draft.defaults({"strategy": "finetune", "quantization": "none", "grad_accumulation": 1})
    draft.defaults({"activation_checkpointing": "none", "attention": "sdpa", "packing": False})


def _read_recipe(document: Document, keys: Keys, draft: Draft) -> None:
    """`tune run … lora_finetune_distributed`: the recipe's name gives the method away."""
    keys.get("config")
    started = document.program.index("tune") + 2 if "tune" in document.program else 2
    recipe = document.program[started] if len(document.program) > started else ""
    draft.drop("method")
    if "full" in recipe or "lora" in recipe:
        draft.file("method", "lora" if "lora" in recipe else "full")
    for field in ("stage", "lora_rank"):
        if draft.stated(field) is None:
            draft.drop(field)


def _read_method(model: Keys, draft: Draft) -> None:
    found = _LORA_BUILDER.search(draft.value("model") or "")
    builder = found.group(1) if found else ""
    ranked = model.states("lora_rank")
    if not builder and not ranked:
        draft.file("method", "full")
        return
    quantized = builder.startswith("q") or bool(as_flag(model.plain("quantize_base")))
    dora = "dora" in builder or bool(as_flag(model.plain("use_dora")))
    draft.file("method", "dora" if dora else "qlora" if quantized else "lora")
    draft.file("quantization", "nf4" if quantized else None)
    draft.read("lora_rank", model, "lora_rank", by=as_count)
    draft.read("lora_dropout", model, "lora_dropout", by=as_share)
    targets = as_list(model.plain("lora_attn_modules"))
    targets += ["mlp"] if as_flag(model.plain("apply_lora_to_mlp")) else []
    targets += ["output"] if as_flag(model.plain("apply_lora_to_output")) else []
    draft.file("lora_targets", targets or None)
    draft.default("lora_rank", 8)


def _read_stage(document: Document, keys: Keys, draft: Draft) -> None:
    loss = str(keys.plain("loss._component_") or "")
    program = " ".join(document.program)
    for stage, pattern in _STAGES:
        if pattern.search(loss) or pattern.search(program):
            draft.file("stage", stage)
    draft.default("stage", "sft")
    if loss:
        chunked = "LinearCrossEntropy" in loss or "Chunked" in loss
        draft.file("fused_cross_entropy", chunked)


def _read_batch(keys: Keys, draft: Draft) -> None:
    steps = draft.read("grad_accumulation", keys, "gradient_accumulation_steps", by=as_count)
    mini = as_count(keys.plain("ppo_batch_size"))
    if mini:  # PPO collects `batch_size` answers and learns from `ppo_batch_size` of them at once
        keys.get("batch_size")
        draft.file("micro_batch", max(1, mini // (steps or 1)))
    draft.read("micro_batch", keys, "batch_size", by=as_count)


def _read_step(keys: Keys, draft: Draft) -> None:
    """A step in the backward pass changes memory more than paging does: it is the one stated."""
    if as_flag(keys.plain("optimizer_in_bwd")):
        draft.file("optimizer_step", "in-backward")
    optimizer = keys.part("optimizer")
    if as_flag(optimizer.plain("fused")):
        draft.file("optimizer_step", "fused")
    read_optimizer(draft, keys, "optimizer._component_")
    if draft.value("optimizer") == "adamw":
        draft.default("optimizer_step", "foreach")


def _precision(value: Any) -> str | None:
    """`dtype` is that of the weights themselves: nothing is kept in another."""
    word = precision_word(value)
    return word.replace("-mixed", "-pure") if word else None


def _read_memory(keys: Keys, draft: Draft) -> None:
    enabled = as_flag(keys.plain("enable_activation_checkpointing"))
    mode = str(keys.plain("ac_mode") or "")
    if enabled is not None or mode:
        full = "full" if enabled or mode == "full" else "none"
        draft.file("activation_checkpointing", "selective" if mode == "selective" else full)
    if as_flag(keys.plain("fsdp_cpu_offload")):
        draft.file("offload", "params")
    if as_flag(keys.plain("enable_activation_offloading")):
        draft.file("offload", "activations")
    draft.read(
        "compile", keys, "compile", by=lambda v: bool(v) if isinstance(v, Mapping) else as_flag(v)
    )


def _read_length(keys: Keys, draft: Draft) -> None:
    epochs = draft.read("epochs", keys, "epochs", by=as_positive)
    limit = as_count(keys.plain("max_steps_per_epoch"))
    if limit:
        draft.guess("steps", int(limit * (epochs or 1)))
    draft.guess("steps", as_count(keys.plain("num_steps")))
    draft.read("save_every_steps", keys, "save_every_n_steps", by=as_count)
    kept = ("checkpointer.keep_last_n_checkpoints", "keep_last_n_checkpoints")
    draft.read("saves_kept", keys, *kept, by=as_kept)


def _read_layout(document: Document, keys: Keys, draft: Draft) -> None:
    draft.read("tensor_parallel", keys, "tensor_parallel_dim", by=as_count)
    draft.read("context_parallel", keys, "context_parallel_dim", by=as_count)
    shard = as_count(keys.plain("data_parallel_shard_dim"))
    replicas = as_count(keys.plain("data_parallel_replicate_dim")) or 1
    if shard and shard > 1:
        draft.file("shard_degree", shard)
    if replicas > 1:
        draft.file("data_parallel", "hsdp")
    text = " ".join(document.program) if document.notation == "shell" else document.comments
    read_launch(document, draft)
    if _ONE_DEVICE.search(text) and not _DISTRIBUTED.search(text):
        draft.guess("gpus", 1)
        draft.guess("data_parallel", "none")
    distributed = _DISTRIBUTED.search(text) or keys.has("fsdp_cpu_offload")
    if distributed or keys.has("tensor_parallel_dim"):
        draft.guess("data_parallel", "fsdp")


TORCHTUNE: Final = Format(name="torchtune", role="trainer", recognises=_recognises, read=_read)
