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
    "memory.assumption.image-counted": _(
        "What an image keeps was counted on this very model and scaled to a side of %(side)s pixels."
    ),
    "memory.assumption.image-family": _(
        "What an image keeps is taken between counted models of the same family, at a side of %(side)s pixels."
    ),
    "memory.assumption.image-backbone": _(
        "What an image keeps is taken from the backbone of the model with an allowance for its head, at a side of %(side)s pixels: an order of magnitude."
    ),
    "memory.assumption.image-widths": _(
        "What an image keeps is calculated from the widths of the model, at a side of %(side)s pixels."
    ),
    "memory.assumption.image-size": _(
        "What an image keeps is taken from the number of parameters alone, at a side of %(side)s pixels: an order of magnitude."
    ),
    "memory.assumption.clip": _(
        "A sample is a clip; in latents its frames are taken to be: %(count)s."
    ),
    "memory.assumption.encoders-resident": _(
        "The frozen text encoders and the autoencoder stay on the card during training and take %(encoders_gib)s of it."
    ),
    "memory.assumption.encoders-cached": _(
        "Latents and embeddings of captions are made before training; encoders kept on the card would take another %(encoders_gib)s."
    ),
    "memory.assumption.average-kept": _("A moving average of the weights (EMA) is on the card."),
    "memory.assumption.average-not-kept": _(
        "No moving average of the weights (EMA) is kept on the card."
    ),
    "memory.assumption.tower-frozen": _(
        "The image encoder is frozen; each sample has one image, whose tokens are part of the stated length: %(count)s."
    ),
    "memory.assumption.tower-trained": _(
        "The image encoder is trained too; each sample has one image, whose tokens are part of the stated length: %(count)s."
    ),
    "memory.assumption.predicts-tokens": _(
        "The encoder is trained to predict masked tokens: the loss is over the whole vocabulary."
    ),
    "memory.assumption.predicts-classes": _(
        "The encoder is tuned to classify or to embed: there is no output over the vocabulary."
    ),
    "memory.assumption.pairs": _(
        "A sample is a pair of answers: both go through the model in one pass."
    ),
    "memory.assumption.magnitude-only": _(
        "Reinforcement holds several models and generates answers on the way: the figure is an order of magnitude."
    ),
    "memory.not-counted.task-losses": _(
        "What the losses of detection and segmentation keep (matching, masks) is not counted."
    ),
    "memory.not-counted.evaluation": _(
        "Evaluation and generation during training are not counted."
    ),
    "memory.not-counted.other-processes": _("Other processes on the same GPUs are not counted."),
    "memory.not-counted.generation": _(
        "The cache of keys and values for generating answers is not counted."
    ),
}
