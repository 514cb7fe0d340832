"""What no field of a task can say of other kinds of training, as alternatives to a case.

Each doubt is a fact that only the team knows (a moving average, cached latents, a frozen tower, a
reference model): its usual value stands in `settling_kinds`, here is the other end. The doubts of
`FACTS` are asked about as open questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.samples import SampleCost, scaled
from apps.sizing.settling_kinds import ENCODERS, ONLINE_STAGES
from apps.sizing.task import Task

# Copies of the reference model's logits while the policy's own wait for backward: half precision
# and its fp32 cast, per logit. Source: TRL's DPO and KTO trainers.
_REFERENCE_LOSS_BYTES: Final = 6.0
# Of the card, what vLLM beside GRPO takes unless told otherwise (TRL's `vllm_mode: colocate`).
_ENGINE_SHARE: Final = 0.3
# A clip that a model of pictures is trained on; VideoMAE and its like take 16 frames.
_CLIP_FRAMES: Final = 16.0
# Predictions in fp32, their log-probabilities and gradient take 12 bytes a class; the catalog counts
# 50 classes for each pixel (Cityscapes has 19, ADE20K 150), for detectors 80 for each anchor.
_CLASS_ENDS: Final = (0.3, 3.0)
# Language models trained on examples have none of these doubts.
_LANGUAGE: Final = frozenset({"decoder", "moe-decoder"})
_EXAMPLES: Final = frozenset({"sft", "pretrain"})
_PREFERENCES: Final = frozenset({"dpo", "kto"})


def kind_doubts(case: Case, task: Task) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """Every doubt about the kind of training that applies, with the cases at its ends."""
    if case.shape.kind in _LANGUAGE and case.stage in _EXAMPLES:
        return
    for cause, doubt in _DOUBTS:
        ends = tuple(doubt(case, task))
        if ends:
            yield cause, ends


def _averaging(case: Case, task: Task) -> Iterator[Case]:
    """Full training of a denoiser, and vision from scratch, with a moving average or without."""
    images = case.shape.sample is not None and case.adapters is None
    if images and (case.shape.kind == "diffusion" or task.strategy == "from-scratch"):
        yield case.vary(averaged=not case.averaged)


def _caching(case: Case, task: Task) -> Iterator[Case]:
    """Latents and captions' embeddings are made in every step, or once before training."""
    if case.shape.companions is not None:
        yield case.vary(cached=not case.cached)


def _tower(case: Case, task: Task) -> Iterator[Case]:
    """The image tower is frozen or trained."""
    if case.shape.tower is not None:
        share = case.shape.tower.params / case.shape.total_params
        whole = case.method == "full"
        frozen = share if whole and case.tower_trained else 0.0
        changed = {"frozen_share": frozen} if whole else {}
        yield case.vary(tower_trained=not case.tower_trained, **changed)


def _reference(case: Case, task: Task) -> Iterator[Case]:
    """The reference's log-probabilities may be computed before training; GRPO may do without."""
    if case.stage in _PREFERENCES or (case.stage == "grpo" and case.frozen_copies):
        yield case.vary(frozen_copies=0.0, reference_passes=0.0)


def _reference_logits(case: Case, task: Task) -> Iterator[Case]:
    if case.stage in _PREFERENCES and not case.fused_loss:
        yield case.vary(loss_bytes=case.loss_bytes + _REFERENCE_LOSS_BYTES)


def _generation(case: Case, task: Task) -> Iterator[Case]:
    """An engine that generates the answers may keep its share of the same card."""
    if case.stage in ONLINE_STAGES and not case.engine_share:
        yield case.vary(engine_share=_ENGINE_SHARE)


def _encoder_scores(case: Case, task: Task) -> Iterator[Case]:
    """Encoders with position biases or older code keep their scores."""
    if case.shape.kind in ENCODERS and task.recipe.attention is None and not case.eager:
        yield case.vary(eager=True)


def _encoder_head(case: Case, task: Task) -> Iterator[Case]:
    """An encoder whose stage nobody says may predict masked tokens or classify."""
    if case.shape.kind == "encoder" and task.recipe.stage is None:
        yield case.vary(predicts_tokens=not case.predicts_tokens)


def _trained_type(case: Case, task: Task) -> Iterator[Case]:
    """ "bf16" of a denoiser may mean weights and moments in bf16, as newer trainers load them."""
    mixed = case.precision.endswith("-mixed") and task.recipe.master_weights is None
    if case.shape.companions is not None and case.adapters is None and mixed:
        yield case.vary(states=case.calibration.states["pure"])


def _clip(case: Case, task: Task) -> Iterator[Case]:
    """Frames of a clip: half or twice; of a model of pictures that is given video, sixteen."""
    sample = case.shape.sample
    if sample is None:
        return
    if sample.frames > 1:
        yield _with_sample(case, scaled(sample, 0.5))
        yield _with_sample(case, scaled(sample, 2.0))
    elif task.data.kind == "video":
        yield _with_sample(case, scaled(sample, _CLIP_FRAMES))


def _pixel_classes(case: Case, task: Task) -> Iterator[Case]:
    """Predictions for every pixel or anchor: of a few classes, or of hundreds."""
    sample = case.shape.sample
    if sample is not None and sample.loss_bytes:
        for factor in _CLASS_ENDS:
            yield _with_sample(case, replace(sample, loss_bytes=sample.loss_bytes * factor))


def _with_sample(case: Case, sample: SampleCost) -> Case:
    return case.vary(shape=replace(case.shape, sample=sample))


_DOUBTS: Final[tuple[tuple[str, Callable[[Case, Task], Iterator[Case]]], ...]] = (
    ("weight-average", _averaging),
    ("cached-latents", _caching),
    ("image-tower", _tower),
    ("reference-model", _reference),
    ("reference-logits", _reference_logits),
    ("generation-engine", _generation),
    ("encoder-scores", _encoder_scores),
    ("encoder-head", _encoder_head),
    ("trained-type", _trained_type),
    ("clip-length", _clip),
    ("pixel-classes", _pixel_classes),
)
# Doubts that are asked about, by the name of the question: no field of a task says them.
FACTS: Final = {
    "weight-average": "recipe.weight_average",
    "cached-latents": "recipe.cached_latents",
    "image-tower": "recipe.image_tower",
    "reference-model": "recipe.reference_model",
    "generation-engine": "recipe.generation_engine",
    "encoder-head": "recipe.stage",
    "clip-length": "data.clip_frames",
    "pixel-classes": "data.pixel_classes",
}
