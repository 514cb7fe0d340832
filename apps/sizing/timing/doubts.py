"""What a recipe cannot say about time, as alternatives to a case: (cause, seconds at its ends)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.timing.links import Links
from apps.sizing.timing.rates import full_precision_tflops_per_s
from apps.sizing.timing.steps import step_time

# From this length on, the generation of the attention kernel decides the step on cards that have
# two: up to a factor of two. Source: published runs of STAS and torchtitan on Hopper.
_LONG_SEQUENCE: Final = 16_384
# Share of an fp32 step that is products: what plain fp32 would slow down.
_COMPUTE_SHARE: Final = 0.8
# Heads whose width is no multiple of 8 miss the tensor cores: +58 % in the BLOOM trials.
_ALIGNED: Final = 8
_MISALIGNED: Final = 1.6


def time_doubts(
    case: Case, links: Links, total_s: float
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Every doubt that applies, with the seconds of a step at its ends."""
    if case.layout.gpus > 1:
        ends = (
            step_time(case, link_factor=links.low).total_s,
            step_time(case, link_factor=links.high).total_s,
        )
        yield "links", ends
    if case.precision == "fp32":
        rounded, plain = full_precision_tflops_per_s(case)
        yield "tensor-cores", (total_s * _COMPUTE_SHARE * rounded / plain,)
    if case.shape.sample is None and case.shape.head_dim % _ALIGNED:
        yield "head-alignment", (total_s * _MISALIGNED,)
    kernels = case.family.attention
    if case.sequence >= _LONG_SEQUENCE and len(set(kernels.values())) > 1:
        names = ("flash", "hf") if case.dialect.attention in ("flash", "hf") else ()
        others = (case.vary(dialect=replace(case.dialect, attention=name)) for name in names)
        found = tuple(step_time(other).total_s for other in others)
        if found:
            yield "attention-kernel", found
