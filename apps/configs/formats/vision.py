"""Trainers of vision models: ultralytics and timm, as files and as commands."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_number, as_positive, as_text
from apps.configs.words import precision_word

_ULTRALYTICS_DEFAULTS: Final[dict[str, Any]] = {
    "method": "full",
    "strategy": "finetune",
    "epochs": 100,
    "image_size": 640,
    "precision": "fp16-mixed",
    "activation_checkpointing": "none",
}
_TIMM_DEFAULTS: Final[dict[str, Any]] = {
    "method": "full",
    "micro_batch": 128,
    "grad_accumulation": 1,
    "epochs": 300,
    "optimizer": "sgd",
    "precision": "fp32",
    "activation_checkpointing": "none",
    "saves_kept": 10,
}
_DEVICES: Final = re.compile(r"[0-9]+(?:,[0-9]+)*")


def _recognises_ultralytics(document: Document, keys: Keys) -> bool:
    if document.program[:1] == ("yolo",):
        return True
    return keys.has("imgsz") and (
        keys.has("mosaic") or keys.has("task") or keys.has("close_mosaic")
    )


def _read_ultralytics(document: Document, keys: Keys, draft: Draft) -> None:
    """`batch` counts all GPUs together."""
    draft.file("framework", "ultralytics")
    draft.guess("kind", "vision")
    draft.file("model", as_text(keys.plain("model")))
    draft.read("epochs", keys, "epochs", by=as_positive)
    draft.read("image_size", keys, "imgsz", by=as_count)
    total = draft.read("global_batch", keys, "batch", by=as_count)
    read_optimizer(draft, keys, "optimizer")
    amp = as_flag(keys.plain("amp"))
    if amp is not None:
        draft.file("precision", "fp16-mixed" if amp else "fp32")
    frozen = as_number(keys.plain("freeze"))
    draft.file("method", "freeze" if frozen else None)
    draft.read("compile", keys, "compile", by=as_flag)
    if as_flag(keys.plain("pretrained")) is False:
        draft.file("strategy", "from-scratch")
    gpus = _listed_devices(keys.get("device"))
    draft.file("gpus", gpus)
    if gpus and total:
        draft.guess("micro_batch", max(1, total // gpus))
    if gpus:
        draft.default("data_parallel", "ddp" if gpus > 1 else "none")
    draft.defaults(_ULTRALYTICS_DEFAULTS)
    if not draft.unreadable & {"global_batch"}:
        draft.default("global_batch", 16)


def _listed_devices(value: Any) -> int | None:
    """`0` is one device, `0,1,2,3` and `[0, 1]` are several."""
    if isinstance(value, list):
        return len(value) or None
    text = (
        str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    )
    return len(text.split(",")) if _DEVICES.fullmatch(text) else None


ULTRALYTICS: Final = Format(
    name="ultralytics", role="trainer", recognises=_recognises_ultralytics, read=_read_ultralytics
)


def _recognises_timm(document: Document, keys: Keys) -> bool:
    program = " ".join(document.program)
    if "distributed_train.sh" in program:
        return True
    signs = (
        "model_ema",
        "aa",
        "reprob",
        "drop_path",
        "smoothing",
        "warmup_epochs",
        "crop_pct",
        "sched",
    )
    sized = keys.has("b") or keys.has("batch_size")
    return keys.states("model") and sized and sum(keys.has(sign) for sign in signs) >= 2


def _read_timm(document: Document, keys: Keys, draft: Draft) -> None:
    """The batch is per GPU; `distributed_train.sh N` starts N of them."""
    draft.file("framework", "timm")
    draft.guess("kind", "vision")
    draft.file("model", as_text(keys.plain("model")))
    draft.read("micro_batch", keys, "b", "batch_size", by=as_count)
    draft.read("grad_accumulation", keys, "grad_accum_steps", by=as_count)
    draft.read("epochs", keys, "epochs", by=as_positive)
    draft.read("image_size", keys, "img_size", by=as_count)
    sizes = as_list(keys.plain("input_size")) or keys.plain("input_size")
    draft.file("image_size", as_count(sizes[-1]) if isinstance(sizes, list) and sizes else None)
    read_optimizer(draft, keys, "opt")
    if as_flag(keys.plain("amp", "native_amp", "apex_amp")):
        dtype = keys.plain("amp_dtype")
        draft.file("precision", precision_word(dtype) if dtype else "fp16-mixed")
    if as_flag(keys.plain("grad_checkpointing")):
        draft.file("activation_checkpointing", "full")
    draft.read("saves_kept", keys, "checkpoint_hist", by=as_kept)
    draft.read("compile", keys, "torchcompile", by=as_flag)
    if keys.has("pretrained"):
        pretrained = as_flag(keys.plain("pretrained"))
        draft.file("strategy", "finetune" if pretrained else "from-scratch")
    _read_timm_gpus(document, draft)
    draft.defaults(_TIMM_DEFAULTS)
    draft.default("strategy", "from-scratch")


def _read_timm_gpus(document: Document, draft: Draft) -> None:
    words = list(document.program)
    for word, following in pairwise(words):
        if word.endswith("distributed_train.sh"):
            draft.file("gpus", as_count(following))
    read_launch(document, draft)
    gpus = draft.value("gpus")
    if gpus:
        draft.default("data_parallel", "ddp" if gpus > 1 else "none")


TIMM: Final = Format(name="timm", role="trainer", recognises=_recognises_timm, read=_read_timm)
