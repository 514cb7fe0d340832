"""What one image costs a vision or diffusion model: activations and operations.

From the catalog where the model was counted (saved-tensor accounting), scaled to the image; else
between counted models of its family; else by the widths of a transformer; else by size alone,
with a wide range.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.architectures import family_of
from apps.sizing.facts import Architecture, Catalog
from apps.sizing.task import Model
from apps.sizing.units import MIB

_KINDS: Final = frozenset({"vision", "diffusion"})
# Half-widths of a 90 % range: counted at this size or near it; counted at another; between
# counted models of one family; by widths; by size alone.
_COUNTED: Final = 0.10
_SCALED: Final = 0.15
_FAMILY: Final = 0.35
_BY_WIDTHS: Final = 0.35
_BY_SIZE: Final = 1.00
# Clips: how many frames one has no task says.
_CLIP: Final = 0.70
# Outside the sizes that were counted, a family's activations and operations grow so with its
# parameters: 0.5 to 0.9 between the counted models of ten families.
_FAMILY_GROWTH: Final = 0.7
# Nearer than this to a counted model, on the logarithm between two, there is nothing to interpolate.
_SAME_SIZE: Final = 0.02
# Bytes per token, layer and hidden element of a ViT block in half precision, under autocast and in
# fp32: 32.3 to 32.8 counted over ViT-B/L/H at 224 to 518 pixels, 36.6 and 65.
_BLOCK_BYTES: Final = (32.6, 36.6, 65.0)
# Blocks of a diffusion transformer: 42 counted of SD3, in all half-precision modes.
_DENOISER_BYTES: Final = (42.0, 42.0, 84.0)
# Counted convolutional networks of the catalog: 60 MiB an image of 224 pixels at 40 M parameters,
# growing with the root of the size; single models lie within a factor of two.
_CONV_MIB: Final = 60.0
_CONV_PARAMS: Final = 40e6
_CONV_SIDE: Final = 224
# Denoisers at 1024 pixels: SDXL's takes 6569 MiB at 2.57 billion parameters, SD3's the same at
# 2.03 billion (counted).
_DENOISER_MIB: Final = 6569.0
_DENOISER_PARAMS: Final = 2.3e9
_DENOISER_SIDE: Final = 1024
# Pixels a token of a latent transformer covers: autoencoder of 8, patches of 2.
_LATENT_PATCH: Final = 16
_PATCH: Final = 16
# How far a pixel does arithmetic: operations per parameter at the usual size. Convolutional
# networks; denoisers between SDXL's UNet (2630) and a transformer over all tokens (6000).
_CONV_FLOPS_PER_PARAM: Final = 320.0
_DENOISER_FLOPS_PER_PARAM: Final = 3970.0
# Tokens of a caption at the text tower of a pair of towers (CLIP).
_CAPTION_TOKENS: Final = 77
# Decoders and detectors of which the name tells only the backbone. Of those that were counted,
# UperNet keeps 1.4 times of its backbone's bytes and calculates 3.6 times as much.
_UNCOUNTED_HEADS: Final = re.compile(
    r"mask2former|maskformer|oneformer|detr|cascade|fcos|centernet|dpt|vitdet|unetr"
)
_HEAD_BYTES: Final = 1.5
_HEAD_FLOPS: Final = 2.5
_WITH_HEAD: Final = 0.80
_PATCH_IN_NAME: Final = re.compile(r"patch_?(\d+)|-[a-z]/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCost:
    """One image at its size: bytes kept for backward, forward operations, how sure.

    `half_bytes` where everything is in half precision, `mixed_bytes` under autocast, `full_bytes`
    in fp32. `width` is the relative half-width of a 90 % range of both; `basis` says what it rests
    on: `counted`, `family`, `backbone`, `widths` or `size`. `score_flops` are the operations of attention over all
    pairs of tokens, part of the whole. `frames` of a clip's latents are one sample of a video
    model. `loss_bytes` live at the end of forward: predictions at the size of the image. `dense` says that the
    products are those of a transformer, not convolutions; `input_ratio` is the share of the bytes
    that recomputing every block keeps, None where the blocks are not known.
    """

    half_bytes: float
    mixed_bytes: float
    full_bytes: float
    forward_flops: float
    width: float
    image_size: int
    basis: str
    score_flops: float = 0.0
    frames: float = 1.0
    loss_bytes: float = 0.0
    dense: bool = False
    input_ratio: float | None = None


def sample_cost(
    model: Model, architecture: Architecture | None, params: float, catalog: Catalog
) -> SampleCost | None:
    """The cost of one image, or None for a model of text."""
    extra = architecture.extra if architecture else {}
    if model.kind == "vlm" and architecture is not None and "text_layers" in extra:
        return _pair_of_towers(model, architecture)
    if model.kind not in _KINDS:
        return None
    if architecture is not None and "activation_mib_bf16" in extra:
        return _counted(model.image_size, architecture)
    family = family_of(model, catalog)
    if family:
        found = _between(model, family, params)
        return _with_head(found) if _UNCOUNTED_HEADS.search((model.name or "").lower()) else found
    if model.layers and model.hidden:
        return _by_widths(model, extra)
    return _by_size(model, params)


def _counted(image_size: int | None, architecture: Architecture) -> SampleCost:
    extra = architecture.extra
    reference = int(extra["reference_image_size"])
    side = image_size or reference
    scale = _token_ratio(extra, side, reference)
    # Scores of attention over the whole image grow with the square of its tokens.
    scores = float(extra.get("attention_gflops_per_sample", 0.0))
    rest = extra["forward_gflops_per_sample"] - scores
    dense = bool(architecture.hidden or scores) and "patch" in extra
    half = extra["activation_mib_bf16"] * MIB * scale
    return SampleCost(
        half_bytes=half,
        mixed_bytes=extra["activation_mib_amp"] * MIB * scale,
        full_bytes=extra["activation_mib_fp32"] * MIB * scale,
        forward_flops=(rest * scale + scores * scale**2) * 1e9,
        width=max(_COUNTED if 0.5 <= scale <= 2 else _SCALED, float(extra.get("spread_ratio", 0))),
        image_size=side,
        basis="counted",
        score_flops=scores * scale**2 * 1e9,
        loss_bytes=float(extra.get("loss_bytes_per_pixel", 0)) * side**2,
        dense=dense,
        input_ratio=_input_ratio(architecture, side, half),
    )


def _token_ratio(extra: Mapping[str, Any], side: int, reference: int) -> float:
    """Pixels, or tokens where the model has some that no pixel brings."""
    patch, fixed = extra.get("patch"), float(extra.get("text_tokens", 0))
    if not patch or not fixed:
        return float(side / reference) ** 2
    tokens, counted = (float(s / patch) ** 2 + fixed for s in (side, reference))
    return tokens / counted


def _input_ratio(architecture: Architecture, side: int, half_bytes: float) -> float | None:
    """What stays when every block is recomputed: its input, two bytes an element."""
    patch = architecture.extra.get("patch")
    if not (architecture.layers and architecture.hidden and patch):
        return None
    tokens = (side / patch) ** 2 + float(architecture.extra.get("text_tokens", 0))
    return float(2.0 * tokens * architecture.hidden * architecture.layers / half_bytes)


def _between(model: Model, family: Sequence[Architecture], params: float) -> SampleCost:
    """Between the two counted models of the family that are next in size, on logarithms."""
    below = [a for a in family if a.params <= params]
    above = [a for a in family if a.params > params]
    nearest = max(below, key=_size) if below else min(above, key=_size)
    side = model.image_size or int(nearest.extra["reference_image_size"])
    # Smaller patches make as many more tokens as a larger image would.
    patch, named = nearest.extra.get("patch"), _named_patch(model.name or "")
    as_if = round(side * patch / named) if patch and named else side
    cost = replace(_counted(as_if, nearest), image_size=side)
    if not below or not above:
        grown = scaled(cost, (params / nearest.params) ** _FAMILY_GROWTH)
        return replace(grown, width=_FAMILY, basis="family")
    other = min(above, key=_size)
    share = math.log(params / nearest.params) / math.log(other.params / nearest.params)
    upper = _counted(as_if, other)
    grown = replace(
        cost,
        mixed_bytes=_mean(cost.mixed_bytes, upper.mixed_bytes, share),
        full_bytes=_mean(cost.full_bytes, upper.full_bytes, share),
        forward_flops=_mean(cost.forward_flops, upper.forward_flops, share),
        half_bytes=_mean(cost.half_bytes, upper.half_bytes, share),
    )
    same = min(share, 1.0 - share) < _SAME_SIZE
    return grown if same else replace(grown, width=_FAMILY, basis="family")


def _with_head(backbone: SampleCost) -> SampleCost:
    whole = scaled(backbone, _HEAD_BYTES)
    flops = backbone.forward_flops * _HEAD_FLOPS
    return replace(whole, forward_flops=flops, width=_WITH_HEAD, basis="backbone")


def _size(architecture: Architecture) -> float:
    return architecture.params


def _mean(lower: float, upper: float, share: float) -> float:
    return float(lower ** (1.0 - share) * upper**share)


def scaled(cost: SampleCost, factor: float) -> SampleCost:
    """`factor` times the bytes and the operations."""
    return replace(
        cost,
        half_bytes=cost.half_bytes * factor,
        mixed_bytes=cost.mixed_bytes * factor,
        full_bytes=cost.full_bytes * factor,
        forward_flops=cost.forward_flops * factor,
    )


def _pair_of_towers(model: Model, architecture: Architecture) -> SampleCost:
    """CLIP and its like: a tower for the image, one for its caption."""
    extra = architecture.extra
    side = model.image_size or int(extra["image_size"])
    assert model.layers is not None
    assert model.hidden is not None
    image = _blocks(model.layers, model.hidden, (side / extra["patch"]) ** 2 + 1, side)
    text = _blocks(extra["text_layers"], extra["text_hidden"], _CAPTION_TOKENS, side)
    return replace(
        image,
        half_bytes=image.half_bytes + text.half_bytes,
        mixed_bytes=image.mixed_bytes + text.mixed_bytes,
        full_bytes=image.full_bytes + text.full_bytes,
        forward_flops=image.forward_flops + text.forward_flops,
    )


def _by_widths(model: Model, extra: Mapping[str, Any]) -> SampleCost:
    assert model.layers is not None
    assert model.hidden is not None
    if model.kind == "diffusion":
        side = model.image_size or _DENOISER_SIDE
        frames = float(extra.get("latent_frames", 1))
        tokens = frames * (side / int(extra.get("patch", _LATENT_PATCH))) ** 2
        tokens += float(extra.get("text_tokens", 0))
        cost = _blocks(model.layers, model.hidden, tokens, side, each=_DENOISER_BYTES)
        return cost if frames == 1 else replace(cost, frames=frames, width=_CLIP)
    side = model.image_size or int(extra.get("image_size", _CONV_SIDE))
    patch = int(extra.get("patch") or _named_patch(model.name or "") or _PATCH)
    return _blocks(model.layers, model.hidden, (side / patch) ** 2 + 1, side)


def _named_patch(name: str) -> int | None:
    """The patch that a published name says: vit_base_patch8_224, ViT-B/16."""
    found = _PATCH_IN_NAME.search(name.lower())
    return int(found.group(1) or found.group(2)) if found else None


def _blocks(
    layers: int,
    hidden: int,
    tokens: float,
    side: int,
    each: tuple[float, float, float] = _BLOCK_BYTES,
) -> SampleCost:
    """Blocks of 12·h² parameters, and scores over all pairs of tokens: 4·h·T² a layer."""
    half, mixed, full = (bytes_ * hidden * layers * tokens for bytes_ in each)
    scores = 4.0 * layers * hidden * tokens**2
    return SampleCost(
        half_bytes=half,
        mixed_bytes=mixed,
        full_bytes=full,
        forward_flops=24.0 * layers * hidden**2 * tokens + scores,
        width=_BY_WIDTHS,
        image_size=side,
        basis="widths",
        score_flops=scores,
        dense=True,
        input_ratio=2.0 / each[0],
    )


def _by_size(model: Model, params: float) -> SampleCost:
    denoiser = model.kind == "diffusion"
    usual = _DENOISER_SIDE if denoiser else _CONV_SIDE
    side = model.image_size or usual
    pixels = (side / usual) ** 2
    if denoiser:
        half = _DENOISER_MIB * MIB * (params / _DENOISER_PARAMS) ** _FAMILY_GROWTH
        flops = _DENOISER_FLOPS_PER_PARAM * params
    else:
        half = _CONV_MIB * MIB * (params / _CONV_PARAMS) ** 0.5
        flops = _CONV_FLOPS_PER_PARAM * params
    return SampleCost(
        half_bytes=half * pixels,
        mixed_bytes=half * pixels,
        full_bytes=2.0 * half * pixels,
        forward_flops=flops * pixels,
        width=_BY_SIZE,
        image_size=side,
        basis="size",
        dense=denoiser,
    )
