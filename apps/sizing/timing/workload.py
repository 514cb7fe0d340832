"""How much work a case is: samples and tokens of a step, operations, steps of a whole run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.cases import LOW_PRECISIONS, Case
from apps.sizing.task import Task
from apps.sizing.timing.rates import dense_tflops_per_s
from apps.sizing.units import TERA

_BIDIRECTIONAL: Final = frozenset({"encoder", "encoder-decoder"})


def tokens_per_step_per_gpu(case: Case) -> float:
    """Tokens of an average optimizer step divided by the GPUs that share them."""
    layout = case.layout
    return case.tokens * case.padding * case.accumulation / (layout.tensor * layout.pipeline)


def samples_per_step(case: Case) -> float:
    """Samples of one optimizer step, all GPUs together."""
    return case.samples * case.accumulation * case.layout.data


def model_flops_per_step_per_gpu(case: Case) -> float:
    """Operations of the model itself: no recomputation, no optimizer.

    6 operations per active parameter and token (4 where the base is frozen: no weight gradients),
    and 12·q·s per layer for attention over a square of scores (8 where it is frozen), half of
    that under a causal mask.
    """
    shape, layout = case.shape, case.layout
    frozen = case.adapters is not None
    images = case.micro_batch * case.accumulation
    if shape.sample is not None:
        return image_passes(case) * shape.sample.forward_flops * images
    per_token = (4.0 if frozen else 6.0 - 2.0 * case.frozen_share) * _token_params(case)
    length = case.sequence * case.padding
    scores = (8.0 if frozen else 12.0) * shape.layers * shape.query * length
    if shape.kind not in _BIDIRECTIONAL:
        scores /= 2
    tokens = case.tokens * case.padding * case.accumulation
    of_tokens = (per_token + scores) * tokens
    if shape.tower is not None:
        of_tokens += tower_flops(case) * images
    return of_tokens / (layout.tensor * layout.pipeline)


def _token_params(case: Case) -> float:
    """Parameters that multiply a token: no head where none is predicted, no image tower."""
    shape = case.shape
    params = shape.active_params
    if not case.predicts_tokens:
        params -= shape.embedding_params * shape.embedding_count
    if shape.tower is not None:
        params -= shape.tower.params
    return max(params, 0.0)


def image_passes(case: Case) -> float:
    """Forward passes that a step is worth: gradients of inputs take one, of weights another."""
    return 2.0 if case.adapters is not None else 3.0


def tower_flops(case: Case) -> float:
    """Operations of the image tower for one image: forward, and backward where it is trained."""
    tower = case.shape.tower
    assert tower is not None
    forward = 2.0 * tower.params * tower.patches
    forward += 4.0 * tower.layers * tower.hidden * tower.patches**2
    if not case.tower_trained:
        return forward
    return forward * image_passes(case)


def utilisation(case: Case, step_s: float) -> float:
    """Model operations over what the dense peak would do in the same time.

    The peak is that of half precision, or of fp8 where products run in fp8 or fp4.
    """
    peak = dense_tflops_per_s(case.card) * TERA
    if case.precision in LOW_PRECISIONS and case.card.fp8_tflops_per_s:
        peak = case.card.fp8_tflops_per_s * TERA
    return model_flops_per_step_per_gpu(case) / (peak * step_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLength:
    """Optimizer steps of what the task wants done: a whole run, or one epoch of it."""

    steps: float
    scope: str


def run_length(case: Case, task: Task) -> RunLength | None:
    """Steps of the run (or of one epoch, if the deadline is for one); None when unknown."""
    epoch = _epoch_steps(case, task)
    recipe = task.recipe
    if task.cycle.scope == "epoch" and epoch is not None:
        return RunLength(steps=epoch, scope="epoch")
    if recipe.steps is not None:
        return RunLength(steps=recipe.steps, scope="run")
    if epoch is None:
        return None
    return RunLength(steps=max(1.0, epoch * (recipe.epochs or 1.0)), scope="run")


def _epoch_steps(case: Case, task: Task) -> float | None:
    data = task.data
    if data.tokens and case.shape.sample is None:
        whole = case.tokens * case.padding * case.accumulation * case.layout.replicas
        return max(1.0, data.tokens / whole)
    samples: float | None = data.samples
    if not samples and data.bytes and data.bytes_per_sample:
        samples = data.bytes / data.bytes_per_sample
    if not samples and case.shape.sample is not None:
        samples = data.files
    return max(1.0, samples / samples_per_step(case)) if samples else None
