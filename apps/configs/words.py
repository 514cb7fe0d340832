"""How files spell what a task says in words of its own."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.configs.values import as_flag, as_list, as_number, as_word

# An optimizer's name without signs -> the word of a task; the first pattern that matches decides.
_OPTIMIZERS: Final = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"galore", "galore"),
        (r"muon", "muon"),
        (r"adafactor", "adafactor"),
        (r"apollo|ada?mini|adammini|ademamix|lomo|adamax|dadapt|prodigy|lamb|lars", "other"),
        (r"stableadam|rmsprop|adagrad|shampoo|soap|sophia|grokadam|schedulefree", "other"),
        (r"^(?:badam|nadam|radam|came)", "other"),
        (r"lion", "lion"),
        (r"adam", "adamw"),
        (r"sgd|momentum", "sgd"),
    )
)
_PRECISIONS: Final = {
    **dict.fromkeys(("no", "32", "fp32", "float32", "32true", "float", "tf32", "single"), "fp32"),
    **dict.fromkeys(
        ("16", "fp16", "float16", "16mixed", "ampfp16", "half", "fp16mixed"), "fp16-mixed"
    ),
    **dict.fromkeys(("bf16", "bfloat16", "bf16mixed", "ampbf16", "bfloat16mixed"), "bf16-mixed"),
    **dict.fromkeys(("bf16true", "purebf16", "bf16pure"), "bf16-pure"),
    **dict.fromkeys(("16true", "fp16true", "purefp16"), "fp16-pure"),
    **dict.fromkeys(("fp8", "ampfp8", "float8", "transformerengine"), "fp8-mixed"),
    "mxfp8": "mxfp8",
    "nvfp4": "nvfp4",
}
_ATTENTION: Final = (
    ("flash", "flash"),
    ("fa2", "flash"),
    ("fa3", "flash"),
    ("unfused", "eager"),
    ("fused", "flash"),
    ("sdpa", "sdpa"),
    ("xformers", "sdpa"),
    ("mem_eff", "sdpa"),
    ("eager", "eager"),
    ("disabled", "eager"),
    ("local", "eager"),
    ("math", "eager"),
    ("torch", "eager"),
)
_STAGES: Final = {
    **dict.fromkeys(("pt", "pretrain", "pretraining", "cpt"), "pretrain"),
    **dict.fromkeys(("sft", "finetune"), "sft"),
    **dict.fromkeys(("dpo", "ipo", "rpo"), "dpo"),
    **dict.fromkeys(("orpo", "simpo", "cpo", "smpo"), "orpo"),
    **dict.fromkeys(("rm", "reward", "prm"), "rm"),
    **dict.fromkeys(("grpo", "gspo", "rloo", "reinforce", "dapo", "gdpo"), "grpo"),
    "kto": "kto",
    "ppo": "ppo",
}
_QUANTIZED_NAMES: Final = (
    ("gptq", "gptq-int4"),
    ("awq", "awq-int4"),
    ("bnb-4bit", "nf4"),
    ("-int4", "gptq-int4"),
)
_METHODS: Final = (
    ("qlora", "qlora"),
    ("dora", "dora"),
    ("lora", "lora"),
    ("locon", "lora"),
    ("freez", "freeze"),
    ("full", "full"),
    ("finetune", "full"),
    ("sft", "full"),
)
_ALL_LINEAR: Final = frozenset({"all", "all-linear", "all_linear", "linear"})


def optimizer_words(value: Any) -> tuple[str | None, str | None]:
    """(optimizer, how its step is carried out); None for what the name does not say."""
    if not isinstance(value, str) or not value.strip() or as_word(value) == "auto":
        return None, None
    name = re.sub(r"[^a-z0-9]", "", value.lower().rsplit(".", 1)[-1])
    known = next((word for pattern, word in _OPTIMIZERS if pattern.search(name)), "other")
    if known in ("adamw", "lion") and ("8bit" in name or "fp8" in name):
        known += "-8bit"
    elif known == "adamw" and "4bit" in name:
        known = "other"
    if "layerwise" in name or "lomo" in name:
        return known, "in-backward"
    step = "paged" if "paged" in name else "fused" if "fused" in name else None
    return known, step


def precision_word(value: Any) -> str | None:
    """The precision of a framework's own word; `auto` says nothing."""
    number = as_number(value)
    text = str(int(number)) if number is not None else as_word(value).rsplit(".", 1)[-1]
    if isinstance(value, bool):
        return None if value else "fp32"
    return _PRECISIONS.get(re.sub(r"[^a-z0-9]", "", text))


def dtype_word(value: Any) -> str | None:
    """fp32, fp16 or bf16 for the name of a number type."""
    mixed = precision_word(value)
    return mixed.split("-")[0] if mixed in ("fp32", "fp16-mixed", "bf16-mixed") else None


def attention_word(value: Any) -> str | None:
    """flash, sdpa or eager; None where the file leaves it open."""
    if as_flag(value) is True and not isinstance(value, str):
        return "flash"
    word = as_word(value)
    return next((known for part, known in _ATTENTION if part in word), None)


def checkpointing_word(value: Any) -> str | None:
    """none, selective or full."""
    flag = as_flag(value)
    if flag is not None:
        return "full" if flag else "none"
    word = as_word(value)
    if word in ("selective", "op", "sel", "partial"):
        return "selective"
    return "full" if word in ("full", "unsloth", "block", "uniform") or "offload" in word else None


def method_word(value: Any) -> str | None:
    """How the weights are trained, from a framework's own word for it."""
    word = re.sub(r"[^a-z]", "", as_word(value))
    return next((method for part, method in _METHODS if part in word), None)


def stage_word(value: Any) -> str | None:
    return _STAGES.get(as_word(value))


def targets_word(value: Any) -> list[str] | str | None:
    """The adapted modules: a list of names, or `all-linear`."""
    names = as_list(value)
    if len(names) == 1 and names[0].lower() in _ALL_LINEAR:
        return "all-linear"
    if [name.lower() for name in names] in (["default"], ["auto"]):
        return None  # the framework's own choice
    return names or None


def quantization_of_bits(bits: Any) -> str | None:
    """How bitsandbytes stores a base of that many bits."""
    number = as_number(bits)
    word = re.sub(r"[^a-z0-9]", "", as_word(bits))
    if number == 4 or word in ("4bit", "int4", "nf4", "fp4", "bnb4bit", "bnbnf4"):
        return "nf4"
    return "int8" if number == 8 or word in ("8bit", "int8", "bnb8bit") else None


def quantization_of_name(model: str | None) -> str | None:
    """What the name of a checkpoint says about how it is stored."""
    name = (model or "").lower()
    return next((word for part, word in _QUANTIZED_NAMES if part in name), None)
