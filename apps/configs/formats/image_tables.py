"""Tools that tune models of images and video: AI Toolkit, diffusion-pipe, OneTrainer, SimpleTuner."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.draft import Draft
from apps.configs.formats.table import Table
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_word
from apps.configs.words import method_word, optimizer_words

_IMAGES: Final[dict[str, Any]] = {
    "kind": "diffusion",
    "strategy": "finetune",
    "quantization": "none",
    "grad_accumulation": 1,
}


def _process(keys: Keys) -> Keys:
    """AI Toolkit lists what a job does; the first process is the one that trains."""
    found = keys.items("config.process")
    return found[0] if found else Keys({})


def _finish_toolkit(keys: Keys, draft: Draft) -> None:
    network = keys.part("network")
    draft.file("method", "lora" if network else "full")
    draft.file("lora_rank", as_count(network.plain("linear", "rank")))
    if as_flag(keys.plain("model.quantize")):
        draft.guess("quantization", "int8")
    for images in keys.items("datasets"):
        sizes = images.plain("resolution")
        counts = [c for c in map(as_count, sizes if isinstance(sizes, list) else [sizes]) if c]
        draft.file("image_size", max(counts) if counts else None)


AI_TOOLKIT: Final = Table(
    name="aitoolkit",
    framework="other",
    signs=(("train.batch_size", "train.steps"), ("model.name_or_path",)),
    part=_process,
    keys={
        "model": ("model.name_or_path",),
        "micro_batch": ("train.batch_size",),
        "grad_accumulation": (
            "train.gradient_accumulation_steps",
            "train.gradient_accumulation",
        ),
        "steps": ("train.steps",),
        "optimizer": ("train.optimizer",),
        "precision": ("train.dtype",),
        "activation_checkpointing": ("train.gradient_checkpointing",),
        "save_every_steps": ("save.save_every",),
        "saves_kept": ("save.max_step_saves_to_keep",),
    },
    finish=_finish_toolkit,
    defaults={**_IMAGES, "optimizer": "adamw"},
)


def _finish_pipe(keys: Keys, draft: Draft) -> None:
    adapter = keys.part("adapter")
    draft.file("method", method_word(adapter.plain("type")) if adapter else "full")
    draft.file("lora_rank", as_count(adapter.plain("rank")))
    kept = as_word(keys.plain("model.transformer_dtype", "model.diffusion_model_dtype"))
    draft.file("quantization", "fp8" if "float8" in kept else None)
    if (as_count(keys.plain("blocks_to_swap")) or 0) > 0:
        draft.guess("offload", "params")


DIFFUSION_PIPE: Final = Table(
    name="diffusion_pipe",
    framework="deepspeed",
    signs=(("micro_batch_size_per_gpu",), ("model.type", "model.dtype")),
    keys={
        "model": ("model.diffusers_path", "model.ckpt_path", "model.checkpoint_path", "model.type"),
        "micro_batch": ("micro_batch_size_per_gpu",),
        "grad_accumulation": ("gradient_accumulation_steps",),
        "epochs": ("epochs",),
        "steps": ("max_steps",),
        "optimizer": ("optimizer.type",),
        "precision": ("model.dtype",),
        "activation_checkpointing": ("activation_checkpointing",),
        "pipeline_parallel": ("pipeline_stages",),
        "save_every_steps": ("save_every_n_steps",),
    },
    finish=_finish_pipe,
    defaults=_IMAGES,
)


def _finish_onetrainer(keys: Keys, draft: Draft) -> None:
    word = as_word(keys.plain("training_method"))
    draft.file("method", {"lora": "lora", "fine_tune": "full", "embedding": "freeze"}.get(word))
    if draft.value("method") == "lora":
        draft.read("lora_rank", keys, "lora_rank", by=as_count)
    optimizer, step = optimizer_words(keys.plain("optimizer.optimizer"))
    draft.file("optimizer", optimizer)
    draft.file("optimizer_step", step)
    if as_word(keys.plain("gradient_checkpointing")) == "cpu_offloaded":
        draft.file("activation_checkpointing", "full")
        draft.file("offload", "activations")


ONE_TRAINER: Final = Table(
    name="onetrainer",
    framework="other",
    signs=(("base_model_name",), ("training_method",)),
    keys={
        "model": ("base_model_name",),
        "micro_batch": ("batch_size",),
        "grad_accumulation": ("gradient_accumulation_steps",),
        "epochs": ("epochs",),
        "precision": ("train_dtype",),
        "image_size": ("resolution",),
        "activation_checkpointing": ("gradient_checkpointing",),
    },
    finish=_finish_onetrainer,
    defaults=_IMAGES,
)


def _finish_simpletuner(keys: Keys, draft: Draft) -> None:
    kind = as_word(keys.plain("model_type", "--model_type"))
    draft.file("method", method_word(kind) or None)
    if draft.value("method") == "lora":
        draft.read("lora_rank", keys, "lora_rank", "--lora_rank", by=as_count)
    stored = as_word(keys.plain("base_model_precision", "--base_model_precision"))
    word = next(
        (w for part, w in (("int8", "int8"), ("fp8", "fp8"), ("nf4", "nf4")) if part in stored),
        None,
    )
    draft.file("quantization", word)


def _dashed(*names: str) -> tuple[str, ...]:
    """SimpleTuner's file may write its keys as the options they stand for."""
    return tuple(spelling for name in names for spelling in (name, f"--{name}"))


SIMPLE_TUNER: Final = Table(
    name="simpletuner",
    framework="diffusers",
    signs=(
        _dashed("model_family", "data_backend_config"),
        _dashed("train_batch_size", "max_train_steps"),
    ),
    keys={
        "model": _dashed("pretrained_model_name_or_path", "model_family"),
        "micro_batch": _dashed("train_batch_size"),
        "grad_accumulation": _dashed("gradient_accumulation_steps"),
        "epochs": _dashed("num_train_epochs"),
        "steps": _dashed("max_train_steps"),
        "optimizer": _dashed("optimizer"),
        "precision": _dashed("mixed_precision"),
        "activation_checkpointing": _dashed("gradient_checkpointing"),
        "save_every_steps": _dashed("checkpoint_step_interval", "checkpointing_steps"),
        "saves_kept": _dashed("checkpoints_total_limit"),
        "image_size": _dashed("resolution"),
    },
    finish=_finish_simpletuner,
    defaults=_IMAGES,
)

IMAGE_TABLES: Final = (AI_TOOLKIT, DIFFUSION_PIPE, ONE_TRAINER, SIMPLE_TUNER)
