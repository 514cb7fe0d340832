"""Command lines of diffusers' training scripts, and settings with the same names."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_positive, as_text
from apps.configs.words import precision_word

_SCRIPT: Final = re.compile(
    r"(?:^|/)textual_inversion\w*\.py$|train_(?:text_to_image|dreambooth|controlnet|instruct_pix2pix|unconditional|t2i_adapter"
    r"|textual_inversion|lcm|custom_diffusion|flux|sana|cogvideox)\w*\.py$"
)
_SIGNS: Final = ("train_batch_size", "max_train_steps", "checkpointing_steps", "instance_data_dir")
_DEFAULTS: Final[dict[str, Any]] = {
    "grad_accumulation": 1,
    "optimizer": "adamw",
    "optimizer_step": "foreach",
    "activation_checkpointing": "none",
    "quantization": "none",
    "save_every_steps": 500,
}


def _recognises(document: Document, keys: Keys) -> bool:
    if any(_SCRIPT.search(word) for word in document.program):
        return True
    if keys.has("network_module") or keys.has("dataset_config"):
        return False
    named = keys.states("pretrained_model_name_or_path") or keys.states("model_config_name_or_path")
    signed = sum(keys.has(sign) for sign in _SIGNS)
    return named and signed >= (1 if keys.has("resolution") else 2)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "diffusers")
    draft.guess("kind", "diffusion")
    draft.read("model", keys, "pretrained_model_name_or_path", by=as_text)
    _read_method(document, keys, draft)
    draft.read("image_size", keys, "resolution", by=as_count)
    draft.read("micro_batch", keys, "train_batch_size", by=as_count)
    draft.read("grad_accumulation", keys, "gradient_accumulation_steps", by=as_count)
    draft.read("steps", keys, "max_train_steps", by=as_count)
    draft.read("epochs", keys, "num_train_epochs", "num_epochs", by=as_positive)
    draft.read("save_every_steps", keys, "checkpointing_steps", by=as_count)
    draft.read("saves_kept", keys, "checkpoints_total_limit", by=as_kept)
    draft.read("precision", keys, "mixed_precision", by=precision_word)
    _read_memory(keys, draft)
    read_launch(document, draft)
    layout_default(draft)
    draft.defaults(_DEFAULTS)
    small = "dreambooth" in " ".join(document.program)
    draft.default("micro_batch", 4 if small else 16)


def _read_method(document: Document, keys: Keys, draft: Draft) -> None:
    program = " ".join(document.program).lower()
    draft.default("strategy", "from-scratch" if "unconditional" in program else "finetune")
    if "lora" not in program and not keys.states("rank"):
        # Textual inversion and adapters train a small part; the rest of the model is frozen.
        partly = any(name in program for name in ("textual_inversion", "controlnet", "t2i_adapter"))
        (draft.guess if partly else draft.file)("method", "freeze" if partly else "full")
        return
    draft.file("method", "lora")
    draft.read("lora_rank", keys, "rank", by=as_count)
    draft.default("lora_rank", 4)


def _read_memory(keys: Keys, draft: Draft) -> None:
    if as_flag(keys.plain("use_8bit_adam")):
        draft.file("optimizer", "adamw-8bit")
    read_optimizer(draft, keys, "optimizer")
    checkpointing = as_flag(keys.plain("gradient_checkpointing"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")
    if as_flag(keys.plain("enable_xformers_memory_efficient_attention")):
        draft.file("attention", "sdpa")


DIFFUSERS: Final = Format(name="diffusers", role="trainer", recognises=_recognises, read=_read)
