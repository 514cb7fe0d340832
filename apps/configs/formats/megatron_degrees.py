"""Degrees of parallelism and recomputation as Megatron names them; many formats borrow the names."""

from __future__ import annotations

from typing import Final

from apps.configs.draft import Draft
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import as_count, as_flag, as_word

_DEGREES: Final = (
    ("tensor_parallel", ("tensor_model_parallel_size", "tensor_parallel_size")),
    ("pipeline_parallel", ("pipeline_model_parallel_size", "pipeline_parallel_size")),
    (
        "virtual_pipeline",
        ("virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"),
    ),
    ("context_parallel", ("context_parallel_size",)),
    ("expert_parallel", ("expert_model_parallel_size", "expert_parallel_size")),
)


def read_degrees(keys: Keys, draft: Draft) -> None:
    """Tensor, pipeline, context and expert degrees, sequence parallelism, who shards the states."""
    for field, names in _DEGREES:
        draft.read(field, keys, *names, by=as_count)
    flag = as_flag(keys.plain("sequence_parallel"))
    draft.file("sequence_parallel", flag)
    if as_flag(keys.plain("use_distributed_optimizer")):
        draft.file("data_parallel", "zero1")
    if as_flag(keys.plain("use_torch_fsdp2", "use_megatron_fsdp", "use_custom_fsdp")):
        draft.file("data_parallel", "fsdp")


def read_recompute(keys: Keys, draft: Draft) -> None:
    """`recompute_granularity`, or the older flags that stand for one."""
    value = keys.get("recompute_granularity", "activations_checkpoint_granularity")
    if value is OPAQUE:
        draft.file("activation_checkpointing", OPAQUE)
    word = as_word(value)
    draft.file("activation_checkpointing", word if word in ("full", "selective", "none") else None)
    if as_flag(keys.plain("recompute_activations")):
        draft.file("activation_checkpointing", "selective")
    if as_flag(keys.plain("checkpoint_activations")):
        draft.file("activation_checkpointing", "full")
