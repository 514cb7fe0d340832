"""kohya's sd-scripts: TOML of settings, TOML of data sets, and the same names on a command line."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.formats.table import longer_side
from apps.configs.keys import Keys
from apps.configs.values import (
    as_count,
    as_flag,
    as_number,
    as_positive,
    as_share,
    as_text,
)
from apps.configs.words import precision_word

_SCRIPT: Final = re.compile(
    r"(?:train_network|train_db|fine_tune|train_textual_inversion|_train)\.py$"
)
_GUI: Final = ("LoRA_type", "train_batch_size", "pretrained_model_name_or_path")  # of kohya_ss
_SIGNS: Final = (
    "network_module",
    "network_dim",
    "train_data_dir",
    "dataset_config",
    "cache_latents",
)
_SWITCHES: Final = (
    ("use_8bit_adam", "optimizer", "adamw-8bit"),
    ("use_lion_optimizer", "optimizer", "lion"),
    ("full_bf16", "precision", "bf16-pure"),
    ("full_fp16", "precision", "fp16-pure"),
    ("sdpa", "attention", "sdpa"),
    ("xformers", "attention", "sdpa"),
    ("mem_eff_attn", "attention", "sdpa"),
    ("fused_backward_pass", "optimizer_step", "in-backward"),
)
_TRAINS: Final = (
    "pretrained_model_name_or_path",
    "network_module",
    "optimizer_type",
    "learning_rate",
    "mixed_precision",
)
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "micro_batch": 1,
    "grad_accumulation": 1,
    "steps": 1600,
    "optimizer": "adamw",
    "precision": "fp32",
    "activation_checkpointing": "none",
    "quantization": "none",
}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "python":
        return False
    if document.notation == "json":
        return all(keys.has(name) for name in _GUI[1:]) and (
            keys.has(_GUI[0]) or keys.has("mixed_precision")
        )
    if document.notation == "shell":
        named = any(_SCRIPT.search(word) for word in document.program)
        return keys.states("network_module") or (
            named and keys.has("pretrained_model_name_or_path")
        )
    settings = _flat(keys)
    named = any(s.states("pretrained_model_name_or_path") for s in settings)
    trained = any(s.states("network_module") for s in settings)
    signed = any(s.states(sign) for s in settings for sign in _SIGNS)
    return trained or (named and signed) or _only_data(keys)


def _only_data(keys: Keys) -> bool:
    """Data sets with subsets of images; `[[datasets.subsets]]` alone makes one set."""
    sets = [*keys.items("datasets"), keys.part("datasets")]
    return any(item.items("subsets") or item.has("resolution") for item in sets)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "kohya")
    draft.guess("kind", "diffusion")
    settings = _flat(keys)
    draft.file("model", _first(settings, as_text, "pretrained_model_name_or_path"))
    _read_images(keys, settings, draft)
    if not any(s.states(name) for s in settings for name in _TRAINS):
        return  # a file of data sets alone says nothing of the method
    draft.refer(keys.plain("dataset_config"))
    if keys.states("dataset_config"):
        draft.unreadable |= {"micro_batch", "image_size"} - set(draft.found)
    _read_method(settings, draft)
    for part in settings:
        draft.read("epochs", part, "max_train_epochs", "epoch", by=as_positive)
        draft.read("steps", part, "max_train_steps", by=as_count)
        draft.read("grad_accumulation", part, "gradient_accumulation_steps", by=as_count)
        draft.read("save_every_steps", part, "save_every_n_steps", by=as_count)
        draft.read("saves_kept", part, "save_last_n_steps", "save_last_n_epochs", by=as_count)
        read_optimizer(draft, part, "optimizer_type", "optimizer")
        _read_memory(part, draft)
    if draft.value("epochs") is not None:
        draft.unreadable.add("steps")
    read_launch(document, draft)
    if document.notation == "shell":
        layout_default(draft)
    draft.defaults(_DEFAULTS)


def _flat(keys: Keys) -> list[Keys]:
    """Sections only group: a file may put any key under any heading."""
    sections = [keys.part(name) for name in keys.names() if keys.part(name)]
    return [keys, *sections]


def _first(settings: list[Keys], by: Any, *names: str) -> Any:
    found = [by(part.plain(*names)) for part in settings]
    return next((value for value in found if value is not None), None)


def _read_images(keys: Keys, settings: list[Keys], draft: Draft) -> None:
    """Batch and resolution stand in the settings or with each data set; the first set counts."""
    for part in [*settings, *keys.items("datasets")]:
        size = longer_side(part.plain("resolution", "max_resolution"))
        draft.file("image_size", size)
        draft.read("micro_batch", part, "train_batch_size", "batch_size", by=as_count)


def _read_method(settings: list[Keys], draft: Draft) -> None:
    module = _first(settings, as_text, "network_module", "LoRA_type")
    if module is None:
        draft.default("method", "full")
    else:
        exact = any(name in module.lower() for name in ("lora", "lycoris", "standard", "locon"))
        (draft.file if exact else draft.guess)("method", "lora")
        for part in settings:
            draft.read("lora_rank", part, "network_dim", by=as_count)
            draft.read("lora_dropout", part, "network_dropout", by=as_share)
        draft.default("lora_rank", 4)
    if _first(settings, as_flag, "fp8_base", "fp8_scaled"):
        draft.file("quantization", "fp8")


def _read_memory(part: Keys, draft: Draft) -> None:
    for name, field, word in _SWITCHES:
        if as_flag(part.plain(name)):
            draft.file(field, word)
    draft.read("precision", part, "mixed_precision", by=precision_word)
    checkpointing = as_flag(part.plain("gradient_checkpointing"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")
    if as_flag(part.plain("cpu_offload_checkpointing")):
        draft.file("offload", "activations")
    elif (as_number(part.plain("blocks_to_swap")) or 0) > 0:
        draft.guess("offload", "params")


KOHYA: Final = Format(name="kohya", role="trainer", recognises=_recognises, read=_read)
