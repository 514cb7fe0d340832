"""Seconds of one optimizer step, put together from its parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from apps.sizing.cases import Case
from apps.sizing.memory.states import local_params
from apps.sizing.timing.exchange import (
    NO_LAYER_EXCHANGE,
    LayerExchange,
    StepExchange,
    layer_exchange,
    step_exchange,
)
from apps.sizing.timing.images import images_s, tower_s
from apps.sizing.timing.layers import LayerTime, head_s, layer_time
from apps.sizing.timing.links import Links, host_link_bytes_per_s, links_of
from apps.sizing.timing.rates import Rates, rates_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Seconds of a step and of its parts; `exposed_s` is exchange that nothing hides.

    `compute_s` is what the same step takes without any exchange; `launch_bound` says that the CPU
    cannot launch kernels as fast as the card runs them.
    """

    total_s: float
    compute_s: float
    exposed_s: float
    optimizer_s: float
    offload_s: float
    bubble_s: float
    launch_bound: bool
    layer: LayerExchange
    step: StepExchange
    links: Links
    layers: float


@lru_cache(maxsize=128)
def step_time(
    case: Case, *, link_factor: float = 1.0, intra_bytes_per_s: float | None = None
) -> StepTime:
    """One optimizer step of `case`.

    Two what-if questions: `link_factor` scales every bandwidth between GPUs, `intra_bytes_per_s`
    replaces the link inside a node. What allocator retries cost on a full card is not in it.
    """
    rates, links = rates_of(case), links_of(case, intra_bytes_per_s).scaled(link_factor)
    if case.shape.sample is not None:
        return _image_step(case, rates, links)
    layer, head = layer_time(case, rates), head_s(case, rates)
    exchange, once = layer_exchange(case, links, layer), step_exchange(case, links)
    layers = _layers_run(case)
    forward, backward = layer_passes(case, layer, exchange)
    alone_forward, alone_backward = layer_passes(case, layer, None)
    head = head_share_s(case, head, links) + tower_s(case, rates)
    bubble = bubble_ratio(case)
    micro = (forward + backward) * layers + head
    alone = (alone_forward + alone_backward) * layers + head
    if case.reference_passes:
        # Forward passes of a reference; the head's forward is a third of its three products.
        micro += case.reference_passes * (forward * layers + head / 3)
        alone += case.reference_passes * (alone_forward * layers + head / 3)
    exposed_once = exposed_gradients_s(case, once, forward, backward, layers)
    optimizer = _optimizer_s(case, rates)
    offload = _offload_s(case)
    passes = case.accumulation * bubble
    factor = 1 + case.constants["step.jitter"] * math.log2(case.layout.nodes)
    total = (micro * passes + exposed_once + optimizer + offload) * factor
    return StepTime(
        total_s=total,
        compute_s=(alone * passes + optimizer) * factor,
        exposed_s=((micro - alone) * passes + exposed_once) * factor,
        optimizer_s=optimizer,
        offload_s=offload * factor,
        bubble_s=micro * case.accumulation * (bubble - 1) * factor,
        launch_bound=layer.launch_forward > layer.forward,
        layer=exchange,
        step=once,
        links=links,
        layers=layers,
    )


def _image_step(case: Case, rates: Rates, links: Links) -> StepTime:
    """Images: products at a usual rate, then the traffic of point-wise layers; gradients once."""
    assert case.shape.sample is not None
    compute = images_s(case, rates, case.shape.sample)
    once = step_exchange(case, links)
    exposed = max(0.05 * once.gradients_s, once.gradients_s - 0.5 * compute / case.accumulation)
    optimizer = _optimizer_s(case, rates)
    offload = _offload_s(case)
    return StepTime(
        total_s=compute + exposed + optimizer + offload,
        compute_s=compute + optimizer,
        exposed_s=exposed,
        optimizer_s=optimizer,
        offload_s=offload,
        bubble_s=0.0,
        launch_bound=False,
        layer=NO_LAYER_EXCHANGE,
        step=once,
        links=links,
        layers=0.0,
    )


def _layers_run(case: Case) -> float:
    """Layers of the fullest stage; chunks of an interleaved schedule are whole layers."""
    layout = case.layout
    if layout.pipeline == 1:
        return case.shape.layers
    return math.ceil(case.shape.layers / (layout.pipeline * layout.chunks)) * layout.chunks


def layer_passes(
    case: Case, layer: LayerTime, exchange: LayerExchange | None
) -> tuple[float, float]:
    """Forward and backward of one layer with its exchange and the CPU's launches."""
    inner = exchange.tensor_s + exchange.context_s + exchange.expert_s if exchange else 0.0
    context = exchange.context_s if exchange else 0.0
    twice = 2.0 if case.checkpointing == "full" else 1.0
    forward = layer.forward + inner
    backward = layer.backward + layer.recompute + inner * twice + 1.5 * context
    wrapped_forward, wrapped_backward = _unit_s(case)
    if exchange is not None:
        forward = _overlapped(case, forward, exchange.weights_forward_s)
        backward = _overlapped(case, backward, exchange.weights_backward_s)
    return (
        _joined(forward, layer.launch_forward + wrapped_forward),
        _joined(backward, layer.launch_backward + wrapped_backward),
    )


def _unit_s(case: Case) -> tuple[float, float]:
    """CPU seconds for the wrapped units of a layer: adapters under FSDP, ZeRO-3 modules."""
    constants = case.constants
    each = constants["fsdp.unit_us"] * 1e-6 * case.dialect.host_ratio
    units = 0.0
    cut = case.layout.kind in ("fsdp", "hsdp", "zero3")
    if cut and case.dialect.peft and case.adapters is not None:
        units += 2 * case.adapters.count + 1
    if case.layout.kind == "zero3" and (case.dialect.peft or case.deepspeed):
        units += constants["fsdp.zero3_units"]
    return units * each, 2 * units * each


def _overlapped(case: Case, compute: float, communicate: float) -> float:
    """Two streams that slow each other: the longer one, and a part of the shorter."""
    if communicate <= 0:
        return compute
    constants = case.constants
    interference = constants["overlap.interference"] * min(compute, communicate)
    return max(compute + interference, communicate + constants["overlap.exposed"] * compute)


def _joined(card: float, host: float) -> float:
    """Card and CPU run beside each other: the longer one, smoothly (a 4-norm)."""
    joined: float = (card**4 + host**4) ** 0.25
    return joined


def head_share_s(case: Case, head: float, links: Links) -> float:
    """The head burdens the last stage of a pipeline; neighbours pass activations on."""
    layout = case.layout
    if layout.pipeline == 1:
        return head
    message = 2.0 * case.tokens * case.padding * case.shape.hidden / layout.tensor
    passed = 4 * message / (links.network or links.intra) * 0.5 + 60e-6
    return head / layout.pipeline * case.constants["pipeline.head"] + passed


def bubble_ratio(case: Case) -> float:
    """1 + (p - 1)/(m·v): idle stages at both ends of a step."""
    layout = case.layout
    if layout.pipeline == 1:
        return 1.0
    return 1 + (layout.pipeline - 1) / (case.accumulation * layout.chunks)


def exposed_gradients_s(
    case: Case, once: StepExchange, forward: float, backward: float, layers: float
) -> float:
    """What the last micro-batch does not hide of the gradients' exchange."""
    if not once.gradients_s:
        return 0.0
    share = case.dialect.gradient_overlap
    if case.megatron and case.overlapped:
        share = max(share, case.constants["gradients.hidden"])
    behind = backward if share < 0.7 else forward + backward
    hidden = share * behind * layers
    return max(0.05 * once.gradients_s, once.gradients_s - hidden)


def _optimizer_s(case: Case, rates: Rates) -> float:
    """Memory traffic of the states one GPU updates."""
    constants = case.constants
    if case.offload in ("optimizer", "params"):
        return constants["optimizer.overhead_ms"] * 1e-3
    if case.adapters is not None:
        params, shards = case.adapters.trained_params, 1
    else:
        params = local_params(case).total * (1 - case.frozen_share)
        shards = case.layout.optimizer_shards
    plain_half = case.dialect.stack == "torch" and case.states.weights == 2
    foreach = case.adapters is not None or (plain_half and case.step == "foreach")
    each = constants["optimizer.bytes_foreach" if foreach else "optimizer.bytes_fused"]
    return params * each / shards / rates.bandwidth + constants["optimizer.overhead_ms"] * 1e-3


def _offload_s(case: Case) -> float:
    """Optimizer on the host: gradients down, weights up, AdamW on the CPU."""
    if case.offload not in ("optimizer", "params"):
        return 0.0
    constants, layout = case.constants, case.layout
    params = local_params(case).total * (1 - case.frozen_share) / layout.optimizer_shards
    if case.adapters is not None:
        params = case.adapters.trained_params / layout.optimizer_shards
    # Weights that live on the host travel with the passes; else gradients down, weights up.
    moved = 0.0 if case.offload == "params" else 4 / host_link_bytes_per_s(case)
    shared = constants["offload.cpu_adam_node_per_s"] / layout.gpus_per_node
    return params * (moved + 1 / min(constants["offload.cpu_adam_per_s"], shared))
