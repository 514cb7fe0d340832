"""The phases of a step, and the one that needs most: the peak is a maximum, not a sum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.activations import Activations, activations
from apps.sizing.memory.beside import (
    encoding_bytes,
    engine_bytes,
    with_companions,
    workspace_bytes,
)
from apps.sizing.memory.states import States, resident_states
from apps.sizing.memory.unsharded import Buffers, buffers
from apps.sizing.units import GIB

ENCODE: Final = "encode"
LOSS: Final = "loss"
BACKWARD: Final = "backward"
STEP: Final = "step"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """Bytes of one moment by component; `total` is their sum."""

    name: str
    weights: float
    gradients: float
    optimizer: float
    activations: float
    buffers: float

    @property
    def total(self) -> float:
        return self.weights + self.gradients + self.optimizer + self.activations + self.buffers


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The phases of a case and the largest of them; what the allocator needs besides."""

    phases: tuple[Phase, ...]
    kept: float
    working: float
    loss: float

    @property
    def phase(self) -> Phase:
        return max(self.phases, key=lambda p: p.total)

    @property
    def step(self) -> Phase:
        return next(p for p in self.phases if p.name == STEP)


@lru_cache(maxsize=128)
def peak_of(case: Case) -> Peak:
    """Every phase of `case` in bytes on the worst rank."""
    states, acts, held = resident_states(case), activations(case), buffers(case)
    states = with_companions(case, states)
    base = case.constants["allocator.base_gib"] * GIB + engine_bytes(case)
    if case.shape.sample is not None:
        base += workspace_bytes(case)
    phases = [
        _loss_phase(case, states, acts, held, base),
        _backward_phase(states, acts, held, base),
        _last_layer_phase(case, states, acts, held, base),
        _step_phase(states, base),
    ]
    if case.shape.companions is not None and not case.cached:
        phases.append(_encode_phase(case, states, base))
    return Peak(phases=tuple(phases), kept=acts.kept, working=acts.working, loss=acts.loss)


def _loss_phase(case: Case, states: States, acts: Activations, held: Buffers, base: float) -> Phase:
    """End of forward. In a pipeline the first stage holds most activations, the last the loss."""
    kept, buffer = acts.kept + acts.loss, held.loss
    if case.layout.pipeline > 1:
        first = acts.kept + case.tokens * 2 * case.shape.hidden
        last = acts.kept / acts.in_flight + acts.loss
        kept, buffer = max((first, held.backward), (last, held.loss), key=sum)
    return Phase(
        name=LOSS,
        weights=states.weights,
        gradients=states.early_gradients,
        optimizer=states.optimizer,
        activations=kept,
        buffers=buffer + states.buckets + base,
    )


def _backward_phase(states: States, acts: Activations, held: Buffers, base: float) -> Phase:
    """The first layer that is run backward: all inputs are kept, gradients have not come yet."""
    return Phase(
        name=BACKWARD,
        weights=states.weights,
        gradients=states.early_gradients,
        optimizer=states.optimizer,
        activations=acts.kept + acts.working,
        buffers=held.backward + states.buckets + base,
    )


def _last_layer_phase(
    case: Case, states: States, acts: Activations, held: Buffers, base: float
) -> Phase:
    """The last layer that is run backward: one input is kept, all gradients have come."""
    return Phase(
        name=BACKWARD,
        weights=states.weights,
        gradients=states.gradients,
        optimizer=states.optimizer,
        activations=acts.kept / case.stage_layers + acts.working,
        buffers=held.backward + states.buckets + base,
    )


def _step_phase(states: States, base: float) -> Phase:
    """The optimizer's step: no activations, all gradients, its temporaries."""
    return Phase(
        name=STEP,
        weights=states.weights,
        gradients=states.gradients,
        optimizer=states.optimizer,
        activations=0.0,
        buffers=states.step_temporary + states.buckets + base,
    )


def _encode_phase(case: Case, states: States, base: float) -> Phase:
    """Images become latents before the forward pass: nothing of it is kept but the latents."""
    return Phase(
        name=ENCODE,
        weights=states.weights,
        gradients=states.early_gradients,
        optimizer=states.optimizer,
        activations=encoding_bytes(case),
        buffers=states.buckets + base,
    )
