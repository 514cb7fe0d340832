"""The `trainer` block of PyTorch Lightning, and files of its command line."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format, read_deepspeed_reference, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_kept, as_number, as_positive, as_text
from apps.configs.words import precision_word

_STRATEGIES: Final = (("fsdp", "fsdp"), ("ddp", "ddp"), ("deepspeed", ""))
_BATCHES: Final = (
    "data.init_args.batch_size",
    "data.batch_size",
    "data.init_args.train_batch_size",
    "datamodule.batch_size",
    "datamodule.train_batch_size",
    "data_module.batch_size",
    "dataloader.batch_size",
    "data.train.batch_size",
    "train_dataloader.batch_size",
    "batch_size",
)
_ARGUMENTS: Final = (
    "max_epochs",
    "max_steps",
    "accumulate_grad_batches",
    "gradient_clip_val",
    "val_check_interval",
    "check_val_every_n_epoch",
    "devices",
    "precision",
    "strategy",
    "num_nodes",
)
_ENOUGH_ARGUMENTS: Final = 3
_OPTIMIZERS: Final = (
    "model.init_args.optimizer.class_path",
    "optimizer._target_",
    "model.optimizer._target_",
    "model.init_args.optimizer",
    "optim.name",
    "optimizer.name",
)
_NAMES: Final = (
    "model.init_args.model_args.backbone",
    "model.init_args.model_name",
    "model.init_args.backbone",
    "model.init_args.model",
    "model.init_args.arch",
    "model.class_path",
    "model.name",
    "model.pretrained_model_name_or_path",
    "model.model_name_or_path",
)


def read_trainer(trainer: Keys, draft: Draft, *, accumulates: bool = True) -> None:
    """Devices, precision, length of the run, accumulation, strategy."""
    devices = trainer.get("devices", "gpus")
    nodes = draft.read("nodes", trainer, "num_nodes", by=as_count)
    count = len(devices) if isinstance(devices, list) else as_count(devices)
    if count:
        draft.file("gpus", count * (nodes or 1))
    draft.read("precision", trainer, "precision", by=precision_word)
    draft.read("epochs", trainer, "max_epochs", by=as_positive)
    draft.read("steps", trainer, "max_steps", by=as_count)
    if accumulates:
        draft.read("grad_accumulation", trainer, "accumulate_grad_batches", by=as_count)
        draft.default("grad_accumulation", 1)
    else:
        trainer.get("accumulate_grad_batches")
    _read_strategy(trainer, draft)
    draft.default("precision", "fp32")


def _read_strategy(trainer: Keys, draft: Draft) -> None:
    part = trainer.part("strategy")
    named = part.plain("_target_", "class_path") or trainer.plain("strategy")
    name = named.lower() if isinstance(named, str) else ""
    for sign, word in _STRATEGIES:
        if sign in name:
            draft.file("data_parallel", word or None)
    if "deepspeed" in name:
        stage = as_number(part.plain("stage", "init_args.stage"))
        draft.file("data_parallel", f"zero{stage}" if stage in (1, 2, 3) else None)
        read_deepspeed_reference(draft, name)
        draft.default("data_parallel", "zero2")


def _is_trainer(keys: Keys) -> bool:
    """Whether the keys are a Lightning trainer's, by the class that they or a callback name."""
    named = [keys, *keys.items("callbacks"), *keys.items("logger")]
    return any("lightning" in str(part.plain("_target_", "class_path")) for part in named)


def _trainer_part(keys: Keys) -> Keys:
    """The trainer's arguments: in their block, below its class, or a file that is but a trainer."""
    trainer = keys.part("trainer")
    if not trainer and _is_trainer(keys):
        trainer = keys
    return trainer.part("init_args") or trainer


def _recognises(document: Document, keys: Keys) -> bool:
    trainer = _trainer_part(keys)
    if document.notation == "python" or not trainer:
        return False
    started = _is_trainer(trainer) or _is_trainer(keys.part("trainer"))
    if started or sum(trainer.has(name) for name in _ARGUMENTS) >= _ENOUGH_ARGUMENTS:
        return True
    return any(keys.part(name).states("class_path") for name in ("model", "data", "optimizer"))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "other")
    name = next((text for path in _NAMES if (text := as_text(keys.plain(path)))), None)
    draft.file("model", name)
    draft.read("micro_batch", keys, *_BATCHES, by=as_count)
    image = ("data.init_args.img_size", "data.init_args.image_size", "model.init_args.image_size")
    draft.read("image_size", keys, *image, by=as_count)
    read_optimizer(draft, keys, "optimizer.class_path", *_OPTIMIZERS)
    frozen = keys.plain("model.init_args.freeze_backbone")
    (draft.file if frozen is not None else draft.guess)("method", "freeze" if frozen else "full")
    draft.guess("strategy", "finetune")
    trainer = _trainer_part(keys)
    read_trainer(trainer, draft)
    _read_callbacks(trainer, draft)
    draft.default("activation_checkpointing", "none")


def _read_callbacks(trainer: Keys, draft: Draft) -> None:
    for callback in trainer.items("callbacks"):
        if str(callback.plain("class_path")).endswith("ModelCheckpoint"):
            settings: Any = callback.part("init_args")
            draft.read("saves_kept", settings, "save_top_k", by=as_kept)
            draft.read("save_every_steps", settings, "every_n_train_steps", by=as_count)


LIGHTNING: Final = Format(name="lightning", role="trainer", recognises=_recognises, read=_read)
