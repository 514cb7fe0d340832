"""Words for the codes that a person should not have to know.

A code that engineers write as it is (`adamw`, `bf16-mixed`, `fsdp`) has no entry: it is its own word.
"""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

YES: Final = pgettext_lazy("task value", "yes")
NO: Final = pgettext_lazy("task value", "no")

VALUE_LABELS: Final[dict[str, dict[str, Promise]]] = {
    "strategy": {
        "from-scratch": pgettext_lazy("task value", "from scratch"),
        "finetune": pgettext_lazy("task value", "fine-tuning of a ready model"),
        "continual": pgettext_lazy("task value", "regular further training"),
    },
    "method": {
        "full": pgettext_lazy("task value", "all weights"),
        "lora": pgettext_lazy("task value", "LoRA"),
        "qlora": pgettext_lazy("task value", "QLoRA"),
        "dora": pgettext_lazy("task value", "DoRA"),
        "freeze": pgettext_lazy("task value", "part of the layers"),
    },
    "model.kind": {
        "decoder": pgettext_lazy("task value", "decoder"),
        "encoder": pgettext_lazy("task value", "encoder"),
        "encoder-decoder": pgettext_lazy("task value", "encoder and decoder"),
        "moe-decoder": pgettext_lazy("task value", "decoder with experts (MoE)"),
        "vlm": pgettext_lazy("task value", "text and images"),
        "vision": pgettext_lazy("task value", "vision"),
        "diffusion": pgettext_lazy("task value", "diffusion"),
    },
    "recipe.stage": {
        "pretrain": pgettext_lazy("task value", "pretraining"),
        "sft": pgettext_lazy("task value", "training on examples (SFT)"),
        "rm": pgettext_lazy("task value", "reward model"),
    },
    "recipe.master_weights": {"none": pgettext_lazy("task value", "not kept")},
    "recipe.quantization": {"none": pgettext_lazy("task value", "without quantization")},
    "recipe.optimizer": {"other": pgettext_lazy("task value", "another one")},
    "recipe.framework": {"other": pgettext_lazy("task value", "another one")},
    "recipe.activation_checkpointing": {
        "none": pgettext_lazy("task value", "off"),
        "selective": pgettext_lazy("task value", "selective"),
        "full": pgettext_lazy("task value", "full"),
    },
    "recipe.offload": {
        "none": pgettext_lazy("task value", "off"),
        "optimizer": pgettext_lazy("task value", "optimizer states"),
        "params": pgettext_lazy("task value", "parameters"),
        "activations": pgettext_lazy("task value", "activations"),
    },
    "recipe.lora_targets": {"all-linear": pgettext_lazy("task value", "all linear layers")},
    "data.kind": {
        "text": pgettext_lazy("task value", "text"),
        "images": pgettext_lazy("task value", "images"),
        "video": pgettext_lazy("task value", "video"),
        "multimodal": pgettext_lazy("task value", "several kinds together"),
    },
    "data.preprocessing": {
        "light": pgettext_lazy("task value", "light"),
        "medium": pgettext_lazy("task value", "medium"),
        "heavy": pgettext_lazy("task value", "heavy"),
    },
    "data.location": {
        "local": pgettext_lazy("task value", "on local disks"),
        "nfs": pgettext_lazy("task value", "on NFS"),
        "san": pgettext_lazy("task value", "on a SAN"),
        "object": pgettext_lazy("task value", "in object storage"),
    },
    "cycle.scope": {
        "epoch": pgettext_lazy("task value", "one epoch"),
        "run": pgettext_lazy("task value", "the whole run"),
    },
    "horizon.use": {
        "one-off": pgettext_lazy("task value", "one project"),
        "1-2y": pgettext_lazy("task value", "1–2 years"),
        "3-5y": pgettext_lazy("task value", "3–5 years"),
    },
    "horizon.sharing": {
        "team": pgettext_lazy("task value", "one team"),
        "shared": pgettext_lazy("task value", "several teams"),
        "service": pgettext_lazy("task value", "a service for others"),
    },
    "placement.data_parallel": {"none": pgettext_lazy("task value", "none")},
}

ESTIMATORS: Final[dict[str, Promise]] = {
    "memory": pgettext_lazy("estimator", "Memory"),
    "interconnect": pgettext_lazy("estimator", "Link between GPUs"),
    "time": pgettext_lazy("estimator", "Time"),
    "storage": pgettext_lazy("estimator", "Storage"),
    "host": pgettext_lazy("estimator", "CPU and RAM"),
    "rack": pgettext_lazy("estimator", "Rack"),
    "assemble": pgettext_lazy("estimator", "The whole"),
}

COMPONENTS: Final[dict[str, Promise]] = {
    "weights": pgettext_lazy("part of memory", "Weights"),
    "gradients": pgettext_lazy("part of memory", "Gradients"),
    "optimizer": pgettext_lazy("part of memory", "Optimizer"),
    "activations": pgettext_lazy("part of memory", "Activations"),
    "buffers": pgettext_lazy("part of memory", "Buffers"),
}

STATUSES: Final[dict[str, Promise]] = {
    "ok": _("There is enough data for figures with a range."),
    "magnitude": _("There is little data: the figures show the order of magnitude only."),
    "insufficient": _("There is not enough data for figures; the open questions come first."),
}

VARIANTS: Final[dict[str, Promise]] = {
    "V0": pgettext_lazy("variant", "Pilot or rent first"),
    "V1": pgettext_lazy("variant", "Minimal"),
    "V2": pgettext_lazy("variant", "Comfortable node"),
    "V3": pgettext_lazy("variant", "Scale-out"),
    "given": pgettext_lazy("variant", "Platform of the task"),
}
