"""What a recipe cannot say about time, as alternatives to a case: (cause, seconds at its ends)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.timing.links import Links, usual_network_gbit
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
# Host CPUs of training servers launch kernels at rates this far apart; how many there are is known
# of measured stacks and of those that run the same models of Transformers.
_HOST_KNOWN: Final = (0.8, 1.25)
_HOST_UNKNOWN: Final = (0.6, 1.5)
# Of its name, what NCCL gets out of Ethernet by sockets: a quarter at the low end, untuned.
_SOCKET_RATIO: Final = 0.25
# What the CPU may need to launch a pass over images, beside the card: some two thousand kernels of a
# network of 200 to 400 layers, forward and backward, 10 µs each. Small batches wait for it.
_IMAGE_LAUNCHES_S: Final = 0.02
# A dialect with fewer timed runs than this is only described, not known.
_FEW_RUNS: Final = 5


def time_doubts(
    case: Case, links: Links, total_s: float
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Every doubt that applies, with the seconds of a step at its ends."""
    if case.layout.gpus > 1:
        factors = (links.low, links.high)
        yield "links", tuple(step_time(case, link_factor=f).total_s for f in factors)
    if case.precision == "fp32":
        rounded, plain = full_precision_tflops_per_s(case)
        yield "tensor-cores", (total_s * _COMPUTE_SHARE * rounded / plain,)
    if case.shape.sample is not None:
        yield "host", (total_s + _IMAGE_LAUNCHES_S * case.accumulation,)
        return
    if case.shape.head_dim % _ALIGNED:
        yield "head-alignment", (total_s * _MISALIGNED,)
    for cause, doubt in _DOUBTS:
        ends = tuple(step_time(other).total_s for other in doubt(case))
        if ends:
            yield cause, ends


def _thin(case: Case) -> bool:
    """Nobody timed this dialect."""
    return case.dialect.time_runs < _FEW_RUNS


def _attention_kernel(case: Case) -> Iterator[Case]:
    kernels = case.family.attention
    if case.sequence < _LONG_SEQUENCE or case.dialect.attention not in ("flash", "hf"):
        return
    for rate in sorted({kernels["flash"], kernels["hf"]}):
        both = {**kernels, "flash": rate, "hf": rate}
        yield case.vary(family=replace(case.family, attention=both))


def _host(case: Case) -> Iterator[Case]:
    """Small passes wait for the CPU; CPUs differ, and how many kernels a script launches."""
    counted = case.dialect.peft or not _thin(case)
    for ratio in _HOST_KNOWN if counted else _HOST_UNKNOWN:
        yield case.vary(dialect=replace(case.dialect, host_ratio=ratio))


def _wrapped_adapters(case: Case) -> Iterator[Case]:
    """A script may wrap every adapter in a unit of its own, as policies for PEFT do."""
    dialect = case.dialect
    own_loop = dialect.stack == "torch" and not dialect.peft and not dialect.wraps_layers
    if own_loop and case.adapters is not None and case.layout.gathers_weights:
        yield case.vary(dialect=replace(case.dialect, peft=True))


def _selection(case: Case) -> Iterator[Case]:
    """ "Selective" recomputes something between nothing and everything."""
    if case.checkpointing == "selective" and not case.megatron and _thin(case):
        yield case.vary(checkpointing="none")
        yield case.vary(checkpointing="full")


def _overlap(case: Case) -> Iterator[Case]:
    """Stacks hide tensor-parallel exchange, Megatron gradients too, where they are told to."""
    dialect, layout = case.dialect, case.layout
    exchanges = layout.tensor > 1 or (case.megatron and layout.replicas > 1)
    if exchanges and not dialect.tensor_parallel_hidden:
        yield case.vary(overlapped=not case.overlapped)


def _interleaving(case: Case) -> Iterator[Case]:
    """A long pipeline may be interleaved without a word about it."""
    layout = case.layout
    if case.megatron and layout.pipeline > 1 and layout.chunks == 1 and case.overlapped:
        chunks = max(1, min(4, case.shape.layers // layout.pipeline))
        yield case.vary(layout=replace(layout, chunks=chunks))


def _network(case: Case) -> Iterator[Case]:
    """Adapters of a node that nobody counted, or a network that nobody named."""
    layout = case.layout
    if layout.nodes == 1:
        return
    if layout.inter_gbit is None:
        usual = usual_network_gbit(case)
        for factor in (0.25, 2.0):
            yield case.vary(layout=replace(layout, inter_gbit=usual * factor))
    elif layout.ports_assumed > 1 or layout.sockets:
        low = _SOCKET_RATIO if layout.sockets else 1.0
        one = layout.inter_gbit / layout.ports_assumed * low
        yield case.vary(layout=replace(layout, inter_gbit=one))


def _reduction(case: Case) -> Iterator[Case]:
    """Gradients travel in fp32 or in half precision."""
    if _thin(case) and case.layout.gathers_weights and case.dialect.stack == "torch":
        yield case.vary(reduces_in_half=not case.reduces_in_half)


def _pointwise(case: Case) -> Iterator[Case]:
    """A script's own norms and activations may be written as plainly as HF's."""
    plain = case.dialect.elementwise == "plain" and not (case.compiled or case.fused_kernels)
    if _thin(case) and plain:
        yield case.vary(dialect=replace(case.dialect, elementwise="unfused", kernels_per_layer=40))


_DOUBTS: Final[tuple[tuple[str, Callable[[Case], Iterator[Case]]], ...]] = (
    ("attention-kernel", _attention_kernel),
    ("host", _host),
    ("wrapped-adapters", _wrapped_adapters),
    ("selection", _selection),
    ("overlap", _overlap),
    ("interleaving", _interleaving),
    ("network", _network),
    ("reduction", _reduction),
    ("pointwise", _pointwise),
)
