"""DeepSpeed's JSON. `auto` leaves a value to the trainer's own file."""

from __future__ import annotations

from typing import Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format, read_deepspeed, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag

_BATCHES: Final = ("train_micro_batch_size_per_gpu", "train_batch_size")
_BESIDE: Final = ("fp16", "bf16", "optimizer", "zero_optimization", "gradient_accumulation_steps")


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation in ("shell", "python"):
        return False
    if keys.part("zero_optimization") or keys.states("train_micro_batch_size_per_gpu"):
        return True
    return keys.states("train_batch_size") and any(keys.part(name) for name in _BESIDE)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.guess("framework", "deepspeed")
    micro = draft.read("micro_batch", keys, "train_micro_batch_size_per_gpu", by=as_count)
    steps = draft.read("grad_accumulation", keys, "gradient_accumulation_steps", by=as_count)
    total = draft.read("global_batch", keys, "train_batch_size", by=as_count)
    if micro and steps and total and total % (micro * steps) == 0:
        draft.guess("gpus", total // (micro * steps))
    read_optimizer(draft, keys, "optimizer.type")
    _read_precision(keys, draft)
    read_deepspeed(draft, keys)
    if draft.value("data_parallel") is None:
        draft.default("data_parallel", "ddp")
    pipeline = as_count(keys.part("pipeline").plain("stages"))
    draft.file("pipeline_parallel", pipeline)
    if draft.value("optimizer") == "adamw" and draft.value("offload") in (None, "none"):
        draft.default("optimizer_step", "fused")
    activation = keys.part("activation_checkpointing")
    if as_flag(activation.plain("cpu_checkpointing")):
        draft.guess("offload", "activations")


def _read_precision(keys: Keys, draft: Draft) -> None:
    """`auto` on both is no choice; DeepSpeed keeps an fp32 master copy with either."""
    chosen = {
        name: as_flag(keys.part(name).plain("enabled")) for name in ("bf16", "bfloat16", "fp16")
    }
    stated = {name: keys.part(name).states("enabled") for name in chosen}
    if chosen["bf16"] or chosen["bfloat16"]:
        draft.file("precision", "bf16-mixed")
    elif chosen["fp16"]:
        draft.file("precision", "fp16-mixed")
    elif any(stated.values()) and not any(stated[name] and chosen[name] is None for name in chosen):
        draft.file("precision", "fp32")
    elif not any(stated.values()):
        draft.guess("precision", "fp32")
    if draft.stated("precision") in ("bf16-mixed", "fp16-mixed"):
        draft.default("master_weights", "fp32")


DEEPSPEED: Final = Format(name="deepspeed", role="launcher", recognises=_recognises, read=_read)
