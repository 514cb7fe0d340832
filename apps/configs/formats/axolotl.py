"""axolotl's YAML. Its defaults as of version 0.12: bf16 weights unless something shards them."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import DEFAULT, Draft
from apps.configs.formats.hf_arguments import read_sharding
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import (
    Format,
    adapter_method,
    read_adapters,
    read_attention,
    read_model_name,
    read_optimizer,
    read_quantized_base,
)
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_positive, product, truthy
from apps.configs.words import checkpointing_word, stage_word, targets_word

_SIGNS: Final = (
    "micro_batch_size",
    "sequence_len",
    "adapter",
    "sample_packing",
    "dataset_prepared_path",
    "datasets",
    "pretraining_dataset",
    "rl",
)
_DEFAULTS: Final[dict[str, Any]] = {
    "stage": "sft",
    "strategy": "finetune",
    "quantization": "none",
    "sequence_length": 512,
    "micro_batch": 1,
    "grad_accumulation": 1,
    "epochs": 1,
    "optimizer": "adamw",
    "precision": "bf16-mixed",
    "activation_checkpointing": "none",
    "attention": "sdpa",
    "packing": False,
    "fused_cross_entropy": False,
    "saves_kept": 4,
}
_KERNELS: Final = (
    "liger_rms_norm",
    "liger_layer_norm",
    "liger_glu_activation",
    "liger_rope",
    "lora_mlp_kernel",
    "lora_qkv_kernel",
    "lora_o_kernel",
)
_CROSS_ENTROPY: Final = (
    "liger_fused_linear_cross_entropy",
    "liger_cross_entropy",
    "cut_cross_entropy",
    "unsloth_cross_entropy_loss",
    "chunked_cross_entropy",
)
_DEGREES: Final = (
    ("tensor_parallel", ("tensor_parallel_size",)),
    ("context_parallel", ("context_parallel_size", "sequence_parallel_degree")),
    ("expert_parallel", ("expert_parallel_size",)),
)


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "python" or not keys.states("base_model"):
        return False
    if document.notation == "shell" and "axolotl" not in " ".join(document.program):
        return False
    return any(keys.has(sign) for sign in _SIGNS) and not keys.has("per_device_train_batch_size")


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "axolotl")
    read_model_name(draft, keys, "base_model")
    _read_method(keys, draft)
    _read_stage(keys, draft)
    draft.read("sequence_length", keys, "sequence_len", by=as_count)
    draft.read("packing", keys, "sample_packing", by=as_flag)
    _read_batch(keys, draft)
    read_optimizer(draft, keys, "optimizer")
    _read_precision(keys, draft)
    _read_memory(keys, draft)
    _read_losses(keys, draft)
    _read_length(keys, draft)
    _read_layout(keys, draft)
    read_launch(document, draft)
    _fill_defaults(draft)


def _read_method(keys: Keys, draft: Draft) -> None:
    adapter = keys.plain("adapter")
    quantized = read_quantized_base(draft, keys)
    if as_flag(keys.plain("gptq")):
        draft.file("quantization", "gptq-int4")
    if not adapter:
        # Keys of LoRA may still stand in the file: without `adapter` they do nothing.
        if keys.states("unfrozen_parameters"):
            keys.get("unfrozen_parameters")
            draft.guess("method", "freeze")
        else:
            draft.default("method", "full")
        return
    dora = bool(as_flag(keys.plain("peft_use_dora", "lora_use_dora")))
    four_bits = adapter == "qlora" or (quantized or "").startswith("nf4")
    draft.file("method", adapter_method(dora=dora, quantized=four_bits))
    if adapter == "qlora":
        draft.guess("quantization", "nf4")
    read_adapters(draft, keys, ("lora_r",), ())
    linear = as_flag(keys.plain("lora_target_linear"))
    draft.file("lora_targets", "all-linear" if linear else None)
    draft.read("lora_targets", keys, "lora_target_modules", by=targets_word)
    draft.file("modules_to_save", as_list(keys.plain("lora_modules_to_save")) or None)


def _read_stage(keys: Keys, draft: Draft) -> None:
    if truthy(keys.plain("reward_model")) or truthy(keys.plain("process_reward_model")):
        draft.file("stage", "rm")
    draft.file("stage", stage_word(keys.plain("rl")))
    if keys.states("pretraining_dataset"):
        keys.get("pretraining_dataset")
        draft.file("stage", "pretrain")
        scratch = as_flag(keys.plain("reinit_weights"))
        draft.guess("strategy", "from-scratch" if scratch else "continual")


def _read_batch(keys: Keys, draft: Draft) -> None:
    """`batch_size` is what one GPU sees before a step: micro-batch × accumulation."""
    micro = draft.read("micro_batch", keys, "micro_batch_size", by=as_count)
    steps = draft.read("grad_accumulation", keys, "gradient_accumulation_steps", by=as_count)
    total = as_count(keys.plain("batch_size"))
    if total and micro and steps is None:
        draft.guess("grad_accumulation", max(1, total // micro))
    elif total and steps and micro is None:
        draft.guess("micro_batch", max(1, total // steps))


def _read_precision(keys: Keys, draft: Draft) -> None:
    """`fp8` beside a 16-bit type speeds up products only: the type that is stated holds."""
    bf16, fp16 = keys.plain("bf16"), keys.plain("fp16")
    pure = truthy(keys.plain("bfloat16"))
    if bf16 == "full" or (pure and not truthy(bf16)):
        draft.file("precision", "bf16-pure")
    elif truthy(bf16):
        draft.file("precision", "bf16-mixed")
    elif truthy(fp16):
        draft.file("precision", "fp16-mixed")
    elif truthy(keys.plain("float16")):
        draft.file("precision", "fp16-pure")
    elif truthy(keys.plain("fp8")):
        draft.guess("precision", "fp8-mixed")
    elif as_flag(bf16) is False:
        draft.file("precision", "fp32")


def _read_memory(keys: Keys, draft: Draft) -> None:
    value = keys.get("gradient_checkpointing", "activation_checkpointing")
    keys.get("gradient_checkpointing_kwargs")
    draft.file("activation_checkpointing", checkpointing_word(value))
    offloaded = truthy(keys.plain("activation_offloading"))
    if offloaded or (isinstance(value, str) and "offload" in value):
        draft.guess("offload", "activations")
    if truthy(keys.plain("flash_attention")):
        draft.file("attention", "flash")
    for name, word in (("sdp_attention", "sdpa"), ("xformers_attention", "sdpa")):
        if truthy(keys.plain(name)):
            draft.file("attention", word)
    if truthy(keys.plain("flex_attention")):
        draft.guess("attention", "flash")
    if truthy(keys.plain("eager_attention")):
        draft.file("attention", "eager")
    read_attention(draft, keys, "attn_implementation")
    draft.read("compile", keys, "torch_compile", by=as_flag)


def _read_losses(keys: Keys, draft: Draft) -> None:
    """A plugin alone brings no fused loss, except the one whose only purpose it is."""
    plugins = " ".join(as_list(keys.plain("plugins"))).lower()
    stated = [as_flag(keys.plain(name)) for name in _CROSS_ENTROPY]
    if any(stated) or ("cutcrossentropy" in plugins and False not in stated):
        draft.file("fused_cross_entropy", value=True)
    elif False in stated:
        draft.file("fused_cross_entropy", value=False)
    kernels = [as_flag(keys.plain(name)) for name in _KERNELS]
    if any(kernels):
        draft.file("fused_kernels", value=True)


def _read_length(keys: Keys, draft: Draft) -> None:
    draft.read("epochs", keys, "num_epochs", by=as_positive)
    draft.read("steps", keys, "max_steps", by=as_count)
    draft.read("save_every_steps", keys, "save_steps", by=as_count)
    draft.read("saves_kept", keys, "save_total_limit", by=as_kept)
    keys.plain("saves_per_epoch", "save_strategy")


def _read_layout(keys: Keys, draft: Draft) -> None:
    for field, names in _DEGREES:
        draft.read(field, keys, *names, by=as_count)
    shard = as_count(keys.plain("dp_shard_size"))
    replicas = as_count(keys.plain("dp_replicate_size"))
    if shard and shard > 1:
        draft.file("shard_degree", shard)
        draft.file("data_parallel", "hsdp" if (replicas or 1) > 1 else "fsdp")
    version = as_count(keys.plain("fsdp_version", "fsdp_config.fsdp_version"))
    read_sharding(keys, draft)
    if version == 2 and keys.states("fsdp_config"):
        _read_fsdp2(keys.part("fsdp_config"), draft)
    if shard:
        tensor, context = draft.value("tensor_parallel"), draft.value("context_parallel")
        draft.guess("gpus", product(shard, replicas or 1, tensor or 1, context or 1))


def _read_fsdp2(config: Keys, draft: Draft) -> None:
    """Version 2 has no list of words: `fsdp_config` alone turns it on."""
    keeps = as_flag(config.plain("reshard_after_forward", "fsdp_reshard_after_forward")) is False
    draft.file("data_parallel", "zero2" if keeps else "fsdp")
    offload = as_flag(config.plain("offload_params", "fsdp_offload_params"))
    if offload is not None:
        draft.file("offload", "params" if offload else "none")


def _fill_defaults(draft: Draft) -> None:
    if draft.value("optimizer") is None:
        draft.default("optimizer_step", "fused")
    draft.defaults(_DEFAULTS)
    if draft.value("method") == "full" and draft.value("precision") == "bf16-mixed":
        sharded = draft.value("data_parallel") not in (None, "ddp", "none")
        origin = draft.found["precision"].origin
        words = "fp32" if sharded else "none"
        (draft.default if origin != DEFAULT or sharded else draft.guess)("master_weights", words)


AXOLOTL: Final = Format(name="axolotl", role="trainer", recognises=_recognises, read=_read)
