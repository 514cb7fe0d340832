"""What a card reaches of its data sheet in one case."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from apps.sizing.cases import LOW_PRECISIONS, Case
from apps.sizing.facts import Accelerator
from apps.sizing.units import TERA

# Between these lengths the newer of two attention kernels takes over.
_USUAL_SEQUENCE: Final = 8_192
_LONG_SEQUENCE: Final = 32_768
# A card whose rate nobody states is taken at this share of what its bandwidth suggests:
# flops per byte of current training cards. Source: the catalog's own cards, median.
_FLOPS_PER_BYTE: Final = 250.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Operations and bytes per second.

    `product` is the dense rate of the pass's precision times what large products reach;
    `low_precision` the same for fp8 and fp4 products, None without them. `attention` is before
    the losses of short sequences and narrow heads. A product reaches half of its rate at
    `inner_half` elements of its inner dimension, and at `outer_half` elements of its output.
    """

    product: float
    low_precision: float | None
    cast_bytes: float
    attention: float
    bandwidth: float
    peak: float
    inner_half: float
    outer_half: float
    element_bytes: float


def dense_tflops_per_s(card: Accelerator) -> float:
    """The dense rate in half precision, from the catalog."""
    half = card.bf16_tflops_per_s or card.extra.get("fp16_tflops_per_s")
    return half or card.memory_tb_per_s * _FLOPS_PER_BYTE


def full_precision_tflops_per_s(case: Case) -> tuple[float, float]:
    """Rates of an fp32 run: on tensor cores (TF32) where the card has them, and without."""
    card = case.card
    plain = float(card.extra.get("fp32_tflops_per_s") or dense_tflops_per_s(card) / 8)
    if card.bf16_tflops_per_s is None:
        return plain, plain  # older cards have neither bf16 nor TF32
    stated = card.extra.get("tf32_tflops_per_s")
    rounded = float(stated or dense_tflops_per_s(card) * case.constants["rates.tf32"])
    return max(rounded, plain), plain


def runs_plain(case: Case) -> bool:
    """fp32 on a card without TF32: no tensor core takes part."""
    return case.precision == "fp32" and case.card.bf16_tflops_per_s is None


def rates_of(case: Case) -> Rates:
    """Rates of `case` on its card."""
    constants, family, card = case.constants, case.family, case.card
    peak = dense_tflops_per_s(card) * TERA
    if case.precision == "fp32":
        peak = full_precision_tflops_per_s(case)[0] * TERA
    ratio = min(0.92, family.gemm_ratio * case.dialect.gemm_gain)
    ratio *= _own(card, "product")
    if runs_plain(case):
        ratio = constants["rates.plain_fp32"]
    low = None
    gain = family.low_precision_gain.get(case.precision)
    if case.precision in LOW_PRECISIONS and card.fp8_tflops_per_s and gain:
        low = card.fp8_tflops_per_s * TERA * gain * ratio
    cast = "low_precision.cast_bytes_megatron" if case.megatron else "low_precision.cast_bytes"
    return Rates(
        product=peak * ratio,
        low_precision=low,
        cast_bytes=constants[cast],
        attention=peak * _attention_ratio(case) * _own(card, "attention"),
        bandwidth=card.memory_tb_per_s * TERA * constants["memory.bandwidth_ratio"],
        peak=peak,
        inner_half=constants["gemm.inner_half"],
        outer_half=constants["gemm.outer_half"] * peak / TERA / constants["gemm.outer_half_peak"],
        element_bytes=case.compute_bytes,
    )


def _attention_ratio(case: Case) -> float:
    """Rate of the attention kernel over the dense peak.

    Who trains on long sequences installs the newer of two kernels. Published runs of stas00 on
    H200: FlashAttention 3 from 32 768 tokens on, at 8 192 the rate of FlashAttention 2.
    """
    rates, kernel = case.family.attention, case.dialect.attention
    if kernel != "hf":
        return rates[kernel]
    newer = math.log2(case.sequence / _USUAL_SEQUENCE) / math.log2(_LONG_SEQUENCE / _USUAL_SEQUENCE)
    share = min(1.0, max(0.0, newer))
    between: float = rates["flash"] ** (1.0 - share) * rates["hf"] ** share
    return between


def _own(card: Accelerator, work: str) -> float:
    """How a card differs from its family in one kind of work."""
    return float(card.extra.get(f"{work}_rate_ratio", 1.0))


def product_s(rates: Rates, rows: float, columns: float, inner: float) -> float:
    """Seconds of one matrix product rows × inner by inner × columns.

    The rate falls for a short inner dimension and for few output elements (the card is not
    filled); it never beats the memory traffic of the three matrices.
    """
    outputs = rows * columns
    flops = 2.0 * outputs * inner
    efficiency = inner / (inner + rates.inner_half) * (outputs / (outputs + rates.outer_half))
    if rates.low_precision is not None:
        casts = rates.cast_bytes * (rows * inner + outputs) / rates.bandwidth
        seconds = flops / (rates.low_precision * efficiency) + casts
    else:
        seconds = flops / (rates.product * efficiency)
    traffic = rates.element_bytes * (outputs + (rows + columns) * inner)
    return max(seconds, traffic / rates.bandwidth)
