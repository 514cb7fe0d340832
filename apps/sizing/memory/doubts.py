"""What a recipe cannot say about memory, as alternatives to a case.

Each doubt is a behaviour of the software that published runs show both ways: which loss kernel,
whether accumulation synchronises, how 4-bit weights are stored. It yields the case at its own
90 % ends. How wide the rest is stands with the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.task import Recipe

Doubt = tuple[str, tuple[Case, ...]]


def memory_doubts(case: Case, recipe: Recipe) -> Iterator[Doubt]:
    """Every doubt that applies, with the cases at its ends."""
    for cause, doubt in _DOUBTS:
        ends = tuple(doubt(case, recipe))
        if ends:
            yield cause, ends


def _loss_kernel(case: Case, recipe: Recipe) -> Iterator[Case]:
    """Copies of the logits differ by version: shifts, upcasts, chunks."""
    if case.megatron or case.fused_loss or case.shape.sample is not None:
        return
    dialect = case.dialect
    low, high = dialect.loss_low, dialect.loss_high
    if case.fused_kernels:
        low, high = 0.0, 2.0
    elif dialect.peft and case.adapters is not None:
        low += 1.0  # adapters are measured at 13 bytes, between 10 and 15
    yield replace(case, loss_bytes=max(0.0, case.loss_bytes + low))
    yield replace(case, loss_bytes=case.loss_bytes + high)


def _residual_stream(case: Case, recipe: Recipe) -> Iterator[Case]:
    """k-bit preparation may leave the residual stream in fp32."""
    if (
        case.quantization != "none"
        and case.dialect.peft
        and case.layout.kind in ("none", "ddp")
        and case.checkpointing == "full"
        and not case.fused_kernels
    ):
        yield replace(case, residual_bytes=case.residual_bytes + 2.0)


_DOUBTS: Final[tuple[tuple[str, Callable[[Case, Recipe], Iterator[Case]]], ...]] = (
    ("loss-kernel", _loss_kernel),
    ("residual-stream", _residual_stream),
)
