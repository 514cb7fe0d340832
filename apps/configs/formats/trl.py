"""TRL and plain transformers: YAML, JSON of arguments, and command lines of their scripts."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import GUESS, Draft
from apps.configs.formats.hf_arguments import is_old, read_arguments
from apps.configs.formats.hf_peft import TARGETS, read_peft_method
from apps.configs.formats.launch import layout_default, read_launch
from apps.configs.formats.shared import TWO_SIDES, Format, read_attention, read_model_name
from apps.configs.keys import Keys
from apps.configs.values import as_count, as_flag, as_word, truthy
from apps.configs.words import stage_word

_BATCH: Final = ("per_device_train_batch_size", "per_gpu_train_batch_size")
_MODEL: Final = (
    "model_name_or_path",
    "pretrained_model_name_or_path",
    "model_id",
    "model_name",
    "model_path",
    "base_model",
    "model_base",
    "pretrained_model",
)
_SIGNS: Final = (
    *_BATCH,
    "num_train_epochs",
    "max_steps",
    "gradient_accumulation_steps",
    "dataset_name",
    "dataset_mixture",
    "dataset_mixer",
    "learning_rate",
)
# Keys that only TRL's own configurations have.
_TRL: Final = (
    "dataset_mixture",
    "dataset_mixer",
    "dataset_train_split",
    "max_prompt_length",
    "use_peft",
    "packing",
    "max_seq_length",
    "dataset_kwargs",
    "num_generations",
    "loss_type",
    "padding_free",
    "assistant_only_loss",
)
# Keys that only the example scripts of transformers have.
_TRANSFORMERS: Final = (
    "block_size",
    "do_train",
    "train_file",
    "validation_file",
    "max_source_length",
    "max_train_samples",
    "task_name",
)
_LENGTHS: Final = (
    "max_length",
    "max_seq_length",
    "max_seq_len",
    "model_max_length",
    "block_size",
    "cutoff_len",
    "max_sequence_length",
    "seq_length",
    "seq_len",
    "max_len",
    "context_length",
)
_NAMED_STAGE: Final = re.compile(
    r"(?<![a-z])(sft|dpo|kto|orpo|simpo|grpo|ppo|reward|rm|cpo|rloo)(?![a-z])"
)
_STAGE_KEYS: Final = (
    ("num_generations", "grpo"),
    ("reward_funcs", "grpo"),
    ("desirable_weight", "kto"),
    ("center_rewards_coefficient", "rm"),
)
_DEFAULTS: Final[dict[str, Any]] = {
    "strategy": "finetune",
    "micro_batch": 8,
    "grad_accumulation": 1,
    "epochs": 3,
    "optimizer": "adamw",
    "quantization": "none",
    "attention": "sdpa",
    "fused_cross_entropy": False,
}
_OLD_DEFAULTS: Final[dict[str, Any]] = {"activation_checkpointing": "none", "precision": "fp32"}
_NEW_TRL_DEFAULTS: Final[dict[str, Any]] = {
    "activation_checkpointing": "full",
    "precision": "bf16-mixed",
}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "python":
        return False
    if document.program[:1] == ("trl",):
        return True
    named = keys.states("model_name_or_path") or keys.states("model_id")
    if any(keys.states(name) for name in _BATCH):
        return True
    return named and any(keys.has(sign) for sign in _SIGNS)


def _is_trl(document: Document, keys: Keys) -> bool:
    """TRL by its command, by keys of its own, or as YAML without keys of transformers' examples."""
    if document.program[:1] == ("trl",) or any(keys.has(name) for name in _TRL):
        return True
    return document.notation == "yaml" and not any(keys.has(name) for name in _TRANSFORMERS)


def _recognises_trl(document: Document, keys: Keys) -> bool:
    return _recognises(document, keys) and _is_trl(document, keys)


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    trl = _is_trl(document, keys)
    draft.file("framework", "trl" if trl else "hf-trainer")
    read_model_name(draft, keys, *_MODEL)
    read_peft_method(keys, draft)
    _guess_by_name(document, draft)
    _read_stage(document, keys, draft)
    draft.read("sequence_length", keys, *_LENGTHS, by=as_count)
    _read_generated_length(keys, draft)
    draft.read("packing", keys, "packing", by=as_flag)
    if as_flag(keys.plain("padding_free")):
        draft.guess("packing", value=True)  # no padding is computed, which is what packing saves
    read_attention(draft, keys, "attn_implementation", "use_flash_attn", "use_flash_attention_2")
    read_arguments(keys, draft)
    read_launch(document, draft)
    if document.notation == "shell":
        layout_default(draft)
    _fill_defaults(keys, draft, trl=trl)


def _guess_by_name(document: Document, draft: Draft) -> None:
    """`train_qlora.py` quantizes the base by itself."""
    found = draft.found.get("method")
    guessed = found is not None and found.value == "lora" and found.origin == GUESS
    if guessed and "qlora" in " ".join(document.program).lower():
        draft.drop("method")
        draft.guess("method", "qlora")
        draft.guess("quantization", "nf4")


def _read_stage(document: Document, keys: Keys, draft: Draft) -> None:
    command = " ".join(document.program).lower().replace("_", " ")
    found = _NAMED_STAGE.search(command)
    if found:
        draft.file("stage", stage_word(found.group(1)))
    draft.file("stage", stage_word(keys.plain("rlhf_type", "trainer_type", "method")))
    for name, stage in _STAGE_KEYS:
        if keys.states(name):
            draft.guess("stage", stage)
    named = _NAMED_STAGE.search(document.name.lower().replace("_", " "))
    if named:
        draft.guess("stage", stage_word(named.group(1)))
    preferences = keys.states("beta") and (keys.has("max_prompt_length") or keys.has("loss_type"))
    draft.guess("stage", "dpo" if preferences else "sft")


def _read_generated_length(keys: Keys, draft: Draft) -> None:
    """GRPO and PPO state a prompt and an answer apart."""
    for names in TWO_SIDES:
        sides = [as_count(keys.plain(name)) for name in names]
        draft.guess("sequence_length", None if None in sides else sum(s or 0 for s in sides))
    answer = as_count(keys.plain("max_completion_length", "response_length"))
    prompt = as_count(keys.plain("max_prompt_length"))
    if answer:
        draft.guess("sequence_length", answer + (prompt or 512))


def _fill_defaults(keys: Keys, draft: Draft, *, trl: bool) -> None:
    new = trl and not is_old(keys)
    draft.defaults(_DEFAULTS)
    draft.defaults(_NEW_TRL_DEFAULTS if new else _OLD_DEFAULTS)
    if trl:
        draft.default("sequence_length", 1024)
        draft.default("packing", value=False)
    if draft.value("method") in ("lora", "qlora", "dora"):
        draft.default("lora_rank", 16 if trl else 8)
        if not truthy(keys.plain(*TARGETS)) and not draft.unreadable & {"lora_targets"}:
            draft.default("lora_targets", ["q_proj", "v_proj"])
    if as_word(keys.plain("optim")) == "adamw_torch":
        draft.default("optimizer_step", "foreach")


TRL: Final = Format(name="trl", role="trainer", recognises=_recognises_trl, read=_read)
HF_ARGUMENTS: Final = Format(name="hf_args", role="trainer", recognises=_recognises, read=_read)
