"""accelerate's launcher file: how many processes on how many machines, and who shards."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.shared import (
    Format,
    read_deepspeed,
    read_deepspeed_reference,
    read_offload,
    sharding_word,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_number, as_word
from apps.configs.words import precision_word

_SIGNS: Final = (
    "compute_environment",
    "num_processes",
    "num_machines",
    "mixed_precision",
    "fsdp_config",
    "deepspeed_config",
    "machine_rank",
)
_DEVICES: Final = {"cpu": "cpu", "nvme": "nvme", "none": "none"}


def _recognises(document: Document, keys: Keys) -> bool:
    return keys.states("distributed_type") and any(keys.has(sign) for sign in _SIGNS)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.guess("framework", "accelerate")
    draft.read("gpus", keys, "num_processes", by=as_count)
    draft.read("nodes", keys, "num_machines", by=as_count)
    draft.read("precision", keys, "mixed_precision", by=precision_word)
    readers = {
        "DEEPSPEED": _read_deepspeed,
        "FSDP": _read_fsdp,
        "MEGATRON_LM": _read_megatron,
        "TP": _read_tensor,
    }
    kind = str(keys.plain("distributed_type")).upper()
    if kind in readers:
        readers[kind](keys, draft)
    elif kind.startswith("MULTI"):
        draft.file("data_parallel", "ddp")
    elif kind == "NO":
        draft.file("data_parallel", "none")
        draft.default("gpus", 1)
    _read_parallelism(keys.part("parallelism_config"), draft)
    dynamo = keys.part("dynamo_config").plain("dynamo_backend")
    draft.file("compile", None if dynamo is None else as_word(dynamo) not in ("no", ""))


def _read_deepspeed(keys: Keys, draft: Draft) -> None:
    config = keys.part("deepspeed_config")
    read_deepspeed_reference(draft, config.plain("deepspeed_config_file"))
    stage = as_number(config.plain("zero_stage"))
    if stage is None and not config.has("deepspeed_config_file"):
        draft.default("data_parallel", "zero2")
    elif stage in (0, 1, 2, 3):
        draft.file("data_parallel", f"zero{stage}" if stage else "ddp")
    read_offload(
        draft,
        params=_DEVICES.get(as_word(config.plain("offload_param_device"))),
        optimizer=_DEVICES.get(as_word(config.plain("offload_optimizer_device"))),
    )
    for whole in (config, keys):  # DeepSpeed's own block, which some files carry along
        if whole.part("zero_optimization"):
            read_deepspeed(draft, whole)
    draft.read("grad_accumulation", config, "gradient_accumulation_steps", by=as_count)


def _read_fsdp(keys: Keys, draft: Draft) -> None:
    config = keys.part("fsdp_config")
    version = as_count(config.plain("fsdp_version")) or 1
    strategy = sharding_word(config.plain("fsdp_sharding_strategy"))
    keeps = as_flag(config.plain("fsdp_reshard_after_forward")) is False
    if version > 1 or strategy is None:
        # Version 1 wrote a strategy; version 2 says only whether weights are gathered anew.
        strategy = "zero2" if version > 1 and keeps else "fsdp"
    if not _hybrid(keys.part("parallelism_config"), draft):
        draft.file("data_parallel", strategy)
    offload = as_flag(config.plain("fsdp_offload_params"))
    if offload is not None:
        draft.file("offload", "params" if offload else "none")
    checkpointing = as_flag(config.plain("fsdp_activation_checkpointing"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")


def _hybrid(config: Keys, draft: Draft) -> bool:
    """Replicas of a sharded group: HSDP, with the size of the group."""
    shard = as_count(config.plain("parallelism_config_dp_shard_size"))
    replicas = as_count(config.plain("parallelism_config_dp_replicate_size"))
    if shard and shard > 1:
        draft.file("shard_degree", shard)
    if (replicas or 1) > 1 and (shard or 1) > 1:
        draft.file("data_parallel", "hsdp")
        return True
    return False


def _read_megatron(keys: Keys, draft: Draft) -> None:
    config = keys.part("megatron_lm_config")
    for field, name in (
        ("tensor_parallel", "megatron_lm_tp_degree"),
        ("pipeline_parallel", "megatron_lm_pp_degree"),
    ):
        draft.read(field, config, name, by=as_count)
    draft.read("sequence_parallel", config, "megatron_lm_sequence_parallelism", by=as_flag)
    if as_flag(config.plain("megatron_lm_use_distributed_optimizer")):
        draft.file("data_parallel", "zero1")
    if as_flag(config.plain("megatron_lm_recompute_activations")):
        draft.file("activation_checkpointing", "selective")


def _read_tensor(keys: Keys, draft: Draft) -> None:
    draft.read("tensor_parallel", keys.part("tp_config"), "tp_size", by=as_count)


def _read_parallelism(config: Keys, draft: Draft) -> None:
    fields: tuple[tuple[str, Any], ...] = (
        ("tensor_parallel", "parallelism_config_tp_size"),
        ("context_parallel", "parallelism_config_cp_size"),
    )
    for field, name in fields:
        draft.read(field, config, name, by=as_count)


ACCELERATE: Final = Format(name="accelerate", role="launcher", recognises=_recognises, read=_read)
