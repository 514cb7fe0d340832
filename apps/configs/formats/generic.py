"""Files of no known framework: names that mean the same everywhere, wherever in the file they stand.

Everything is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_peft import FOUR_BITS, read_peft_method
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import TWO_SIDES, Format, zero_word
from apps.configs.formats.table import READERS
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_text
from apps.configs.words import attention_word, optimizer_words, quantization_of_bits

_Reader = Callable[[Any], Any]
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "model": (
        "model_name_or_path",
        "pretrained_model_name_or_path",
        "base_model",
        "base_model_name_or_path",
        "model_name",
        "model_id",
        "pretrained_model",
        "hf_checkpoint",
        "partial_pretrain",
        "llm_backbone",
        "model_base",
        "model_key",
        "base_model_path",
        "model_path",
        "name_or_path",
        "model.name",
        "model.path",
        "model",
    ),
    "micro_batch": (
        "per_device_train_batch_size",
        "micro_batch_size_per_gpu",
        "micro_batch_size",
        "train_micro_batch_size",
        "per_device_batch_size",
        "local_batch_size",
        "device_batch_size",
        "device_train_microbatch_size",
        "batch_size_per_gpu",
        "samples_per_gpu",
        "micro_bsz",
        "mbs",
        "batch_size_training",
        "train_batch_size",
        "batch_size",
    ),
    "global_batch": (
        "global_train_batch_size",
        "train_global_batch_size",
        "global_batch_size",
        "total_batch_size",
        "effective_batch_size",
        "gbs",
    ),
    "grad_accumulation": (
        "gradient_accumulation_steps",
        "grad_accumulation_steps",
        "accumulate_grad_batches",
        "gradient_accumulation",
        "grad_accum_steps",
        "grad_acc_steps",
        "grad_accumulation",
        "accumulation_steps",
        "accumulative_counts",
        "grad_accum",
        "accum_iter",
    ),
    "sequence_length": (
        "max_seq_length",
        "max_seq_len",
        "sequence_length",
        "sequence_len",
        "max_sequence_length",
        "max_total_sequence_length",
        "model_max_length",
        "seq_length",
        "seq_len",
        "cutoff_len",
        "context_length",
        "context_len",
        "max_length",
        "max_len",
        "block_size",
    ),
    "epochs": (
        "num_train_epochs",
        "num_epochs",
        "max_epochs",
        "n_epochs",
        "total_epochs",
        "epochs",
    ),
    "steps": (
        "max_train_steps",
        "total_training_steps",
        "train_iters",
        "max_steps",
        "train_steps",
        "total_steps",
        "num_steps",
        "num_train_steps",
        "max_iters",
        "max_iter",
        "steps",
    ),
    "optimizer": ("optimizer", "optim", "optimizer_type", "optimizer_name", "opt"),
    "precision": (
        "mixed_precision",
        "precision",
        "compute_dtype",
        "torch_dtype",
        "dtype",
        "param_dtype",
    ),
    "activation_checkpointing": (
        "gradient_checkpointing",
        "activation_checkpointing",
        "use_gradient_checkpointing",
        "enable_gradient_checkpointing",
        "enable_activation_checkpointing",
        "grad_checkpointing",
        "grad_checkpoint",
        "use_checkpoint",
        "checkpoint_activations",
        "fsdp_activation_checkpointing",
        "use_grad_checkpoint",
        "recompute",
    ),
    "lora_rank": ("lora_r", "lora_rank", "lora_dim", "r", "rank"),
    "lora_targets": ("lora_target_modules", "target_modules", "lora_targets", "lora_modules"),
    "quantization": ("bits", "quantization_bit", "load_in_bits"),
    "image_size": ("image_size", "img_size", "resolution", "input_size"),
    "save_every_steps": (
        "save_steps",
        "save_step",
        "save_every_n_steps",
        "save_every_steps",
        "checkpointing_steps",
        "save_interval",
        "checkpoint_interval",
        "save_freq",
        "save_every",
    ),
    "saves_kept": ("save_total_limit", "max_keep_ckpts", "keep_last_n_checkpoints", "save_top_k"),
    "attention": (
        "attn_implementation",
        "attention_backend",
        "attn_impl",
        "use_flash_attention",
        "use_flash_attn",
        "flash_attn",
    ),
    "method": (
        "peft_method",
        "finetuning_type",
        "finetune_type",
        "tuning_method",
        "adapter_name",
        "peft",
    ),
    "tensor_parallel": ("tensor_model_parallel_size", "tensor_parallel_size", "tp_size"),
    "pipeline_parallel": ("pipeline_model_parallel_size", "pipeline_parallel_size", "pp_size"),
    "data_parallel": ("plugin",),
    "gpus": ("num_gpus", "n_gpus", "gpus", "world_size", "devices"),
    "nodes": ("num_nodes", "nnodes"),
}
_BY: Final[Mapping[str, _Reader]] = {
    **READERS,
    "model": as_text,
    "optimizer": lambda value: optimizer_words(value)[0],
    "attention": attention_word,
    "quantization": quantization_of_bits,
    "gpus": as_count,
    "data_parallel": zero_word,
}
# Sections of a file that speak of something else than the training of the model.
_BESIDE: Final = re.compile(
    r"eval|valid|val_|test|infer|predict|sampl|generat|rollout|critic|reward|ref\b|ref_|teacher|draft"
    r"|vae|text_encoder|tokenizer_|wandb|logg|deploy|serv|preproc|export"
)
_ADAPTER_PART: Final = re.compile(r"lora|peft|adapter|network")
_NAMED: Final = ("type", "name", "_target_", "class_path", "class_name")
_TRAINS: Final = frozenset(
    [
        "micro_batch",
        "global_batch",
        "epochs",
        "steps",
        "optimizer",
        "lora_rank",
        "grad_accumulation",
    ]
)
_ENOUGH: Final = 3
_DEEPEST: Final = 6


def _found(keys: Keys) -> dict[str, Any]:
    """Field -> value: of several places the best-known name counts, then the one least deep."""
    leaves = [path for path in keys.paths(_DEEPEST) if not _BESIDE.search(path.lower())]
    by_name: dict[str, list[str]] = {}
    for path in leaves:
        parts = path.lower().replace("-", "_").split(".")
        for name in {parts[-1], ".".join(parts[-2:])}:
            by_name.setdefault(name, []).append(path)
        if parts[-1] in _NAMED and len(parts) > 1:  # `optimizer: {type: AdamW}`
            by_name.setdefault(parts[-2], []).append(path)
    values: dict[str, Any] = {}
    for field, names in _FIELDS.items():
        for path in (p for name in names for p in sorted(by_name.get(name, ()), key=_depth)):
            if path.rsplit(".", 1)[-1] in ("r", "rank") and not _ADAPTER_PART.search(path.lower()):
                continue
            if (value := _BY[field](keys.plain(path))) is not None:
                values[field] = value
                break
    if "sequence_length" not in values and (length := _two_sides(keys, by_name)):
        values["sequence_length"] = length
    return values


def _two_sides(keys: Keys, by_name: Mapping[str, list[str]]) -> int | None:
    """The length of a sample whose question and answer have lengths of their own."""
    for names in TWO_SIDES:
        paths = [min(by_name[name], key=_depth) for name in names if name in by_name]
        lengths = [as_count(keys.plain(path)) for path in paths]
        if len(lengths) == len(names) and all(lengths):
            return sum(int(length) for length in lengths if length)
    return None


def _depth(path: str) -> int:
    return path.count(".")


def _recognises(document: Document, keys: Keys) -> bool:
    found = _found(keys)
    started = document.notation == "shell" and bool(document.launch)
    trains = len(_TRAINS & set(found))
    return trains > 1 or (trains == 1 and len(found) + started >= _ENOUGH)


def _guess_method(keys: Keys, draft: Draft) -> None:
    """A switch for an adapter at the top of the file."""
    switched = Draft()
    read_peft_method(keys, switched)
    if switched.value("method") not in (None, "full"):
        for field in ("method", "quantization", "lora_rank"):
            draft.guess(field, switched.value(field))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    guess_settings(keys, draft)
    read_launch(document, draft)


def guess_settings(keys: Keys, draft: Draft) -> None:
    """Whatever the usual names state, as guesses."""
    found = _found(keys)
    for field, value in found.items():
        if field != "method":
            draft.guess(field, value)
    if found.get("method") in ("qlora", "dora", "freeze"):
        draft.guess("method", found["method"])
    for path in keys.paths(_DEEPEST):
        name = path.rsplit(".", 1)[-1]
        if name in ("load_in_4bit", "load_in_8bit") and as_flag(keys.plain(path)):
            draft.guess("quantization", quantization_of_bits(4 if "4" in name else 8))
        if name in FOUR_BITS and as_flag(keys.plain(path)):
            draft.guess("quantization", "nf4")
        if name in ("bf16", "fp16") and as_flag(keys.plain(path)):
            draft.guess("precision", f"{name}-mixed")
    _guess_method(keys, draft)
    for field in ("method", "quantization"):  # a file may name the way it trains by a word
        draft.guess(field, found.get(field))
    if draft.value("lora_rank"):
        four_bits = (draft.value("quantization") or "").startswith("nf4")
        draft.guess("method", "qlora" if four_bits else "lora")


GENERIC: Final = Format(name="generic", role="trainer", recognises=_recognises, read=_read)
