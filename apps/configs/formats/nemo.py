"""NeMo's Hydra files: a Lightning trainer, an experiment manager and a model, mostly Megatron."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.megatron_degrees import read_degrees, read_recompute
from apps.configs.formats.pl_trainer import read_trainer
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.formats.transformer_shape import read_widths
from apps.configs.keys import Keys
from apps.configs.opaque import OPAQUE
from apps.configs.values import (
    as_count,
    as_flag,
    as_kept,
    as_list,
    as_number,
    as_positive,
    as_share,
    as_text,
)
from apps.configs.words import dtype_word

_LENGTHS: Final = ("data.train_ds.max_seq_length", "encoder_seq_length", "data.seq_length")
_MEGATRON_DEFAULTS: Final[dict[str, Any]] = {
    "stage": "pretrain",
    "quantization": "none",
    "activation_checkpointing": "none",
    "attention": "flash",
}
# The trainer's own settings of a way of alignment: `trainer.dpo.save_interval`.
_ALIGNED: Final = ("sft", "dpo", "rm", "ppo", "kto", "grpo")
_ADAPTERS: Final = {"lora": "lora_tuning", "qlora": "lora_tuning", "adapter": "adapter_tuning"}


def _recognises(document: Document, keys: Keys) -> bool:
    trainer = keys.part("trainer")
    if document.notation == "python" or not trainer:
        return False
    model = keys.part("model")
    manager = keys.has("exp_manager") and (bool(model) or trainer.has("devices"))
    return manager or (model.has("micro_batch_size") and model.has("global_batch_size"))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "nemo")
    model = keys.part("model")
    megatron = model.has("micro_batch_size") or model.has("tensor_model_parallel_size")
    restored = as_text(model.plain("restore_from_path", "restore_from_pretrained"))
    draft.file("model", restored or as_text(keys.plain("init_from_pretrained_model")))
    draft.guess("model", as_text(keys.plain("name")))
    _read_method(keys, model, draft)
    _read_alignment(keys.part("trainer"), draft)
    if megatron:
        _read_megatron(model, draft)
    else:
        draft.read("micro_batch", model, "train_ds.batch_size", by=as_count)
    read_optimizer(draft, model, "optim.name")
    if as_text(model.plain("optim.name")) == "distributed_fused_adam":
        draft.file("data_parallel", "zero1")
    read_trainer(keys.part("trainer"), draft, accumulates=not megatron)
    manager = keys.part("exp_manager.checkpoint_callback_params")
    draft.read("saves_kept", manager, "save_top_k", by=as_kept)
    draft.read("save_every_steps", manager, "every_n_train_steps", by=as_count)
    read_launch(document, draft)
    _derive(draft)


def _read_method(keys: Keys, model: Keys, draft: Draft) -> None:
    scheme = model.plain("peft.peft_scheme")
    tuned = _ADAPTERS.get(str(scheme))
    restored = model.states("restore_from_path") or bool(model.part("peft"))
    started = restored or any(
        keys.states(f"init_from_{kind}_model") for kind in ("nemo", "pretrained")
    )
    pretrained = started or "finetun" in str(keys.plain("name")).lower()
    (draft.file if restored else draft.guess)(
        "strategy", "finetune" if pretrained else "from-scratch"
    )
    if tuned is None:
        draft.default("method", "full")
        return
    exact = scheme in ("lora", "qlora")
    state = draft.file if exact else draft.guess
    state("method", scheme if exact else "lora")
    part = model.part(f"peft.{tuned}")
    state("lora_rank", as_count(part.plain("adapter_dim")))
    state("lora_dropout", as_share(part.plain("adapter_dropout")))
    targets = model.part("peft.lora_tuning").plain("target_modules")
    state("lora_targets", as_list(targets) or None)
    draft.default("stage", "sft")


def _read_alignment(trainer: Keys, draft: Draft) -> None:
    for stage in _ALIGNED:
        part = trainer.part(stage)
        if part:
            draft.file("stage", stage)
            draft.read("save_every_steps", part, "save_interval", by=as_count)
            draft.read("epochs", part, "max_epochs", by=as_positive)
            draft.read("steps", part, "max_steps", by=as_count)


def _read_megatron(model: Keys, draft: Draft) -> None:
    draft.read(
        "micro_batch", model, "micro_batch_size", "data.train_ds.micro_batch_size", by=as_count
    )
    draft.read(
        "global_batch", model, "global_batch_size", "data.train_ds.global_batch_size", by=as_count
    )
    draft.read("sequence_length", model, *_LENGTHS, by=as_count)
    read_widths(model, draft)
    draft.read("kv_heads", model, "num_query_groups", by=as_count)
    draft.read("experts", model, "num_moe_experts", by=as_count)
    draft.read("experts_per_token", model, "moe_router_topk", by=as_count)
    activation = as_text(model.plain("activation"))
    draft.file("gated_ffn", activation.endswith("glu") if activation else None)
    draft.read("tied_embeddings", model, "share_embeddings_and_output_weights", by=as_flag)
    read_degrees(model, draft)
    read_recompute(model, draft)
    _read_numbers(model, draft)
    if as_flag(model.plain("fsdp")):
        strategies = {"full": "fsdp", "grad": "zero2", "hybrid": "hsdp"}
        draft.file(
            "data_parallel", strategies.get(str(model.plain("fsdp_sharding_strategy")), "fsdp")
        )
    draft.read("packing", model, "data.train_ds.packed_sequence", by=as_flag)
    draft.defaults(_MEGATRON_DEFAULTS)
    draft.default("packing", draft.value("stage") == "pretrain")


def _read_numbers(model: Keys, draft: Draft) -> None:
    if as_flag(model.plain("fp8")):
        draft.file("precision", "fp8-mixed")
    draft.file("reduce_precision", dtype_word(model.plain("grad_reduce_dtype")))
    main_weights = as_flag(model.plain("megatron_amp_O2"))
    if main_weights:
        draft.default("master_weights", "fp32")
    flash = model.get("use_flash_attention")
    draft.file("attention", OPAQUE if flash is OPAQUE else "flash" if as_flag(flash) else None)
    if as_flag(model.plain("cpu_offloading")):
        draft.guess("offload", "activations")


def _derive(draft: Draft) -> None:
    """Accumulation follows from the global batch once the GPUs are known."""
    total, micro, gpus = (draft.value(n) for n in ("global_batch", "micro_batch", "gpus"))
    split = (draft.value("tensor_parallel") or 1) * (draft.value("pipeline_parallel") or 1)
    split *= draft.value("context_parallel") or 1
    if total and micro and gpus and gpus >= split:
        replicas = max(1, gpus // split)
        draft.guess("grad_accumulation", max(1, as_number(total // (int(micro) * replicas)) or 1))


NEMO: Final = Format(name="nemo_hydra", role="trainer", recognises=_recognises, read=_read)
