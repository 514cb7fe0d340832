"""Seconds of one layer and of the head: forward, backward, recomputation, kernel launches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.cases import Case
from apps.sizing.memory.states import layer_params_here
from apps.sizing.timing.rates import Rates, product_s

# Operations per score of a layer's attention forward: half of them under a causal mask; all of an
# encoder; of an encoder and its decoder, whose layers have a causal and a crossing one, the mean.
_SCORES: Final = {"encoder": 4.0, "encoder-decoder": 5.0}
# Attentions of the mean layer; of every other kind, one.
_ATTENTIONS: Final = {"encoder-decoder": 1.5}


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTime:
    """Seconds of one layer for one micro-batch; `launch_*` is what the CPU needs for it."""

    forward: float
    backward: float
    recompute: float
    attention: float
    launch_forward: float
    launch_backward: float


def layer_time(case: Case, rates: Rates) -> LayerTime:
    """One layer on one GPU, without exchange."""
    products = products_of(case)
    tokens = case.tokens * case.padding
    forward_gemm = sum(product_s(rates, tokens, o, i) for i, o in products)
    experts = expert_products(case, tokens)
    forward_gemm += sum(n * product_s(rates, rows, o, i) for n, rows, i, o in experts)
    weight_gemm = 0.0
    if case.adapters is None:
        weight_gemm = sum(product_s(rates, i, o, tokens) for i, o in products)
        weight_gemm += sum(n * product_s(rates, i, o, rows) for n, rows, i, o in experts)
    else:
        forward_gemm += _adapter_products(case, rates, tokens)
    attention = _attention_s(case, rates, tokens)
    elementwise = elementwise_s(case, rates, tokens)
    unpack = dequantise_s(case)
    forward = forward_gemm + attention + elementwise + unpack
    weight_gemm *= 1.0 - case.frozen_share
    backward = (
        forward_gemm
        + weight_gemm
        + case.constants["attention.backward"] * attention
        + 2.0 * elementwise
        + unpack
    )
    launch = _launch_s(case)
    recomputes = "kernel.backward_recompute" if case.checkpointing == "full" else "kernel.backward"
    return LayerTime(
        forward=forward,
        backward=backward,
        recompute=_recompute_s(case, forward, forward_gemm, attention, elementwise),
        attention=attention,
        launch_forward=launch,
        launch_backward=launch * case.constants[recomputes],
    )


def products_of(case: Case) -> list[tuple[float, float]]:
    """(inputs, outputs) of the linears of one layer that every token passes, on one
    tensor-parallel rank."""
    shape, tensor = case.shape, case.layout.tensor
    hidden, query, key_value = shape.hidden, shape.query / tensor, shape.key_value / tensor
    if shape.experts is not None:
        attention = (hidden, shape.attention_params / hidden / tensor)
        return [attention, *_mlp(hidden, shape.experts.shared_ffn / tensor, gated=shape.gated)]
    mlp = _mlp(hidden, shape.ffn / tensor, gated=shape.gated)
    if case.megatron or case.dialect.mixed_states == "foundry":
        return [(hidden, query + 2 * key_value), (query, hidden), *mlp]
    linears = [(hidden, query), (hidden, key_value), (hidden, key_value), (query, hidden), *mlp]
    if shape.kind == "encoder-decoder":
        linears += [(hidden, query), (query, hidden)]  # the second attention of every other layer
    return linears


def _mlp(hidden: float, width: float, *, gated: bool) -> list[tuple[float, float]]:
    if not width:
        return []
    return [(hidden, width), (width, hidden)] + ([(hidden, width)] if gated else [])


def expert_products(case: Case, tokens: float) -> list[tuple[float, float, float, float]]:
    """(experts on this rank, tokens of each, inputs, outputs) of the linears behind a router.

    Each expert is a product of its own, grouped or not: few rows fill a card badly.
    """
    experts, layout = case.shape.experts, case.layout
    if experts is None:
        return []
    here = max(1.0, experts.count / layout.expert)
    rows = tokens * experts.per_token / here
    mlp = _mlp(case.shape.hidden, experts.ffn / layout.tensor, gated=case.shape.gated)
    return [(here, rows, inputs, outputs) for inputs, outputs in mlp]


def _adapter_products(case: Case, rates: Rates, tokens: float) -> float:
    adapters = case.adapters
    assert adapters is not None
    rank = adapters.rank
    return sum(
        product_s(rates, tokens, rank, i) + product_s(rates, tokens, o, rank)
        for i, o in adapters.linears
    )


def _attention_s(case: Case, rates: Rates, tokens: float) -> float:
    """Attention forward, causal in decoders. Flash kernels skip the upper half; eager ones do not."""
    constants, shape, sequence = case.constants, case.shape, case.sequence * case.padding
    scores = shape.query / case.layout.tensor * sequence * tokens
    if case.eager:
        maps = max(1, shape.score_maps) * _ATTENTIONS.get(shape.kind, 1.0)
        scores, sequence = maps * scores, maps * sequence
        traffic = constants["attention.eager_bytes"] * shape.heads / case.layout.tensor
        return 4.0 * scores / (rates.product * constants["attention.eager_gemm"]) + (
            traffic * sequence * tokens / rates.bandwidth
        )
    floor = constants["attention.head_floor"]
    efficiency = (sequence / (sequence + constants["attention.sequence_half"])) * min(
        1.0, floor + (1.0 - floor) * shape.head_dim / 128.0
    )
    return _SCORES.get(shape.kind, 2.0) * scores / (rates.attention * efficiency)


def elementwise_s(case: Case, rates: Rates, tokens: float) -> float:
    """Norms, activations, residuals, rotary embedding: bytes over bandwidth."""
    shape, tensor, rows = case.shape, case.layout.tensor, case.calibration.elementwise
    key = case.dialect.elementwise
    if not shape.gated:
        key = "layernorm"
    elif case.compiled or case.megatron:
        key = "compiled"
    elif case.fused_kernels:
        key = "fused"
    row = rows[key]
    shards = case.sequence_shards if key in ("compiled", "layernorm") else 1
    split = tensor if key in ("compiled", "plain") else 1
    per_token = (
        row.hidden * shape.hidden / shards
        + row.query * (shape.query + shape.key_value) / split
        + row.ffn * shape.active_ffn / tensor
    )
    traffic = per_token * tokens
    if case.adapters is not None and not case.fused_kernels:
        each = 3 if case.adapter_bytes == 4 or case.precision.endswith("-mixed") else 2
        traffic += tokens * sum(4 * each * i + 6 * o for i, o in case.adapters.linears)
        traffic += _norm_bytes(case)
    return case.constants["elementwise.ratio"] * traffic / rates.bandwidth


def _norm_bytes(case: Case) -> float:
    """DoRA adds up base and adapter and takes the norm of each column, in every pass."""
    if case.method != "dora" or case.adapters is None:
        return 0.0
    weights = sum(inputs * outputs for inputs, outputs in case.adapters.linears)
    # The product of the adapter, the sum and its square are written and read again in fp32.
    return (case.compute_bytes + 16.0) * weights / case.layout.tensor


def dequantise_s(case: Case) -> float:
    """Unpacking one layer's weights once."""
    constants = case.constants
    kind = "gptq" if case.quantization in ("gptq-int4", "awq-int4") else "nf4"
    if case.quantization == "none":
        return 0.0
    rate = constants[f"dequantize.{kind}_per_s"] * (
        case.card.memory_tb_per_s / constants["dequantize.reference_tb_per_s"]
    )
    return layer_params_here(case) * case.layout.tensor / rate


def _launch_s(case: Case) -> float:
    """Seconds the CPU needs to launch the kernels of one layer's forward."""
    constants = case.constants
    lean = case.fused_kernels or case.compiled or case.megatron
    kernels = 18.0 if lean else case.dialect.kernels_per_layer
    if case.adapters is not None:
        fused = "kernel.per_adapter_fused" if case.fused_kernels else "kernel.per_adapter"
        kernels += constants[fused] * case.adapters.count
    if case.quantization in ("gptq-int4", "awq-int4"):
        kernels += constants["kernel.gptq"]
    elif case.quantization != "none":
        kernels += constants["kernel.nf4"]
    experts = case.shape.experts
    if experts is not None and case.layout.expert > 1:
        kernels *= constants["kernel.moe"]
    elif experts is not None and case.dialect.peft:
        # Models of Transformers run expert after expert.
        each = constants["kernel.expert"]
        if case.adapters is not None and case.adapters.mlp:
            each += 3 * constants["kernel.per_adapter"]
        kernels += each * experts.count
    return kernels * constants["kernel.launch_us"] * 1e-6 * case.dialect.host_ratio


def _recompute_s(
    case: Case, forward: float, gemm: float, attention: float, elementwise: float
) -> float:
    if case.checkpointing == "full":
        return forward
    if case.checkpointing == "selective":
        if case.megatron:
            return attention + 0.5 * elementwise
        if case.dialect.selects_layers:
            return 0.5 * forward
        return 0.4 * gemm + elementwise
    return 0.0


def head_s(case: Case, rates: Rates) -> float:
    """Output head and loss of one micro-batch: forward, both gradients, traffic of the logits."""
    if not case.predicts_tokens:
        return 0.0
    shape, tokens = case.shape, case.tokens * case.padding
    width = shape.vocab / case.layout.tensor
    product = product_s(rates, tokens, width, shape.hidden)
    frozen = case.adapters is not None and not case.adapters.trained_modules_params
    traffic = (8.0 if case.fused_loss else case.loss_bytes + 8.0) * width * tokens
    seconds = product * (2 if frozen else 3) + traffic / rates.bandwidth
    return seconds + (0.3 * product if case.fused_loss else 0.0)
