"""Files of no known framework: names that mean the same everywhere. Everything is a guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_positive, as_text
from apps.configs.words import optimizer_words, precision_word, targets_word

_Reader = Callable[[Any], Any]
_FIELDS: Final[tuple[tuple[str, tuple[str, ...], _Reader], ...]] = (
    (
        "model",
        (
            "model_name_or_path",
            "base_model",
            "model_name",
            "model_id",
            "pretrained_model",
            "model.name",
            "model",
        ),
        as_text,
    ),
    (
        "micro_batch",
        ("micro_batch_size", "per_device_batch_size", "batch_size", "train_batch_size"),
        as_count,
    ),
    ("global_batch", ("global_batch_size", "global_train_batch_size"), as_count),
    (
        "grad_accumulation",
        (
            "gradient_accumulation_steps",
            "grad_accum",
            "accumulate_grad_batches",
            "grad_accum_steps",
        ),
        as_count,
    ),
    (
        "sequence_length",
        ("seq_len", "max_seq_len", "max_seq_length", "cutoff_len", "sequence_length", "max_length"),
        as_count,
    ),
    ("epochs", ("num_epochs", "epochs", "max_epochs", "n_epochs", "num_train_epochs"), as_positive),
    ("steps", ("max_steps", "train_steps", "max_iters", "total_steps", "train_iters"), as_count),
    ("optimizer", ("optimizer", "optim", "optimizer_type", "opt"), lambda v: optimizer_words(v)[0]),
    ("precision", ("precision", "mixed_precision", "dtype"), precision_word),
    ("lora_rank", ("lora_r", "lora_rank"), as_count),
    ("lora_targets", ("lora_target_modules", "target_modules", "lora_targets"), targets_word),
    ("image_size", ("image_size", "img_size", "resolution"), as_count),
    ("save_every_steps", ("save_steps", "save_every", "save_interval"), as_count),
    ("gpus", ("num_gpus", "n_gpus", "gpus", "world_size", "devices"), as_count),
    ("nodes", ("num_nodes", "nnodes"), as_count),
)
_PARTS: Final = (
    "",
    "training.",
    "train.",
    "trainer.",
    "model.",
    "optim.",
    "optimizer.",
    "data.",
    "lora.",
)
_ENOUGH: Final = 3


def _found(keys: Keys) -> dict[str, Any]:
    """Field -> value, from the top of the file or a usual section."""
    values: dict[str, Any] = {}
    for field, names, by in _FIELDS:
        for path in (f"{part}{name}" for part in _PARTS for name in names):
            if keys.states(path) and (value := by(keys.plain(path))) is not None:
                values[field] = value
                break
    return values


def _recognises(document: Document, keys: Keys) -> bool:
    return len(_found(keys)) >= _ENOUGH


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    for field, value in _found(keys).items():
        draft.guess(field, value)
    checkpointing = as_flag(keys.plain("gradient_checkpointing", "activation_checkpointing"))
    if checkpointing is not None:
        draft.guess("activation_checkpointing", "full" if checkpointing else "none")
    if draft.value("lora_rank"):
        draft.guess("method", "lora")
    read_launch(document, draft)


GENERIC: Final = Format(name="generic", role="trainer", recognises=_recognises, read=_read)
