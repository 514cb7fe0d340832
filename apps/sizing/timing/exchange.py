"""What GPUs exchange in a step: bytes each sends, and seconds by scheme.

Volumes are those of ring collectives: all-gather and reduce-scatter move (n - 1)/n of the whole,
an all-reduce twice that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.states import layer_params_here, local_params
from apps.sizing.timing.layers import LayerTime
from apps.sizing.timing.links import Links, exchange_s, host_link_bytes_per_s, linked_gpus


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerExchange:
    """One layer and one micro-batch: seconds, and bytes sent by a GPU.

    `weights_*` is the traffic of sharded states, which computing may hide; `inner` that of
    tensor, context and expert parallelism, which it hides partly or not at all.
    """

    weights_forward_s: float
    weights_backward_s: float
    weights_bytes: float
    tensor_s: float
    tensor_bytes: float
    context_s: float
    context_bytes: float
    expert_s: float
    expert_bytes: float


NO_LAYER_EXCHANGE: Final = LayerExchange(
    weights_forward_s=0.0,
    weights_backward_s=0.0,
    weights_bytes=0.0,
    tensor_s=0.0,
    tensor_bytes=0.0,
    context_s=0.0,
    context_bytes=0.0,
    expert_s=0.0,
    expert_bytes=0.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepExchange:
    """Once a step: gradients, and weights after a sharded optimizer's step."""

    gradients_s: float
    gradients_bytes: float


def layer_exchange(case: Case, links: Links, layer: LayerTime) -> LayerExchange:
    forward_s, backward_s, weights_bytes = _weights(case, links)
    tensor_s, tensor_bytes = _tensor(case, links)
    context_s, context_bytes = _context(case, links, layer)
    expert_s, expert_bytes = _experts(case, links)
    return LayerExchange(
        weights_forward_s=forward_s,
        weights_backward_s=backward_s,
        weights_bytes=weights_bytes,
        tensor_s=tensor_s,
        tensor_bytes=tensor_bytes,
        context_s=context_s,
        context_bytes=context_bytes,
        expert_s=expert_s,
        expert_bytes=expert_bytes,
    )


def _weights(case: Case, links: Links) -> tuple[float, float, float]:
    """Gathering weights and scattering gradients of one layer: forward s, backward s, bytes."""
    layout = case.layout
    if layout.shard <= 1:
        return _from_host(case)
    share = (layout.shard - 1) / layout.shard
    params = layer_params_here(case)
    reduce_each = 0.0 if case.adapters else 2.0 if case.reduces_in_half else 4.0
    if layout.gathers_weights:
        return _gathered(case, links, params, share, reduce_each)
    if layout.kind == "zero2" and not case.megatron:
        gather = params * case.compute_bytes * share
        wire = params * case.compute_bytes
        forward = exchange_s(case, gather, wire, links.group) / _slots(case)
        scatter = params * 4 * share if reduce_each else 0.0
        backward = exchange_s(case, scatter, params * 4, links.group)
        bytes_sent = gather / case.accumulation + scatter
        return forward + links.latency_s, backward + links.latency_s, bytes_sent
    return 0.0, 0.0, 0.0


def _gathered(
    case: Case, links: Links, params: float, share: float, reduce_each: float
) -> tuple[float, float, float]:
    layout = case.layout
    quantised = case.quantization != "none"
    wire = params * (case.base_bytes if quantised else case.compute_bytes)
    gather, scatter = wire * share, params * reduce_each * share
    bandwidth = links.group
    if layout.shard * layout.tensor <= linked_gpus(case):
        bandwidth = links.intra  # every node has a whole copy of the states
    if case.megatron:
        forward = gather / bandwidth
        backward = forward + params * 4 * share / bandwidth / _slots(case)
        return forward, backward, 2 * gather + scatter / case.accumulation
    copies_s, copies_bytes = _between_copies(case, links, params * reduce_each)
    # Gradients that stay whole while batches accumulate are reduced with the last one.
    reduced = 1 if case.no_sync == "no" else case.accumulation
    upload, exchange_back, _ = _from_host(case)
    forward = exchange_s(case, gather, wire, bandwidth) + links.latency_s + upload
    backward = (
        exchange_s(case, gather, wire, bandwidth)
        + exchange_back
        + (exchange_s(case, scatter, params * 4, bandwidth) + copies_s) / reduced
        + 2 * links.latency_s
    )
    bytes_sent = 2 * gather + (scatter + copies_bytes) / reduced
    if not case.dialect.pipeline_unsharded or layout.pipeline == 1:
        return forward, backward, bytes_sent
    # With a pipeline, weights stay gathered over a step.
    slots = _slots(case)
    return forward / slots, backward / slots, bytes_sent / case.accumulation


def _slots(case: Case) -> float:
    """Passes of a step that a stage has time for: its micro-batches and the idle ones of a
    pipeline. What happens once a step is a share of each."""
    return case.accumulation + (case.layout.pipeline - 1) / case.layout.chunks


def _from_host(case: Case) -> tuple[float, float, float]:
    """Weights of one layer that wait on the host: up for each pass, their gradients down.

    Forward s, backward s, bytes between GPUs (none). Every GPU carries its own shard.
    """
    if case.offload != "params":
        return 0.0, 0.0, 0.0
    params = layer_params_here(case) / case.layout.weight_shards
    up = params * (case.base_bytes if case.adapters else case.states.weights)
    down = 0.0 if case.adapters else params * case.states.gradients
    rate = host_link_bytes_per_s(case)
    return up / rate, (up + down) / rate, 0.0


def _between_copies(case: Case, links: Links, gradient_bytes: float) -> tuple[float, float]:
    """Hybrid sharding: each rank sums its shard of the gradients with the other copies'."""
    layout = case.layout
    copies = layout.replicas // layout.shard
    if copies <= 1:
        return 0.0, 0.0
    shard = gradient_bytes / layout.shard
    volume = 2.0 * (copies - 1) / copies * shard
    return exchange_s(case, volume, shard, links.group), volume


def _tensor(case: Case, links: Links) -> tuple[float, float]:
    """Two all-reduces a layer each way (or their halves with sequence parallelism)."""
    layout, constants = case.layout, case.constants
    if layout.tensor == 1:
        return 0.0, 0.0
    inside = layout.tensor <= linked_gpus(case) or links.network is None
    bandwidth = links.intra if inside else links.network or links.intra
    message = 2.0 * case.tokens * case.padding * case.shape.hidden
    volume = 2.0 * (layout.tensor - 1) / layout.tensor * message
    seconds = (
        exchange_s(case, 2 * volume, message, bandwidth)
        + 4 * constants["collective.launch_us"] * 1e-6
    )
    if layout.sequence:
        seconds *= constants["tensor_parallel.sequence_ratio"]
    if case.overlapped:
        seconds *= 1 - constants["tensor_parallel.hidden"]
    return seconds, 2 * volume


def _context(case: Case, links: Links, layer: LayerTime) -> tuple[float, float]:
    """Keys and values travel a ring; a causal mask leaves its ranks unevenly busy."""
    layout, constants, shape = case.layout, case.constants, case.shape
    if layout.context == 1:
        return 0.0, 0.0
    inside = layout.tensor * layout.context <= linked_gpus(case) or links.network is None
    bandwidth = links.intra if inside else links.network or links.intra
    tokens = case.tokens * case.padding
    volume = (layout.context - 1) * 4.0 * shape.key_value / layout.tensor * tokens
    hidden = constants["context_parallel.hidden"] * layer.attention
    idle = constants["context_parallel.imbalance"] * layer.attention * (1 - 1 / layout.context)
    return max(0.0, volume / bandwidth - hidden) + idle, volume


def _experts(case: Case, links: Links) -> tuple[float, float]:
    """Tokens travel to their experts and back."""
    experts, layout = case.shape.experts, case.layout
    if experts is None or layout.expert == 1:
        return 0.0, 0.0
    away = (layout.expert - 1) / layout.expert
    tokens = case.tokens * case.padding
    volume = 2 * experts.per_token * tokens * case.shape.hidden * 2 * away
    inside = layout.expert * layout.tensor <= linked_gpus(case) or links.network is None
    bandwidth = links.intra if inside else min(links.intra, links.network or links.intra)
    rack = inside and case.card.form_factor == "nvl72"
    reached = "expert.all_to_all_ratio_rack" if rack else "expert.all_to_all_ratio"
    return volume / (case.constants[reached] * bandwidth), volume


def step_exchange(case: Case, links: Links) -> StepExchange:
    """Gradients of replicas and weights after the step, where the layout exchanges them once."""
    layout = case.layout
    once = (
        layout.kind in ("ddp", "zero1")
        or (case.megatron and layout.data > 1)
        or (case.deepspeed and layout.kind == "zero2")
    )
    once = once or case.shape.sample is not None
    ranks = layout.replicas
    if not once or ranks == 1:
        return StepExchange(gradients_s=0.0, gradients_bytes=0.0)
    if case.adapters is not None:
        params, gradient = case.adapters.trained_params, _adapter_gradient_bytes(case)
    else:
        params = local_params(case).total * (1 - case.frozen_share)
        gradient = _gradient_bytes(case)
    # An all-reduce brings back what it took; a sharded optimizer's step brings back weights.
    back = gradient if layout.kind == "ddp" else _weight_bytes(case)
    volume = params * (gradient + back) * (ranks - 1) / ranks
    return StepExchange(gradients_s=volume / links.group, gradients_bytes=volume)


def _adapter_gradient_bytes(case: Case) -> float:
    """Of the adapters' own type, as they lie in memory; DeepSpeed reduces in half precision."""
    return 2.0 if case.deepspeed else case.adapter_bytes


def _weight_bytes(case: Case) -> float:
    """Bytes of a weight that a sharded optimizer's step sends back."""
    return case.adapter_bytes if case.adapters is not None and not case.deepspeed else 2.0


def _gradient_bytes(case: Case) -> float:
    """Bytes of a gradient on the wire: of its own type, unless a stack reduces in another."""
    if case.reduces_in_half or case.deepspeed:
        return 2.0
    return case.states.gradients
