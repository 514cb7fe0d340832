"""Seconds of images: a vision or diffusion model, the encoders beside it, an image tower."""

from __future__ import annotations

from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.activations import image_bytes
from apps.sizing.samples import SampleCost
from apps.sizing.timing.rates import Rates, runs_plain
from apps.sizing.timing.workload import image_passes, tower_flops

# Forward operations per pixel of the encoder of SD's autoencoder: 1117 GFLOP at 512 pixels, counted.
_ENCODING_FLOPS_PER_PIXEL: Final = 4.26e6


def images_s(case: Case, rates: Rates, sample: SampleCost) -> float:
    """All micro-batches of a step: products, the traffic of point-wise layers, encoders.

    Recomputation adds a forward pass to the passes of operations and of traffic.
    """
    passes = image_passes(case)
    again = (passes + 1.0) / passes if case.checkpointing == "full" else 1.0
    images = case.micro_batch * case.accumulation
    product = _product_rate(case, rates, sample)
    products = passes * sample.forward_flops * images / product
    traffic = _traffic_bytes(case, sample) * images
    encoders = _encoder_flops(case, sample) * images / product
    return (products + traffic / rates.bandwidth) * again + encoders


def _traffic_bytes(case: Case, sample: SampleCost) -> float:
    """What point-wise layers read and write: frozen weights save none of it, adapters add theirs."""
    traffic = case.constants["images.traffic"] * image_bytes(case.vary(adapters=None), sample)
    return traffic * case.constants["images.adapter_traffic"] if case.adapters else traffic


def _product_rate(case: Case, rates: Rates, sample: SampleCost) -> float:
    """Blocks of a transformer multiply as language models do; convolutions reach less."""
    if sample.dense or runs_plain(case):
        return rates.product
    return rates.peak * case.constants["images.product_ratio"]


def _encoder_flops(case: Case, sample: SampleCost) -> float:
    """Frozen encoders that run in every step: text, and images into latents; forward only."""
    companions = case.shape.companions
    if companions is None or case.cached:
        return 0.0
    text = 2.0 * companions.text_encoder_params * companions.text_tokens
    return text + _ENCODING_FLOPS_PER_PIXEL * sample.image_size**2


def tower_s(case: Case, rates: Rates) -> float:
    """The image tower of one micro-batch."""
    if case.shape.tower is None:
        return 0.0
    again = 4 / 3 if case.tower_trained and case.checkpointing == "full" else 1.0
    return tower_flops(case) * case.micro_batch * again / rates.product
