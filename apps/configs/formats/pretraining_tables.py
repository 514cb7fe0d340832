"""Frameworks that train from the beginning: GPT-NeoX, OLMo, Lingua, InternEvo."""

from __future__ import annotations

import re
from typing import Final

from apps.configs.draft import Draft
from apps.configs.formats.shared import read_deepspeed
from apps.configs.formats.table import Table
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_word
from apps.configs.words import dtype_word

_PRETRAINS: Final = {
    "method": "full",
    "strategy": "from-scratch",
    "stage": "pretrain",
    "quantization": "none",
    "packing": True,
}


def _finish_neox(keys: Keys, draft: Draft) -> None:
    """The file is also DeepSpeed's: its blocks for precision and for ZeRO stand beside the rest."""
    for name in ("bf16", "fp16"):
        block = keys.part(name)
        if as_flag(block.plain("enabled")) or as_flag(block.plain(name)):
            draft.file("precision", f"{name}-mixed")
    word = dtype_word(keys.plain("precision"))
    draft.file("precision", word if word in (None, "fp32") else f"{word}-mixed")
    read_deepspeed(draft, keys)
    checkpointing = as_flag(keys.plain("checkpoint_activations"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")
    kernels = str(keys.plain("attention_config") or "")
    draft.file("attention", "flash" if "flash" in kernels else None)
    untied = as_flag(keys.plain("no_weight_tying"))
    draft.file("tied_embeddings", None if untied is None else not untied)
    if as_flag(keys.plain("finetune")):
        draft.file("strategy", "finetune")


GPT_NEOX: Final = Table(
    name="gptneox",
    framework="megatron-deepspeed",
    signs=(
        ("pipe_parallel_size", "model_parallel_size", "pipe-parallel-size", "model-parallel-size"),
        ("num_layers", "num-layers", "seq_length", "seq-length", "train_iters", "train-iters"),
    ),
    keys={
        "sequence_length": ("seq_length", "seq-length"),
        "micro_batch": ("train_micro_batch_size_per_gpu",),
        "grad_accumulation": ("gradient_accumulation_steps", "gradient-accumulation-steps"),
        "global_batch": ("train_batch_size",),
        "steps": ("train_iters", "train-iters"),
        "epochs": ("train_epochs",),
        "save_every_steps": ("checkpoint_factor", "save_interval", "save-interval"),
        "saves_kept": ("keep_last_n_checkpoints", "keep-last-n-checkpoints"),
        "optimizer": ("optimizer.type",),
        "tensor_parallel": ("model_parallel_size", "model-parallel-size"),
        "pipeline_parallel": ("pipe_parallel_size", "pipe-parallel-size"),
    },
    widths="",
    finish=_finish_neox,
    defaults={**_PRETRAINS, "grad_accumulation": 1, "optimizer": "adamw", "precision": "fp32"},
)

_LENGTH: Final = re.compile(r"([0-9.]+(?:e[0-9]+)?)\s*(t|ep|ba)?(?:okens?|ochs?)?")


def _finish_olmo(keys: Keys, draft: Draft) -> None:
    found = _LENGTH.fullmatch(as_word(keys.plain("max_duration")))
    number = as_number(found.group(1)) if found else as_number(keys.plain("max_duration"))
    unit = found.group(2) if found else None
    if number:
        field = {"t": "tokens", "ep": "epochs"}.get(unit or "", "steps")
        draft.file(field, int(number))
    if as_flag(keys.plain("model.flash_attention")):
        draft.file("attention", "flash")
    strategy = as_word(keys.plain("activation_checkpointing"))
    if strategy:
        whole = strategy in ("whole_layer", "one_in_one")
        draft.file("activation_checkpointing", "full" if whole else "selective")
    sharding = as_word(keys.plain("distributed_strategy"))
    draft.file("data_parallel", sharding if sharding in ("fsdp", "ddp") else None)
    if keys.part("fsdp"):
        draft.default("data_parallel", "fsdp")


OLMO: Final = Table(
    name="olmo",
    framework="other",
    signs=(("device_train_microbatch_size",), ("model.max_sequence_length",)),
    keys={
        "sequence_length": ("model.max_sequence_length",),
        "micro_batch": ("device_train_microbatch_size",),
        "global_batch": ("global_train_batch_size",),
        "optimizer": ("optimizer.name",),
        "precision": ("precision",),
        "save_every_steps": ("save_interval",),
        "saves_kept": ("save_num_checkpoints_to_keep",),
    },
    widths="model",
    finish=_finish_olmo,
    defaults={**_PRETRAINS, "activation_checkpointing": "none", "master_weights": "fp32"},
)


def _finish_lingua(keys: Keys, draft: Draft) -> None:
    sharding = as_word(keys.plain("distributed.fsdp_type"))
    words = {"full_shard": "fsdp", "no_shard": "ddp"}
    draft.file("data_parallel", words.get(sharding))
    word = dtype_word(keys.plain("distributed.model_dtype"))
    draft.file("precision", word if word in (None, "fp32") else f"{word}-mixed")
    selective = as_flag(keys.plain("distributed.selective_activation_checkpointing"))
    if selective is not None:
        draft.file("activation_checkpointing", "selective" if selective else "none")


LINGUA: Final = Table(
    name="lingua",
    framework="other",
    signs=(("data.seq_len", "data.batch_size"), ("distributed.fsdp_type", "distributed.tp_size")),
    keys={
        "sequence_length": ("data.seq_len",),
        "micro_batch": ("data.batch_size",),
        "grad_accumulation": ("grad_acc_steps",),
        "steps": ("steps",),
        "save_every_steps": ("checkpoint.dump.every",),
        "saves_kept": ("checkpoint.dump.keep",),
        "tensor_parallel": ("distributed.tp_size",),
        "compile": ("distributed.compile",),
    },
    widths="model",
    finish=_finish_lingua,
    defaults={**_PRETRAINS, "optimizer": "adamw"},
)


def _finish_internevo(keys: Keys, draft: Draft) -> None:
    model, layout = keys.part("model"), keys.part("parallel")
    word = dtype_word(model.plain("dtype"))
    draft.file("precision", word if word in (None, "fp32") else f"{word}-mixed")
    share = model.plain("checkpoint")
    flag = as_flag(share)
    if flag is not None:
        draft.file("activation_checkpointing", "full" if flag else "none")
    elif (as_number(share) or 0) > 0:  # of that share of the layers
        draft.file("activation_checkpointing", "selective")
    if as_flag(model.plain("use_flash_attn")):
        draft.file("attention", "flash")
    for field, name in (("tensor_parallel", "tensor"), ("pipeline_parallel", "pipeline")):
        draft.file(field, as_count(layout.plain(name)) or as_count(layout.plain(f"{name}.size")))
    size = as_number(layout.plain("zero1.size", "zero1"))
    if as_flag(layout.plain("zero1.fsdp")):
        draft.file("data_parallel", "fsdp")
    elif size is not None:
        draft.file("data_parallel", "ddp" if size == 1 else "zero1")
    if as_flag(keys.plain("ckpt.enable_save_ckpt")):
        draft.read("save_every_steps", keys, "ckpt.checkpoint_every", by=as_count)
    if keys.states("ckpt.load_ckpt_info"):
        draft.guess("strategy", "finetune")


INTERNEVO: Final = Table(
    name="internevo",
    framework="internevo",
    signs=(("data.micro_bsz",), ("data.seq_len",), ("parallel", "hybrid_zero_optimizer")),
    keys={
        "sequence_length": ("data.seq_len",),
        "micro_batch": ("data.micro_bsz",),
        "grad_accumulation": ("data.micro_num",),
        "steps": ("data.total_steps",),
        "packing": ("data.use_packed_dataset",),
    },
    widths="model",
    finish=_finish_internevo,
    defaults={
        "method": "full",
        "optimizer": "adamw",
        "master_weights": "fp32",
        "quantization": "none",
    },
)
