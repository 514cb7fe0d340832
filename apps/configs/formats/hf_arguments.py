"""Arguments of transformers' Trainer, which TRL, LLaMA-Factory, ms-swift and others share."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.draft import Draft
from apps.configs.formats.shared import (
    read_deepspeed_reference,
    read_offload,
    read_optimizer,
    sharding_word,
)
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_positive, truthy
from apps.configs.words import checkpointing_word, dtype_word

# Since 2025 the trainer's defaults differ; these keys were renamed before that.
_OLD_KEYS: Final = ("max_seq_length", "evaluation_strategy", "use_liger", "tokenizer")
_DTYPE: Final = ("torch_dtype", "dtype", "model_init_kwargs.torch_dtype", "model_init_kwargs.dtype")
_SAVE_STEPS_DEFAULT: Final = 500
_PLAIN_BATCHES: Final = (
    "per_device_batch_size",
    "micro_batch_size",
    "train_batch_size",
    "batch_size",
)
_PADDLE_STAGE: Final = re.compile(r"stage([123])")
CHECKPOINTING: Final = (
    "gradient_checkpointing",
    "activation_checkpointing",
    "use_gradient_checkpointing",
    "enable_gradient_checkpointing",
    "gradient_checkpoint",
    "grad_checkpointing",
    "grad_checkpoint",
    "use_grad_checkpoint",
)


def is_old(keys: Keys) -> bool:
    """Whether the file was written for the trainer as it was before the renaming of 2025."""
    return any(keys.states(name) for name in _OLD_KEYS)


def read_arguments(keys: Keys, draft: Draft) -> None:
    """Batch, length of the run, saving, optimizer, precision, checkpointing, sharding."""
    draft.read(
        "micro_batch",
        keys,
        "per_device_train_batch_size",
        "per_gpu_train_batch_size",
        by=as_count,
    )
    draft.guess("micro_batch", as_count(keys.plain(*_PLAIN_BATCHES)))
    draft.read("grad_accumulation", keys, "gradient_accumulation_steps", by=as_count)
    draft.read("epochs", keys, "num_train_epochs", by=as_positive)
    draft.read("steps", keys, "max_steps", by=as_count)
    read_optimizer(draft, keys, "optim")
    read_saving(keys, draft)
    read_precision(keys, draft)
    read_checkpointing(keys, draft)
    _read_kernels(keys, draft)
    read_sharding(keys, draft)


def read_saving(keys: Keys, draft: Draft) -> None:
    strategy = keys.plain("save_strategy")
    keys.plain("save_only_model")
    if strategy in (None, "steps"):
        draft.read("save_every_steps", keys, "save_steps", "checkpointing_steps", by=as_count)
        draft.default("save_every_steps", _SAVE_STEPS_DEFAULT)
    else:
        keys.get("save_steps")
    draft.read("saves_kept", keys, "save_total_limit", by=as_kept)


def read_precision(keys: Keys, draft: Draft) -> None:
    """`bf16` and `fp16` are autocast over the weights that `dtype` names."""
    bf16, fp16 = keys.get("bf16"), keys.get("fp16")
    weights = dtype_word(keys.plain(*_DTYPE))
    if as_flag(keys.plain("pure_bf16")):
        draft.file("precision", "bf16-pure")
    elif truthy(bf16):
        draft.file("precision", "bf16-mixed")
    elif truthy(fp16):
        draft.file("precision", "fp16-mixed")
    elif as_flag(keys.plain("fp8")):
        draft.guess("precision", "fp8-mixed")  # if the card has it
    elif OPAQUE in (bf16, fp16):
        draft.file("precision", OPAQUE)
    elif weights in ("bf16", "fp16"):
        # DeepSpeed keeps an fp32 copy whatever type the model is loaded in.
        kept = truthy(keys.plain("deepspeed")) or keys.states("zero_stage")
        draft.file("precision", f"{weights}-{'mixed' if kept else 'pure'}")
    elif weights == "fp32" or (as_flag(bf16) is False and as_flag(fp16) is not True):
        draft.file("precision", "fp32")
    if weights and draft.value("precision") in ("bf16-mixed", "fp16-mixed"):
        draft.guess("master_weights", "fp32" if weights == "fp32" else "none")


def read_checkpointing(keys: Keys, draft: Draft) -> None:
    value = keys.get(*CHECKPOINTING)
    keys.get("gradient_checkpointing_kwargs")
    word = OPAQUE if value is OPAQUE else checkpointing_word(value)
    draft.file("activation_checkpointing", word)
    recompute = as_flag(keys.plain("recompute"))  # Paddle's word for it
    if recompute is not None:
        part = "selective" if keys.plain("recompute_granularity") == "core_attn" else "full"
        draft.file("activation_checkpointing", part if recompute else "none")
    if isinstance(value, str) and "offload" in value.lower():
        draft.file("offload", "activations")
    if as_flag(keys.plain("activation_offloading")):
        draft.file("offload", "activations")


def _read_kernels(keys: Keys, draft: Draft) -> None:
    liger = as_flag(keys.plain("use_liger_kernel", "use_liger", "enable_liger_kernel"))
    if liger is not None:
        fused = as_flag(keys.plain("liger_kernel_config.fused_linear_cross_entropy"))
        draft.file("fused_kernels", liger)
        draft.file("fused_cross_entropy", liger if fused is None else liger and fused)
    draft.read("compile", keys, "torch_compile", by=as_flag)


def read_sharding(keys: Keys, draft: Draft) -> None:
    """`deepspeed` is a path, a preset or the file itself; `fsdp` a list of words."""
    stage = keys.plain("zero_stage")
    paddle = _PADDLE_STAGE.search(str(keys.plain("sharding") or ""))
    stage = int(paddle.group(1)) if paddle else stage
    draft.read("tensor_parallel", keys, "tensor_parallel_degree", by=as_count)
    draft.read("pipeline_parallel", keys, "pipeline_parallel_degree", by=as_count)
    if stage in (0, 1, 2, 3):
        draft.file("data_parallel", f"zero{stage}" if stage else "ddp")
    referred = keys.get("deepspeed", "deepspeed_config", "ds_config")
    if referred is OPAQUE:
        draft.unreadable.add("data_parallel")
    read_deepspeed_reference(draft, referred)
    words = _fsdp_words(keys.plain("fsdp"))
    config = keys.part("fsdp_config")
    if keys.states("fsdp_config") and not config:
        draft.refer(keys.plain("fsdp_config"))
    if not words and not (config and keys.states("fsdp")):
        return
    named = next((w for word in words if (w := sharding_word(word))), None)
    stated = config.plain("fsdp_sharding_strategy", "sharding_strategy")
    draft.file("data_parallel", named or sharding_word(stated) or "fsdp")
    offload = config.plain("fsdp_offload_params", "offload_params")
    if "offload" in words:
        draft.file("offload", "params")
    elif as_flag(offload) is not None:
        read_offload(draft, params="cpu" if as_flag(offload) else "none", optimizer=None)
    if as_flag(config.plain("fsdp_activation_checkpointing", "activation_checkpointing")):
        draft.file("activation_checkpointing", "full")


def _fsdp_words(value: Any) -> list[str]:
    if as_flag(value) is True:
        return ["full_shard"]
    return [] if as_flag(value) is False else [word.lower() for word in as_list(value)]
