"""Reinforcement-learning stacks: OpenRLHF's options and verl's `key=value` overrides."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_model_name,
    read_quantized_base,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_number, as_positive, as_word, product
from apps.configs.words import dtype_word, stage_word, targets_word

_STAGES: Final = ("sft", "dpo", "kto", "ppo", "grpo", "rm", "prm", "reinforce")
_ACTOR: Final = "actor_rollout_ref.actor"
_MODEL: Final = "actor_rollout_ref.model"


def _recognises_openrlhf(document: Document, keys: Keys) -> bool:
    if "openrlhf" in " ".join(document.program).lower():
        return True
    return keys.has("micro_train_batch_size") and keys.has("pretrain")


def _read_openrlhf(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "openrlhf")
    read_model_name(draft, keys, "pretrain")
    quantized = read_quantized_base(draft, keys)
    rank = as_number(keys.plain("lora_rank")) or 0
    if rank > 0:
        draft.file(
            "method", adapter_method(dora=False, quantized=(quantized or "").startswith("nf4"))
        )
        read_adapters(draft, keys, ("lora_rank",), ("target_modules",))
        draft.default("lora_targets", "all-linear")
    else:
        draft.default("method", "full")
    program = " ".join(document.program).lower()
    stage = next((s for s in _STAGES if f"train_{s}" in program), "sft")
    draft.file("stage", stage_word(stage))
    _read_openrlhf_batch(keys, draft)
    if as_flag(keys.plain("gradient_checkpointing")):
        draft.file("activation_checkpointing", "full")
    if as_flag(keys.plain("bf16")) or dtype_word(keys.plain("param_dtype")) == "bf16":
        draft.file("precision", "bf16-mixed")
    read_attention(draft, keys, "attn_implementation", "flash_attn")
    stage_number = as_number(keys.plain("zero_stage"))
    draft.file("data_parallel", f"zero{stage_number}" if stage_number in (1, 2, 3) else None)
    if as_flag(keys.plain("adam_offload")):
        draft.file("offload", "optimizer")
    read_launch(document, draft)
    nodes = as_count(keys.plain("actor_num_nodes"))
    draft.guess("gpus", product(nodes, as_count(keys.plain("actor_num_gpus_per_node"))))
    draft.defaults({"strategy": "finetune", "optimizer": "adamw", "data_parallel": "zero2"})
    draft.defaults({"activation_checkpointing": "none", "precision": "fp32", "packing": False})


def _read_openrlhf_batch(keys: Keys, draft: Draft) -> None:
    draft.read("sequence_length", keys, "max_len", by=as_count)
    prompt, answer = (as_count(keys.plain(n)) for n in ("prompt_max_len", "generate_max_len"))
    if prompt and answer:
        draft.guess("sequence_length", prompt + answer)
    draft.read("global_batch", keys, "train_batch_size", by=as_count)
    draft.read("micro_batch", keys, "micro_train_batch_size", by=as_count)
    draft.read("epochs", keys, "max_epochs", by=as_positive)
    draft.read("save_every_steps", keys, "save_steps", by=as_count)
    draft.read("saves_kept", keys, "max_ckpt_num", by=as_kept)
    draft.read("packing", keys, "packing_samples", by=as_flag)


OPENRLHF: Final = Format(
    name="openrlhf", role="trainer", recognises=_recognises_openrlhf, read=_read_openrlhf
)


def _recognises_verl(document: Document, keys: Keys) -> bool:
    started = "verl.trainer" in " ".join(document.program)
    return started or bool(keys.part(_ACTOR)) or keys.has("model.partial_pretrain")


def _read_verl(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "verl")
    read_model_name(draft, keys, f"{_MODEL}.path", "model.partial_pretrain")
    actor, model = keys.part(_ACTOR), keys.part(_MODEL)
    if not model:  # its trainer for plain fine-tuning names one model only
        model = keys.part("model")
        draft.file("stage", "sft")
    rank = as_number(model.plain("lora_rank")) or 0
    if rank > 0:
        draft.file("method", "lora")
        draft.read("lora_rank", model, "lora_rank", by=as_count)
        draft.read("lora_targets", model, "target_modules", by=targets_word)
        draft.default("lora_targets", "all-linear")
    else:
        draft.default("method", "full")
    estimator = as_word(keys.plain("algorithm.adv_estimator"))
    draft.file("stage", "ppo" if estimator == "gae" else stage_word(estimator))
    _read_verl_batch(keys, actor, draft)
    checkpointing = as_flag(model.plain("enable_gradient_checkpointing"))
    if checkpointing is not None:
        draft.file("activation_checkpointing", "full" if checkpointing else "none")
    _read_verl_sharding(actor, draft)
    trainer = keys.part("trainer")
    nodes = as_count(trainer.plain("nnodes"))
    draft.file("gpus", product(as_count(trainer.plain("n_gpus_per_node")), nodes or 1))
    draft.file("nodes", nodes)
    draft.read("epochs", trainer, "total_epochs", by=as_positive)
    draft.read("steps", trainer, "total_training_steps", by=as_count)
    draft.read("save_every_steps", trainer, "save_freq", by=as_count)
    read_launch(document, draft)
    draft.defaults({"strategy": "finetune", "optimizer": "adamw", "precision": "bf16-mixed"})


def _read_verl_batch(keys: Keys, actor: Keys, draft: Draft) -> None:
    micro = ("ppo_micro_batch_size_per_gpu",)
    draft.read("micro_batch", actor, *micro, by=as_count)
    draft.read("micro_batch", keys, "data.micro_batch_size_per_gpu", by=as_count)
    draft.read("global_batch", actor, "ppo_mini_batch_size", by=as_count)
    if not actor:
        draft.read("global_batch", keys, "data.train_batch_size", by=as_count)
    data = keys.part("data")
    sides = [as_count(data.plain(f"max_{side}_length")) for side in ("prompt", "response")]
    if None not in sides:
        draft.guess("sequence_length", sum(side or 0 for side in sides))
    draft.read("sequence_length", data, "max_length", by=as_count)


def _read_verl_sharding(actor: Keys, draft: Draft) -> None:
    config: Any = actor.part("fsdp_config")
    strategy = as_word(actor.plain("strategy")) or "fsdp"
    draft.default("data_parallel", "zero1" if strategy == "megatron" else "fsdp")
    if as_flag(config.plain("param_offload")):
        draft.file("offload", "params")
    elif as_flag(config.plain("optimizer_offload")):
        draft.file("offload", "optimizer")
    size = as_count(config.plain("fsdp_size"))
    draft.file("shard_degree", size if size and size > 1 else None)
    for field in ("tensor", "pipeline", "context"):
        name = (
            f"megatron.{field}_model_parallel_size"
            if field != "context"
            else "megatron.context_parallel_size"
        )
        draft.read(f"{field}_parallel", actor, name, by=as_count)


VERL: Final = Format(name="verl", role="trainer", recognises=_recognises_verl, read=_read_verl)
