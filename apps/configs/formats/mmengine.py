"""OpenMMLab's Python configs: plain dictionaries. What `_base_` brings in stays unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_positive, as_text

_SIGNS: Final = (
    "train_dataloader",
    "optim_wrapper",
    "train_cfg",
    "train_pipeline",
    "runner",
    "_base_",
)
_READ: Final = (
    *_SIGNS,
    "model",
    "data",
    "optimizer",
    "max_epochs",
    "default_hooks",
    "checkpoint_config",
)


def _recognises(document: Document, keys: Keys) -> bool:
    return document.notation == "python" and sum(keys.has(sign) for sign in _SIGNS) >= 2


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "other")
    draft.guess("kind", "vision")
    part = keys.beside({name: document.tree[name] for name in _READ if name in document.tree})
    draft.guess("model", as_text(part.plain("model.type")))
    batch = ("train_dataloader.batch_size", "data.samples_per_gpu")
    draft.read("micro_batch", part, *batch, by=as_count)
    epochs = ("train_cfg.max_epochs", "runner.max_epochs", "max_epochs")
    draft.read("epochs", part, *epochs, by=as_positive)
    draft.read("steps", part, "train_cfg.max_iters", "runner.max_iters", by=as_count)
    read_optimizer(draft, part, "optim_wrapper.optimizer.type", "optimizer.type")
    if str(part.plain("optim_wrapper.type")).startswith("Amp"):
        draft.file("precision", "fp16-mixed")
    draft.read("grad_accumulation", part, "optim_wrapper.accumulative_counts", by=as_count)
    if as_flag(part.plain("model.backbone.with_cp")):
        draft.file("activation_checkpointing", "full")
    _read_saving(part, draft)
    if not part.has("_base_"):  # otherwise another file may say what this one does not
        draft.defaults({"precision": "fp32", "grad_accumulation": 1, "method": "full"})


def _read_saving(part: Keys, draft: Draft) -> None:
    hook: Any = part.part("default_hooks.checkpoint") or part.part("checkpoint_config")
    by_epoch = as_flag(hook.plain("by_epoch"))
    interval = hook.plain("interval")
    if by_epoch is False and not isinstance(interval, Mapping):
        draft.file("save_every_steps", as_count(interval))
    draft.read("saves_kept", hook, "max_keep_ckpts", by=as_count)


MMENGINE: Final = Format(name="mmengine", role="trainer", recognises=_recognises, read=_read)
