"""Memory of one GPU."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "memory.assumption.worst-rank": _("The figure is of the fullest GPU; the others need no more."),
    "memory.assumption.typical-value": _(
        "“%(field)s” was not stated; the usual value is taken: %(value)s."
    ),
    "memory.assumption.framework-unknown": _(
        "The framework was not stated; what most of them do is taken."
    ),
    "memory.assumption.quantised-base": _(
        "The frozen base takes %(bytes_per_parameter)s bytes a parameter."
    ),
    "memory.assumption.distributed-optimizer": _(
        "The optimizer states are spread over the replicas (distributed optimizer)."
    ),
    "memory.assumption.shape": _(
        "Dimensions of the model that were not stated are taken from its size: %(fields)s."
    ),
    "memory.assumption.longest-sample": _(
        "The peak is that of the longest sample, %(tokens)s; shorter ones need less."
    ),
    "memory.assumption.reference-model": _(
        "Beside the trained model, frozen copies are held in memory: %(count)s."
    ),
    "memory.not-counted.evaluation": _(
        "Evaluation and generation during training are not counted."
    ),
    "memory.not-counted.other-processes": _("Other processes on the same GPUs are not counted."),
    "memory.not-counted.generation": _(
        "The cache of keys and values for generating answers is not counted."
    ),
    "memory.not-counted.encoders": _(
        "Text and image encoders kept on the GPU during training are not counted."
    ),
    "memory.not-counted.moving-average": _(
        "A moving average of the weights (EMA) kept on the GPU is not counted."
    ),
    "memory.not-counted.vision-tower": _(
        "The image encoder of the model and its activations are not counted."
    ),
}
