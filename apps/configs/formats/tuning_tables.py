"""Tools for fine-tuning with files of their own: Oumi, NeMo's newer ones, LLM Studio and others."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.draft import Draft
from apps.configs.formats.megatron_degrees import read_degrees
from apps.configs.formats.shared import adapter_method, read_adapters, sharding_word
from apps.configs.formats.table import Table
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_list, as_number, as_word, product
from apps.configs.words import method_word, precision_word, quantization_of_bits, stage_word

_TUNES: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "method": "full",
    "quantization": "none",
    "optimizer": "adamw",
    "grad_accumulation": 1,
}


def _flagged(draft: Draft, field: str, value: Any) -> None:
    flag = as_flag(value)
    if flag is not None:
        draft.file(field, "full" if flag else "none")


def _finish_oumi(keys: Keys, draft: Draft) -> None:
    training, peft, fsdp = keys.part("training"), keys.part("peft"), keys.part("fsdp")
    draft.file("stage", stage_word(as_word(training.plain("trainer_type")).rsplit("_", 1)[-1]))
    bits = as_number(peft.plain("q_lora_bits")) or 4
    quantized = bool(as_flag(peft.plain("q_lora")))
    if quantized:
        draft.file("quantization", quantization_of_bits(bits))
    asked = as_flag(training.plain("use_peft"))
    if asked:
        four_bits = quantized and bits == 4
        draft.file("method", adapter_method(dora=False, quantized=four_bits))
        read_adapters(draft, peft, ("lora_r",), ("lora_target_modules",))
    elif asked is False:
        draft.file("method", "full")
    weights = precision_word(keys.plain("model.torch_dtype_str"))
    mixed = precision_word(training.plain("mixed_precision_dtype"))
    stated = mixed if mixed not in (None, "fp32") else None
    draft.file("precision", stated or (weights.replace("-mixed", "-pure") if weights else mixed))
    if as_flag(fsdp.plain("enable_fsdp")):
        strategy = sharding_word(fsdp.plain("sharding_strategy"))
        draft.file("data_parallel", strategy or "fsdp")
        draft.file("offload", "params" if as_flag(fsdp.plain("cpu_offload")) else None)


OUMI: Final = Table(
    name="oumi",
    framework="other",
    signs=(("training.trainer_type", "training.use_peft"), ("model.model_name",)),
    keys={
        "model": ("model.model_name",),
        "sequence_length": ("model.model_max_length", "training.trainer_kwargs.max_seq_length"),
        "attention": ("model.attn_implementation",),
        "micro_batch": ("training.per_device_train_batch_size",),
        "grad_accumulation": ("training.gradient_accumulation_steps",),
        "epochs": ("training.num_train_epochs",),
        "steps": ("training.max_steps",),
        "optimizer": ("training.optimizer",),
        "save_every_steps": ("training.save_steps",),
        "activation_checkpointing": ("training.enable_gradient_checkpointing",),
        "packing": ("data.train.pack", "training.trainer_kwargs.packing"),
        "compile": ("training.compile",),
    },
    finish=_finish_oumi,
    defaults={**_TUNES, "micro_batch": 8, "activation_checkpointing": "none"},
)


def _finish_nemo_rl(keys: Keys, draft: Draft) -> None:
    policy = keys.part("policy")
    for stage in ("grpo", "sft", "dpo", "rm"):
        part = keys.part(stage)
        if not part:
            continue
        draft.file("stage", stage)
        draft.file("epochs", as_number(part.plain("max_num_epochs")))
        draft.file("steps", as_count(part.plain("max_num_steps")))
    megatron = policy.part("megatron_cfg")
    layout = megatron if as_flag(megatron.plain("enabled")) else policy.part("dtensor_cfg")
    _flagged(draft, "activation_checkpointing", layout.plain("activation_checkpointing"))
    read_degrees(layout, draft)
    draft.default("data_parallel", "zero1" if layout is megatron else "fsdp")
    adapter = layout.part("lora_cfg") or layout.part("peft")
    if as_flag(adapter.plain("enabled")):
        draft.file("method", "lora")
        read_adapters(draft, adapter, ("dim",), ("target_modules",))
        every = as_flag(adapter.plain("match_all_linear"))
        (draft.file if every else draft.guess)("lora_targets", "all-linear")
    if as_flag(keys.plain("checkpointing.enabled")):
        draft.read("save_every_steps", keys, "checkpointing.save_period", by=as_count)
        draft.read("saves_kept", keys, "checkpointing.keep_top_k", by=as_count)
    nodes = as_count(keys.plain("cluster.num_nodes"))
    draft.file("nodes", nodes)
    draft.file("gpus", product(nodes or 1, as_count(keys.plain("cluster.gpus_per_node"))))


NEMO_RL: Final = Table(
    name="nemo_rl",
    framework="nemo",
    signs=(("policy.train_micro_batch_size", "policy.train_global_batch_size"),),
    keys={
        "model": ("policy.model_name",),
        "sequence_length": ("policy.max_total_sequence_length",),
        "micro_batch": ("policy.train_micro_batch_size",),
        "global_batch": ("policy.train_global_batch_size",),
        "precision": ("policy.precision",),
        "optimizer": ("policy.optimizer.name", "policy.megatron_cfg.optimizer.optimizer"),
        "packing": ("policy.sequence_packing.enabled",),
    },
    finish=_finish_nemo_rl,
    defaults={k: v for k, v in _TUNES.items() if k != "grad_accumulation"},
)


def _finish_automodel(keys: Keys, draft: Draft) -> None:
    peft = keys.part("peft")
    if peft:
        quantized = as_flag(keys.plain("quantization.load_in_4bit"))
        draft.file("method", adapter_method(dora=False, quantized=bool(quantized)))
        read_adapters(draft, peft, ("dim",), ("target_modules",))
        draft.file("lora_targets", "all-linear" if peft.plain("match_all_linear") else None)
    if as_flag(keys.plain("quantization.load_in_4bit")):
        draft.file("quantization", "nf4")
    size = as_count(keys.plain("packed_sequence.packed_sequence_size"))
    if size:
        draft.file("packing", value=True)
        draft.file("sequence_length", size)
    wrapper = str(
        keys.plain("distributed_config._target_", "distributed._target_", "distributed.strategy")
    ).lower()
    word = next((w for w in ("fsdp", "ddp", "megatron_fsdp") if w in wrapper), None)
    draft.file("data_parallel", {"megatron_fsdp": "fsdp"}.get(word or "", word))


AUTOMODEL: Final = Table(
    name="automodel",
    framework="nemo",
    signs=(("step_scheduler",), ("model.pretrained_model_name_or_path", "model._target_")),
    keys={
        "model": (
            "model.pretrained_model_name_or_path",
            "model.config.pretrained_model_name_or_path",
        ),
        "micro_batch": ("step_scheduler.local_batch_size",),
        "global_batch": ("step_scheduler.global_batch_size",),
        "grad_accumulation": ("step_scheduler.grad_acc_steps",),
        "epochs": ("step_scheduler.num_epochs",),
        "steps": ("step_scheduler.max_steps",),
        "save_every_steps": ("step_scheduler.ckpt_every_steps",),
        "sequence_length": ("dataset.seq_length", "dataset.seq_len"),
        "optimizer": ("optimizer._target_",),
        "precision": ("model.torch_dtype",),
        "activation_checkpointing": (
            "distributed.activation_checkpointing",
            "distributed_config.activation_checkpointing",
        ),
        "tensor_parallel": ("distributed.tp_size",),
        "context_parallel": ("distributed.cp_size",),
        "expert_parallel": ("distributed.ep_size",),
    },
    finish=_finish_automodel,
    defaults={k: v for k, v in _TUNES.items() if k != "grad_accumulation"},
)


def _finish_studio(keys: Keys, draft: Draft) -> None:
    training = keys.part("training")
    kept = as_word(keys.plain("architecture.backbone_dtype"))
    stored = {"int4": "nf4", "int8": "int8"}.get(kept)
    draft.file("quantization", stored)
    if as_flag(training.plain("lora")):
        dora = bool(as_flag(training.plain("use_dora")))
        draft.file("method", adapter_method(dora=dora, quantized=stored == "nf4"))
        read_adapters(draft, training, ("lora_r",), ("lora_target_modules",))
        draft.default("lora_targets", "all-linear")
    else:
        draft.default("method", "full")
    if as_flag(keys.plain("environment.mixed_precision")):
        half = as_word(keys.plain("environment.mixed_precision_dtype")) or "float16"
        draft.file("precision", precision_word(half))
    elif kept in ("float16", "bfloat16", "float32"):
        draft.file("precision", str(precision_word(kept)).replace("-mixed", "-pure"))
    cards = as_list(keys.plain("environment.gpus"))
    draft.file("gpus", len(cards) or None)


STUDIO: Final = Table(
    name="llmstudio",
    framework="other",
    signs=(("llm_backbone",), ("training.batch_size",)),
    keys={
        "model": ("llm_backbone",),
        "sequence_length": ("tokenizer.max_length",),
        "micro_batch": ("training.batch_size",),
        "grad_accumulation": ("training.grad_accumulation",),
        "epochs": ("training.epochs",),
        "optimizer": ("training.optimizer",),
        "activation_checkpointing": ("architecture.gradient_checkpointing",),
        "compile": ("environment.compile_model",),
    },
    finish=_finish_studio,
    defaults={k: v for k, v in _TUNES.items() if k != "method"},
)


def _finish_ludwig(keys: Keys, draft: Draft) -> None:
    adapter = keys.part("adapter")
    bits = quantization_of_bits(keys.plain("quantization.bits"))
    draft.file("quantization", bits)
    kind = as_word(adapter.plain("type")) or as_word(keys.plain("adapter"))
    if kind:
        quantized = (bits or "").startswith("nf4")
        exact = method_word(kind) == "lora"
        method = adapter_method(dora=False, quantized=quantized)
        (draft.file if exact else draft.guess)("method", method)
        read_adapters(draft, adapter, ("r",), ("target_modules",))
        draft.default("lora_rank", 8)


LUDWIG: Final = Table(
    name="ludwig",
    framework="other",
    signs=(("input_features",), ("trainer",), ("base_model",)),
    keys={
        "model": ("base_model",),
        "sequence_length": ("preprocessing.global_max_sequence_length",),
        "micro_batch": ("trainer.batch_size",),
        "grad_accumulation": ("trainer.gradient_accumulation_steps",),
        "epochs": ("trainer.epochs",),
        "steps": ("trainer.train_steps",),
        "optimizer": ("trainer.optimizer.type",),
        "activation_checkpointing": ("trainer.enable_gradient_checkpointing",),
        "save_every_steps": ("trainer.steps_per_checkpoint",),
    },
    finish=_finish_ludwig,
    defaults=_TUNES,
)


def _finish_autotrain(keys: Keys, draft: Draft) -> None:
    params = keys.part("params")
    task = as_word(keys.plain("task"))
    draft.file("stage", stage_word(task.rsplit("-", 1)[-1]))
    stored = {"int4": "nf4", "int8": "int8"}.get(as_word(params.plain("quantization")))
    draft.file("quantization", stored)
    asked = as_flag(params.plain("peft"))
    if asked or stored:
        draft.file("method", adapter_method(dora=False, quantized=stored == "nf4"))
        read_adapters(draft, params, ("lora_r",), ("target_modules",))
        draft.defaults({"lora_rank": 16, "lora_targets": "all-linear"})
    elif asked is False:
        draft.file("method", "full")
    if as_flag(params.plain("disable_gradient_checkpointing")):
        draft.file("activation_checkpointing", "none")


AUTOTRAIN: Final = Table(
    name="autotrain",
    framework="trl",
    signs=(("base_model",), ("params",), ("task",)),
    keys={
        "model": ("base_model",),
        "sequence_length": ("params.block_size", "params.model_max_length"),
        "micro_batch": ("params.batch_size",),
        "grad_accumulation": ("params.gradient_accumulation",),
        "epochs": ("params.epochs",),
        "optimizer": ("params.optimizer",),
        "precision": ("params.mixed_precision",),
        "saves_kept": ("params.save_total_limit",),
        "image_size": ("params.image_size",),
    },
    finish=_finish_autotrain,
    defaults={**_TUNES, "activation_checkpointing": "full"},
)


def _finish_mistral(keys: Keys, draft: Draft) -> None:
    rank = as_count(keys.plain("lora.rank"))
    draft.file("method", "lora" if rank else "full")
    draft.file("lora_rank", rank)
    draft.default("lora_targets", "all-linear" if rank else None)


MISTRAL_FINETUNE: Final = Table(
    name="mistral_finetune",
    framework="other",
    signs=(("model_id_or_path",), ("seq_len",), ("max_steps", "ckpt_freq")),
    keys={
        "model": ("model_id_or_path",),
        "sequence_length": ("seq_len",),
        "micro_batch": ("batch_size",),
        "grad_accumulation": ("num_microbatches",),
        "steps": ("max_steps",),
        "save_every_steps": ("ckpt_freq",),
        "saves_kept": ("num_ckpt_keep",),
        "activation_checkpointing": ("checkpoint",),
    },
    finish=_finish_mistral,
    defaults={**_TUNES, "precision": "bf16-mixed", "packing": True, "stage": "sft"},
)


def _finish_mlx(keys: Keys, draft: Draft) -> None:
    word = method_word(keys.plain("fine_tune_type"))
    draft.file("method", word)
    draft.default("method", "lora")
    if draft.value("method") != "full":
        read_adapters(draft, keys.part("lora_parameters"), ("rank",), ("keys",))


MLX: Final = Table(
    name="mlx",
    framework="other",
    signs=(("iters",), ("model",), ("lora_parameters", "fine_tune_type", "lora_layers")),
    keys={
        "model": ("model",),
        "sequence_length": ("max_seq_length",),
        "micro_batch": ("batch_size",),
        "grad_accumulation": ("grad_accumulation_steps",),
        "steps": ("iters",),
        "save_every_steps": ("save_every",),
        "optimizer": ("optimizer",),
        "activation_checkpointing": ("grad_checkpoint",),
    },
    finish=_finish_mlx,
    defaults={"strategy": "finetune", "stage": "sft"},
)

TUNING_TABLES: Final = (
    LUDWIG,
    AUTOTRAIN,
    OUMI,
    NEMO_RL,
    AUTOMODEL,
    STUDIO,
    MISTRAL_FINETUNE,
    MLX,
)
