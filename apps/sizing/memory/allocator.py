"""From what tensors take to what the allocator holds and what the driver shows.

The caching allocator keeps freed blocks that later requests do not fit; the CUDA context and the
communicators are outside its count.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.sizing.cases import Case
from apps.sizing.memory.phases import BACKWARD, LOSS, Peak, Phase
from apps.sizing.memory.states import paged_bytes
from apps.sizing.units import GIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Bytes: tensors at the peak, what the allocator holds, what nvidia-smi would show.

    `needed` is what the run cannot do without: tensors, unavoidable gaps, context. Above the
    card it runs out of memory; between that and the card the allocator gives back what it caches.
    """

    allocated: float
    reserved: float
    device: float
    needed: float


def held_memory(case: Case, peak: Peak) -> Held:
    """The figures of one case on its card."""
    constants, allocated = case.constants, peak.phase.total
    hf = case.dialect.allocator == "hf"
    reserved = _reserved_hf(case, peak) if hf else _reserved(case, allocated)
    context = _context_bytes(case)
    if hf and case.layout.gpus > 1:
        context += constants["context.hf_several_gib"] * GIB
    least = allocated * constants["allocator.least_ratio"]
    usable = case.card.usable_memory_gib * GIB * constants["allocator.card_share"]
    reserved = min(reserved, max(least, usable - context))
    # Pages of the driver fill what is left of the card; the rest of them wait on the host.
    paged = min(paged_bytes(case), max(0.0, usable - context - reserved))
    return Held(
        allocated=allocated,
        reserved=reserved,
        device=reserved + context + paged,
        needed=least + context,
    )


def _reserved(case: Case, allocated: float) -> float:
    if case.fused_loss:
        full = case.checkpointing == "full"
        kind = "allocator.fused_loss" if full else "allocator.fused_loss_plain"
        return allocated * case.constants[kind]
    alone = case.layout.gpus == 1
    return allocated * (case.dialect.reserved_ratio_alone if alone else case.dialect.reserved_ratio)


def _reserved_hf(case: Case, peak: Peak) -> float:
    """HF Trainer fragments differently in every phase; see `allocator.*` of the calibration."""
    full = case.checkpointing == "full"
    if case.adapters is None and case.layout.shard > 1:
        # Freed activations are not reused by the flat temporaries of the step: the sum is held.
        total = peak.step.total + peak.kept + peak.loss + (peak.working if full else 0.0)
        return max(total, peak.phase.total * 1.05)
    return max(_held_in(case, phase, peak.loss, full=full) for phase in peak.phases)


def _held_in(case: Case, phase: Phase, loss: float, *, full: bool) -> float:
    """What the allocator holds if `phase` is what bounds it."""
    constants = case.constants
    if phase.name == LOSS:
        if not full:
            return phase.total * (1 + constants["allocator.hf_loss_plain"])
        kind = "allocator.hf_loss_fused" if case.fused_kernels else "allocator.hf_loss"
        return phase.total + loss * constants[kind]
    if phase.name == BACKWARD:
        alone = case.layout.gpus == 1
        kind = "allocator.hf_backward_alone" if alone else "allocator.hf_backward"
        return phase.total * constants[kind]
    return phase.total * constants["allocator.hf_step"]


def _context_bytes(case: Case) -> float:
    """CUDA context and communicators."""
    layout, constants = case.layout, case.constants
    gib = case.family.context_gib
    if layout.gpus > 1:
        gib += constants["context.several_gib"]
    if layout.tensor * layout.pipeline * layout.context > 1:
        gib += constants["context.parallel_gib"]
    return gib * GIB
