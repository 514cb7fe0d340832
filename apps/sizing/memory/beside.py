"""What lies on a GPU beside the model that is trained, and what works there before it.

Frozen text encoders and the autoencoder of a diffusion model, a moving average of the weights, the
image tower's activations, the room of a generation engine. Bytes of one GPU.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.states import States
from apps.sizing.units import GIB

# Bytes per pixel of one image that the encoder of an autoencoder of SD's family holds in fp32: its
# widest stage has 128 channels at full resolution, about five such tensors at a time. Source:
# counted from its layers; 2 to 4 GiB at 1024 pixels are reported.
ENCODING_BYTES_PER_PIXEL: Final = 2600.0
# A frozen tower runs without gradients: the widest tensors of one block, bytes per token and
# hidden element in half precision (input, norm, 4 × hidden twice).
_PASSING_BYTES: Final = 20.0
# Bytes per token, layer and hidden element of a trained tower: as a ViT's block.
_TOWER_BYTES: Final = 32.6
_INPUT_BYTES: Final = 2.0
# cuDNN's workspace for convolutions: 0.1 to 1 GiB, the more so where it may try algorithms out.
WORKSPACE_GIB: Final = 0.3


def with_companions(case: Case, states: States) -> States:
    """States with the frozen encoders among the weights, the average among the optimizer's."""
    weights = states.weights + frozen_encoder_bytes(case)
    if not case.averaged:
        return states if weights == states.weights else replace(states, weights=weights)
    # An average is kept in the type of the trained weights: fp32 unless all is in half precision.
    trained = case.shape.total_params * (1.0 - case.frozen_share)
    average = trained * case.states.weights / case.layout.weight_shards
    return replace(states, weights=weights, optimizer=states.optimizer + average)


def frozen_encoder_bytes(case: Case) -> float:
    """Text encoders in the type of the pass and the autoencoder in fp32, whole on every GPU."""
    companions = case.shape.companions
    if companions is None or case.cached:
        return 0.0
    text = companions.text_encoder_params * case.compute_bytes
    return text + companions.autoencoder_params * 4.0


def encoding_bytes(case: Case) -> float:
    """What the autoencoder holds while it encodes a micro-batch, before the forward pass."""
    sample = case.shape.sample
    if case.shape.companions is None or case.cached or sample is None:
        return 0.0
    return ENCODING_BYTES_PER_PIXEL * sample.image_size**2 * case.micro_batch


def tower_kept_bytes(case: Case) -> float:
    """Activations of the image tower that wait for backward, one image a sample."""
    tower = case.shape.tower
    if tower is None or not case.tower_trained:
        return 0.0
    each = _INPUT_BYTES if case.checkpointing == "full" else _TOWER_BYTES
    each *= case.compute_bytes / 2.0
    return each * tower.hidden * tower.layers * tower.patches * case.micro_batch


def tower_working_bytes(case: Case) -> float:
    """One block of the image tower at work."""
    tower = case.shape.tower
    if tower is None:
        return 0.0
    each = _TOWER_BYTES if case.tower_trained else _PASSING_BYTES
    each *= case.compute_bytes / 2.0
    return each * tower.hidden * tower.patches * case.micro_batch


def engine_bytes(case: Case) -> float:
    """What a generation engine beside training keeps for itself on the card."""
    return case.engine_share * case.card.usable_memory_gib * GIB


def workspace_bytes(case: Case) -> float:
    """cuDNN's workspace, for models of convolutions."""
    sample = case.shape.sample
    return 0.0 if sample is None or sample.dense else WORKSPACE_GIB * GIB
