"""Weights, gradients and optimizer states that stay on one GPU, before and after sharding.

The table of bytes per parameter follows the ZeRO paper (arXiv 1910.02054, figure 1: 2 + 2 + 12)
and each framework's own bookkeeping; see `calibration.json`, `states`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.cases import Case

# bitsandbytes keeps what it pages in fp32, whatever the parameters are in.
_PAGED_MOMENT_BYTES: Final = 4.0
# A list of temporaries in fp32, four of them, of parameters in half precision.
_MOST_COPIES: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalParams:
    """Parameters this GPU's model-parallel rank owns, as counts.

    `dense` are layers every token passes, `expert` those behind a router, `embedding` the
    vocabulary matrices of the fullest pipeline stage.
    """

    dense: float
    expert: float
    embedding: float

    @property
    def total(self) -> float:
        return self.dense + self.expert + self.embedding


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """Bytes on one GPU after sharding.

    `step_temporary` exists during the optimizer step only; `early_gradients` is the part of the
    gradients that is there before backward begins.
    """

    weights: float
    gradients: float
    optimizer: float
    step_temporary: float
    early_gradients: float
    buckets: float


def local_params(case: Case) -> LocalParams:
    """Parameters of the heaviest rank: tensor-parallel slice of the fullest stage."""
    shape, layout = case.shape, case.layout
    layers, tensor = case.stage_layers, layout.tensor
    matrices = shape.embedding_count if layout.pipeline == 1 else 1
    embedding = shape.embedding_params * matrices / tensor
    experts = shape.experts
    if experts is None:
        dense = shape.block_params / shape.layers * layers / tensor
        return LocalParams(dense=dense, expert=0.0, embedding=embedding)
    # The heaviest stage of a pipeline holds expert layers only.
    plain = min(experts.dense_layers, layers) if layout.pipeline == 1 else 0
    shared = 3 * shape.hidden * experts.shared_ffn + shape.hidden * experts.count
    own = 3.0 * shape.hidden * experts.count * experts.ffn / layout.expert
    return LocalParams(
        dense=(layers * (shape.attention_params + shared) + plain * shape.mlp_params) / tensor,
        expert=(layers - plain) * own / tensor,
        embedding=embedding,
    )


def layer_params_here(case: Case) -> float:
    """Parameters of one layer on this rank, idle experts with the others, before sharding."""
    if case.shape.experts is None:
        return case.shape.layer_params / case.layout.tensor
    params = local_params(case)
    return (params.dense + params.expert) / case.stage_layers


def resident_states(case: Case) -> States:
    """States of the worst rank after sharding."""
    params = local_params(case)
    states = _adapter_states(case) if case.adapters else _trained_states(case, params)
    if case.frozen_copies or case.trained_copies:
        return _with_copies(case, params, states)
    return states


def _trained_states(case: Case, params: LocalParams) -> States:
    """All parameters trained, or all but the frozen share."""
    layout, recipe = case.layout, case.states
    trained = params.total * (1.0 - case.frozen_share)
    frozen = params.total * case.frozen_share
    weights = (trained * recipe.weights + frozen * case.compute_bytes) / layout.weight_shards
    gradients = trained * recipe.gradients / layout.gradient_shards
    if gradients_on_host(case):
        gradients = 0.0
    if case.step == "in-backward":
        # Each gradient is used and freed at once: the largest single matrix remains.
        gradients = min(gradients, _largest_matrix(case) * recipe.gradients)
    return States(
        weights=0.0 if case.offload == "params" else weights,
        gradients=gradients,
        optimizer=_optimizer_bytes(case, params, trained),
        step_temporary=_step_temporary(case, trained * recipe.step_temporary),
        early_gradients=gradients if _gradients_early(case) else 0.0,
        buckets=_bucket_copy(case, trained * recipe.gradients),
    )


def gradients_on_host(case: Case) -> bool:
    """Sharded gradients leave the card as they come when their weights wait on the host.

    FSDP's CPUOffload (PyTorch documentation); ZeRO-Offload already with the optimizer alone
    (arXiv 2101.06840), once each rank keeps a part of the gradients only.
    """
    if case.offload == "params":
        return case.layout.kind != "ddp"
    return case.offload == "optimizer" and case.deepspeed and case.layout.gradient_shards > 1


def paged_bytes(case: Case) -> float:
    """Optimizer states in managed memory: on the card while there is room for them.

    bitsandbytes takes them from the CUDA driver; the framework's allocator does not count them.
    """
    if not case.paged or case.offload in ("optimizer", "params"):
        return 0.0
    return resident_states(case.vary(paged=False)).optimizer


def _optimizer_bytes(case: Case, params: LocalParams, trained: float) -> float:
    """Master weights and moments; experts are cut over their own data-parallel group."""
    if case.paged or case.offload in ("optimizer", "params"):
        return 0.0
    layout = case.layout
    each = optimizer_bytes_per_param(case)
    if not params.expert or not case.megatron:
        return trained * each / layout.optimizer_shards
    replicas = max(1, layout.replicas // layout.expert) if layout.optimizer_shards > 1 else 1
    dense = (params.dense + params.embedding) * each / layout.optimizer_shards
    return dense + params.expert * each / replicas


def optimizer_bytes_per_param(case: Case) -> float:
    """Bytes of optimizer state per trained parameter, before sharding."""
    row = case.optimizer
    return case.states.master + row.moments * _moment_bytes(case) + row.fixed_bytes


def _moment_bytes(case: Case) -> float:
    """torch keeps moments in the parameter's type; bitsandbytes, whose the paged ones are, in
    fp32."""
    return _PAGED_MOMENT_BYTES if case.step == "paged" else case.states.moment


def _largest_matrix(case: Case) -> float:
    shape = case.shape
    return max(shape.embedding_params, float(shape.hidden * shape.ffn)) / case.layout.tensor


def _step_temporary(case: Case, list_bytes: float) -> float:
    """What the step of the parameters a rank updates takes besides its states.

    torch's foreach step makes a list of temporaries as large as these parameters, `list_bytes`
    before sharding; optimizers without it work through one matrix at a time. Some stacks cast
    the gradients to fp32 whatever the optimizer is.
    """
    if case.offload in ("optimizer", "params"):
        return 0.0
    if case.states.step_always or (case.optimizer.foreach and case.step == "foreach"):
        copies = list_bytes
    else:
        copies = case.optimizer.matrix_temporary * _largest_matrix(case)
    return min(copies, _MOST_COPIES * list_bytes) / case.layout.optimizer_shards


def _gradients_early(case: Case) -> bool:
    """Gradient buffers that exist before backward: static ones, or those being accumulated."""
    if case.dialect.gradients_early:
        return True
    # Gradients that stay whole while they accumulate are among the buffers instead.
    kept_sharded = not case.layout.gathers_weights or case.no_sync == "no"
    return case.accumulation > 1 and kept_sharded


def _bucket_copy(case: Case, gradient_bytes: float) -> float:
    """DDP keeps a flat copy of the gradients unless it is told to view them (its documentation)."""
    return gradient_bytes if case.layout.kind == "ddp" and not case.megatron else 0.0


def _adapter_states(case: Case) -> States:
    """A frozen base, quantised or not, and adapters with their own gradients and moments."""
    adapters, layout, shape = case.adapters, case.layout, case.shape
    assert adapters is not None
    split = layout.tensor * layout.pipeline
    vocabulary = shape.embedding_params * shape.embedding_count
    shards = layout.weight_shards
    base = vocabulary * case.vocabulary_bytes / shards
    sharded = shape.block_params * (case.base_bytes - case.scale_bytes)
    base += sharded / (shards if case.base_sharded else 1)
    trained = adapters.trained_params / split
    whole = adapters.trained_modules_params / layout.tensor
    each = case.adapter_bytes
    moments = case.optimizer.moments * each + case.optimizer.fixed_bytes
    elsewhere = case.paged or case.offload in ("optimizer", "params")
    trained_bytes = (trained + whole) * each
    gradients = 0.0 if gradients_on_host(case) else trained_bytes / layout.gradient_shards
    weights = 0.0 if case.offload == "params" else base / split + trained_bytes / shards
    return States(
        weights=weights + shape.block_params * case.scale_bytes / split,
        gradients=gradients,
        optimizer=0.0 if elsewhere else (trained + whole) * moments / layout.optimizer_shards,
        step_temporary=_step_temporary(case, trained_bytes),
        early_gradients=gradients if _gradients_early(case) else 0.0,
        buckets=_bucket_copy(case, trained_bytes),
    )


def _with_copies(case: Case, params: LocalParams, states: States) -> States:
    """Reference, reward and value models that preference training holds beside the policy."""
    frozen = case.frozen_copies * params.total * case.compute_bytes / case.layout.weight_shards
    more = 1.0 + case.trained_copies
    return States(
        weights=states.weights * more + frozen,
        gradients=states.gradients * more,
        optimizer=states.optimizer * more,
        step_temporary=states.step_temporary,
        early_gradients=states.early_gradients * more,
        buckets=states.buckets * more,
    )
