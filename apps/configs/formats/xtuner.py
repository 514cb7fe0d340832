"""XTuner's Python configs: OpenMMLab's dictionaries around a language model."""

from __future__ import annotations

from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.hf_arguments import read_arguments
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
from apps.configs.values import as_count, as_flag, as_kept, as_positive, as_word
from apps.configs.words import dtype_word

_STAGES: Final = (("dpo", "dpo"), ("orpo", "orpo"), ("reward", "rm"))
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "stage": "sft",
    "method": "full",
    "quantization": "none",
    "activation_checkpointing": "full",
    "grad_accumulation": 1,
    "optimizer": "adamw",
}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation != "python":
        return False
    tuned = any(keys.part(f"model.{name}") for name in ("llm", "lora", "llm_lora"))
    tuned = tuned or keys.has("model.freeze_llm")  # a vision-language model as a whole
    return tuned or (bool(keys.part("training_args")) and bool(keys.part("model")))


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "other")
    part = keys.beside(document.tree)
    model = part.part("model")
    llm = model.part("llm") or model
    read_model_name(draft, llm, "pretrained_model_name_or_path", "model_path")
    read_attention(draft, llm, "attn_implementation")
    _read_method(model, llm, part, draft)
    kind = str(model.plain("type") or "").lower()
    draft.file("stage", next((stage for name, stage in _STAGES if name in kind), None))
    if as_flag(llm.plain("freeze_llm", "freeze")) or as_flag(model.plain("freeze_llm")):
        draft.guess("kind", "vlm")
    draft.read("sequence_length", part, "max_length", "max_seq_length", by=as_count)
    draft.read("packing", part, "pack_to_max_length", "use_varlen_attn", by=as_flag)
    _read_trainer(part, draft)
    read_arguments(part.part("training_args"), draft)
    draft.defaults(_DEFAULTS)


def _read_method(model: Keys, llm: Keys, part: Keys, draft: Draft) -> None:
    quantized = read_quantized_base(draft, llm, "quantization_config.")
    adapter = model.part("lora") or model.part("llm_lora") or part.part("lora")
    if not adapter:
        frozen = as_flag(model.plain("freeze_llm"))
        draft.file("method", "freeze" if frozen else "full")
        return
    four_bits = (quantized or "").startswith("nf4")
    draft.file("method", adapter_method(dora=False, quantized=four_bits))
    read_adapters(draft, adapter, ("r",), ("target_modules",))
    draft.default("lora_targets", "all-linear")  # every linear layer unless the file names some


def _read_trainer(part: Keys, draft: Draft) -> None:
    draft.read("micro_batch", part, "train_dataloader.batch_size", "batch_size", by=as_count)
    wrapper = part.part("optim_wrapper")
    draft.read("grad_accumulation", wrapper, "accumulative_counts", by=as_count)
    read_optimizer(draft, wrapper, "optimizer.type")
    half = dtype_word(wrapper.plain("dtype"))
    if half and as_word(wrapper.plain("type")).rsplit(".", 1)[-1].startswith("amp"):
        draft.file("precision", half if half == "fp32" else f"{half}-mixed")
    draft.read("epochs", part, "train_cfg.max_epochs", "max_epochs", by=as_positive)
    draft.read("steps", part, "train_cfg.max_iters", "max_iters", by=as_count)
    hook = part.part("default_hooks.checkpoint")
    if as_flag(hook.plain("by_epoch")) is False:
        draft.read("save_every_steps", hook, "interval", by=as_count)
    draft.read("saves_kept", hook, "max_keep_ckpts", by=as_kept)
    draft.read("context_parallel", part, "sequence_parallel_size", by=as_count)


XTUNER: Final = Format(name="xtuner", role="trainer", recognises=_recognises, read=_read)
