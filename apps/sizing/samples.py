"""What one image costs a vision or diffusion model: activations and operations.

From the catalog where the model was counted (saved-tensor accounting), scaled by pixels; else by
the widths of a transformer; else by size alone, with a wide range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.facts import Architecture
from apps.sizing.task import Model
from apps.sizing.units import MIB

_KINDS: Final = frozenset({"vision", "diffusion"})
# Bytes per token, layer and hidden element of a ViT block in bf16: 32.3 to 32.8 measured over
# ViT-B/L/H at 224 to 518 pixels. fp32 takes twice that.
_BLOCK_BYTES: Final = 32.6
_FP32_RATIO: Final = 2.0
# Counted convolutional networks of the catalog: 60 MiB an image of 224 pixels at 40 M parameters,
# growing with the root of the size; single models lie within a factor of two.
_CONV_MIB: Final = 60.0
_CONV_PARAMS: Final = 40e6
_CONV_SIDE: Final = 224
# SDXL's denoiser at 1024 pixels: 6569 MiB at 2.57 billion parameters (counted).
_DIFFUSION_MIB: Final = 6569.0
_DIFFUSION_PARAMS: Final = 2.57e9
_DIFFUSION_SIDE: Final = 1024
# Pixels a token of a latent transformer covers: autoencoder of 8, patches of 2.
_LATENT_PATCH: Final = 16
_PATCH: Final = 16
# How far a pixel does arithmetic: operations per parameter and token-like position.
_CONV_FLOPS_PER_PARAM: Final = 320.0
_DIFFUSION_FLOPS_PER_PARAM: Final = 2630.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCost:
    """One image at its size: bytes kept for backward, forward operations, how sure.

    `width` is the relative half-width of a 90 % range of both.
    """

    half_bytes: float
    full_bytes: float
    forward_flops: float
    width: float
    image_size: int


def sample_cost(
    model: Model, architecture: Architecture | None, params: float
) -> SampleCost | None:
    """The cost of one image, or None for a model of text."""
    if model.kind not in _KINDS:
        return None
    extra = architecture.extra if architecture else {}
    if "activation_mib_bf16" in extra:
        return _counted(model, extra)
    if model.layers and model.hidden:
        return _transformer(model, params)
    return _by_size(model, params)


def _counted(model: Model, extra: Mapping[str, Any]) -> SampleCost:
    reference = int(extra["reference_image_size"])
    side = model.image_size or reference
    pixels = (side / reference) ** 2
    return SampleCost(
        half_bytes=extra["activation_mib_amp"] * MIB * pixels,
        full_bytes=extra["activation_mib_fp32"] * MIB * pixels,
        forward_flops=extra["forward_gflops_per_sample"] * 1e9 * pixels,
        width=0.15,
        image_size=side,
    )


def _transformer(model: Model, params: float) -> SampleCost:
    assert model.layers is not None
    assert model.hidden is not None
    diffusion = model.kind == "diffusion"
    side = model.image_size or (_DIFFUSION_SIDE if diffusion else _CONV_SIDE)
    tokens = (side / (_LATENT_PATCH if diffusion else _PATCH)) ** 2 + 1
    half = _BLOCK_BYTES * model.hidden * model.layers * tokens
    scores = 4.0 * model.layers * model.hidden * tokens**2
    return SampleCost(
        half_bytes=half,
        full_bytes=half * _FP32_RATIO,
        forward_flops=2 * params * tokens + scores,
        width=0.35,
        image_size=side,
    )


def _by_size(model: Model, params: float) -> SampleCost:
    diffusion = model.kind == "diffusion"
    usual = _DIFFUSION_SIDE if diffusion else _CONV_SIDE
    side = model.image_size or usual
    pixels = (side / usual) ** 2
    if diffusion:
        half = _DIFFUSION_MIB * MIB * (params / _DIFFUSION_PARAMS) ** 0.7
        flops = _DIFFUSION_FLOPS_PER_PARAM * params
    else:
        half = _CONV_MIB * MIB * (params / _CONV_PARAMS) ** 0.5
        flops = _CONV_FLOPS_PER_PARAM * params
    return SampleCost(
        half_bytes=half * pixels,
        full_bytes=half * pixels * _FP32_RATIO,
        forward_flops=flops * pixels,
        width=0.7,
        image_size=side,
    )
