"""What comes with a model that the model document does not describe: encoders, an image tower.

A diffusion model is trained on latents of a frozen autoencoder and on embeddings of frozen text
encoders; a model of text and images has a tower that turns pictures into tokens. Their sizes are
facts of the catalog where the model is there, else those of models of its size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.sizing.facts import Architecture
from apps.sizing.task import Model

# Frozen text encoders by the size of the denoiser, billions of parameters: CLIP-L; CLIP-L and
# OpenCLIP bigG; T5-XXL beside them. Source: the model cards of SD 1.5, SDXL, SD3 and FLUX.
_TEXT_ENCODERS: Final = ((1.2, 0.123e9), (2.6, 0.818e9), (float("inf"), 4.76e9))
# The autoencoder of SD, SDXL and FLUX (84 million), counted on the meta device.
_AUTOENCODER_PARAMS: Final = 83.7e6
# The tower of CLIP ViT-L/14 at 336 pixels, of most models of text and images.
_TOWER_LAYERS: Final = 24
_TOWER_HIDDEN: Final = 1024
_TOWER_PATCH: Final = 14
_TOWER_SIDE: Final = 336
_BLOCK_PARAMS: Final = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Companions:
    """Frozen models beside a denoiser; `known` where the catalog names them. Counts."""

    text_encoder_params: float
    autoencoder_params: float
    text_tokens: float
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tower:
    """The image encoder inside a model of text and images, for one image.

    `patches` go through its layers, `image_tokens` of them join the text. `known` where the
    catalog names it.
    """

    params: float
    layers: int
    hidden: int
    patches: float
    image_tokens: float
    image_size: int
    known: bool


def companions_of(
    model: Model, architecture: Architecture | None, params: float
) -> Companions | None:
    """The frozen models that a diffusion model is trained with; None for every other kind."""
    if model.kind != "diffusion":
        return None
    extra = architecture.extra if architecture else {}
    known = "text_encoder_params" in extra
    usual = next(size for limit, size in _TEXT_ENCODERS if params <= limit * 1e9)
    return Companions(
        text_encoder_params=float(extra.get("text_encoder_params", usual)),
        autoencoder_params=float(extra.get("autoencoder_params", _AUTOENCODER_PARAMS)),
        text_tokens=float(extra.get("text_tokens", 77)),
        known=known,
    )


def tower_of(model: Model, architecture: Architecture | None) -> Tower | None:
    """The image encoder of a model of text and images; None for every other kind."""
    extra: Mapping[str, Any] = architecture.extra if architecture else {}
    if model.kind != "vlm" or "text_layers" in extra:
        return None
    layers = int(extra.get("vision_layers", _TOWER_LAYERS))
    hidden = int(extra.get("vision_hidden", _TOWER_HIDDEN))
    side = model.image_size or int(extra.get("vision_image_size", _TOWER_SIDE))
    patches = (side / int(extra.get("vision_patch", _TOWER_PATCH))) ** 2
    merged = patches / float(extra.get("vision_patches_per_token", 1))
    return Tower(
        params=float(extra.get("vision_params", _BLOCK_PARAMS * layers * hidden**2)),
        layers=layers,
        hidden=hidden,
        patches=patches,
        image_tokens=float(extra.get("image_tokens", merged)),
        image_size=side,
        known="vision_layers" in extra,
    )
