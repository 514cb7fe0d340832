"""What is whole on a GPU although its home is sharded, and other buffers of a pass.

Gathered weights, reduce buckets, gradients that accumulate unsharded, dequantised weights,
transients. Two figures, because the loss and the backward of a layer are different moments.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.sizing.cases import Case
from apps.sizing.memory.activations import autocast_weight_copies
from apps.sizing.memory.states import LocalParams, local_params


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffers:
    """Bytes at the loss and while a layer is run backward."""

    loss: float
    backward: float


def buffers(case: Case) -> Buffers:
    """All buffers of the pass on one GPU."""
    params = local_params(case)
    gathered = _gathered(case, params)
    whole = _accumulated_whole(case, params) + _held_by_stack(case, params)
    backward_only = _dequantised(case)
    if case.checkpointing != "full":
        backward_only += autocast_weight_copies(case)
    return Buffers(
        loss=gathered.loss + whole + autocast_weight_copies(case),
        backward=gathered.backward + whole + backward_only,
    )


def _gathered(case: Case, params: LocalParams) -> Buffers:
    """Weights fetched for use."""
    layout = case.layout
    if case.megatron:
        return Buffers(loss=0.0, backward=0.0)
    if layout.gathers_weights or case.offload == "params":
        return _zero3_buffers(case) if case.deepspeed else _fsdp_units(case)
    if case.deepspeed and layout.kind == "zero1" and layout.shard > 1:
        bucket = _bucket_elements(case) * 2
        return Buffers(loss=bucket, backward=bucket)
    if layout.kind == "zero2" and layout.shard > 1:
        buckets = 2 * _bucket_elements(case) * 2
        # Outside DeepSpeed, "zero2" is FSDP that keeps gathered weights between passes.
        held = buckets if case.deepspeed else params.total * case.compute_bytes
        return Buffers(loss=held, backward=held)
    return Buffers(loss=0.0, backward=0.0)


def _root_bytes(case: Case) -> float:
    """The root unit of FSDP: vocabulary matrices."""
    shape = case.shape
    return shape.embedding_params * shape.embedding_count / case.layout.tensor * case.compute_bytes


def _fsdp_units(case: Case) -> Buffers:
    shape, tensor = case.shape, case.layout.tensor
    root = _root_bytes(case)
    each = case.base_bytes if case.quantization != "none" else case.compute_bytes
    unit = shape.block_params / shape.layers * each / tensor
    head_gradient = 0.0 if case.adapters else 2 * shape.embedding_params / tensor
    return Buffers(loss=root, backward=root + case.dialect.unit_count * unit + head_gradient)


def _zero3_buffers(case: Case) -> Buffers:
    constants = case.constants
    live = min(constants["units.zero3_live_params"], case.shape.total_params) * 2
    loss = _root_bytes(case) + live
    buckets = constants["units.zero3_buckets"] * _bucket_elements(case) * 2
    return Buffers(loss=loss, backward=loss + (0.0 if case.adapters else buckets))


def _bucket_elements(case: Case) -> float:
    """Elements of one reduce bucket; gradients of adapters do not fill the usual one."""
    usual = case.constants["units.bucket_elements"] * case.dialect.bucket_ratio
    if case.adapters is None:
        return usual
    return min(usual, case.adapters.trained_params + case.adapters.trained_modules_params)


def _accumulated_whole(case: Case, params: LocalParams) -> float:
    """Gradients that stay unsharded because accumulation does not synchronise (`no_sync`)."""
    if case.accumulation == 1 or not case.layout.gathers_weights or case.no_sync == "no":
        return 0.0
    if case.no_sync == "all":
        return case.shape.total_params * case.compute_bytes
    if case.adapters is not None:
        return 0.0
    each = case.states.gradients if case.no_sync == "full-precision" else case.compute_bytes
    return params.total * each


def _held_by_stack(case: Case, params: LocalParams) -> float:
    """Transients and copies that a stack makes of its own accord."""
    dialect = case.dialect
    held = params.total * dialect.gradient_copy
    if dialect.flat_buckets and case.layout.data > 1:
        bucket = min(case.constants["units.bucket_elements"], params.total)
        held += dialect.flat_buckets * bucket * case.states.gradients
    if dialect.layer_transient:
        held += dialect.layer_transient * _layer_params(case) / case.layout.tensor
    if case.layout.pipeline > 1:
        held += params.total * dialect.pipeline_unsharded
    return held


def _layer_params(case: Case) -> float:
    shape = case.shape
    if shape.experts is None:
        return shape.layer_params
    return shape.attention_params + 3 * shape.hidden * shape.active_ffn


def _dequantised(case: Case) -> float:
    """One weight matrix unpacked to half precision at a time."""
    if case.quantization == "none":
        return 0.0
    shape = case.shape
    return 2.0 * max(shape.hidden * shape.ffn, shape.hidden * shape.query)
