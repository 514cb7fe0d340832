"""The words and bounds of the task document `podbor.task/1`.

Three kinds of field, each a row of a table: a word out of a closed list (spellings that people use
for the same thing are mapped), a number between bounds that no real task leaves, a flag. The
bounds are there to catch a slipped unit or a typing error, not to judge a task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SCHEMA: Final = "podbor.task/1"


@dataclass(frozen=True, slots=True)
class Words:
    """One word of `allowed`. `aliases` maps other spellings, lower case, to the canonical word.

    `parts` reads a longer remark by what it contains, the first match deciding. An `open_ended`
    field also takes words it does not know: a framework that nobody has measured is a real
    framework, it only widens the result.
    """

    allowed: frozenset[str]
    aliases: Mapping[str, str]
    open_ended: bool = False
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number in `low..high`, both included unless `low_excluded`; `whole` for counts."""

    low: float
    high: float
    whole: bool = False
    low_excluded: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""


@dataclass(frozen=True, slots=True)
class Text:
    """Free text of at most `length` characters; `or_whole_number` takes 7 for "7"."""

    length: int = 200
    or_whole_number: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """A list of names; `all_word` is a single word that stands for every name."""

    all_word: str | None = None
    most: int = 100


Field = Words | Number | Flag | Text | Names

# Words by which people say that they do not know.
NOT_KNOWN: Final = frozenset({"unknown", "?", "n/a", "na", "not-stated", "unspecified"})


def _words(*allowed: str, open_ended: bool = False, **aliases: str) -> Words:
    spelled = {k.replace("_", "-"): v for k, v in aliases.items()}
    return Words(frozenset(allowed), spelled, open_ended)


def _count(high: float, low: float = 1) -> Number:
    return Number(low, high, whole=True)


def _positive(high: float) -> Number:
    return Number(0, high, low_excluded=True)


def _zero_or_more(high: float) -> Number:
    return Number(0, high)


FRAMEWORKS: Final = [
    "hf-trainer",
    "trl",
    "llama-factory",
    "axolotl",
    "ms-swift",
    "ms-swift-megatron",
    "hf-fsdp-qlora",
    "accelerate",
    "unsloth",
    "deepspeed",
    "llm-foundry",
    "litgpt",
    "torchtitan",
    "torchtune",
    "pytorch-fsdp",
    "pytorch-fsdp2",
    "megatron",
    "megatron-deepspeed",
    "nemo",
    "internevo",
    "nanotron",
    "diffusers",
    "kohya",
    "timm",
    "ultralytics",
    "other",
]

TOP: Final[dict[str, Field]] = {
    "id": Text(or_whole_number=True),
    "strategy": _words("from-scratch", "finetune", "continual", scratch="from-scratch"),
    "method": _words("full", "lora", "qlora", "dora", "freeze"),
}

MODEL: Final[dict[str, Field]] = {
    "name": Text(),
    "kind": _words(
        "decoder",
        "encoder",
        "encoder-decoder",
        "moe-decoder",
        "vlm",
        "vision",
        "diffusion",
        decoder_moe="moe-decoder",
        moe="moe-decoder",
    ),
    "params_billion": _positive(100_000),
    "active_params_billion": _positive(100_000),
    "layers": _count(10_000),
    "hidden": _count(1_000_000),
    "heads": _count(100_000),
    "kv_heads": _count(100_000),
    "head_dim": _count(100_000),
    "ffn": _count(10_000_000),
    "gated_ffn": Flag(),
    "vocab": _count(100_000_000),
    "tied_embeddings": Flag(),
    "experts": _count(100_000, low=0),
    "experts_per_token": _count(100_000, low=0),
    "moe_ffn": _count(10_000_000, low=0),
    "image_size": _count(100_000),
}

RECIPE: Final[dict[str, Field]] = {
    "stage": _words(
        *("pretrain", "sft", "dpo", "kto", "orpo", "rm", "ppo", "grpo"),
        # Losses of their own on the same pairs: without a reference, and with one.
        pt="pretrain",
        simpo="orpo",
        cpo="orpo",
        ipo="dpo",
    ),
    "framework": _words(
        *FRAMEWORKS, open_ended=True, transformers="hf-trainer", huggingface="hf-trainer"
    ),
    "precision": _words(
        "fp32",
        "fp16-mixed",
        "bf16-mixed",
        "fp16-pure",
        "bf16-pure",
        "fp8-mixed",
        "mxfp8",
        "nvfp4",
        bf16="bf16-mixed",
        fp16="fp16-mixed",
        fp8="fp8-mixed",
        float32="fp32",
    ),
    "adapter_precision": _words("fp32", "bf16", "fp16"),
    "master_weights": _words("fp32", "none"),
    "quantization": _words(
        "none", "int8", "nf4", "nf4-double", "gptq-int4", "awq-int4", "fp8", gptq="gptq-int4"
    ),
    "optimizer": _words(
        "adamw",
        "adamw-8bit",
        "adafactor",
        "lion",
        "lion-8bit",
        "sgd",
        "muon",
        "galore",
        "other",
        adam="adamw",
        adamw_8_bit="adamw-8bit",
    ),
    "optimizer_step": _words("foreach", "fused", "in-backward", "paged"),
    "sequence_length": _count(100_000_000),
    "average_length": _positive(100_000_000),
    "packing": Flag(),
    "micro_batch": _positive(1_000_000),
    "grad_accumulation": _count(1_000_000),
    "global_batch": _count(1_000_000_000),
    "activation_checkpointing": Words(
        frozenset({"none", "selective", "full"}),
        {"yes": "full", "true": "full", "no": "none", "false": "none", "off": "none"},
        parts=(
            ("none", "none"),
            ("select", "selective"),
            ("partial", "selective"),
            ("full", "full"),
            ("unsloth", "full"),
            ("offload", "full"),
            ("block", "full"),
            ("layer", "full"),
        ),
    ),
    "attention": _words("flash", "sdpa", "eager"),
    "lora_rank": _count(100_000),
    "lora_targets": Names(all_word="all-linear"),
    "lora_dropout": Number(0, 1),
    "modules_to_save": Names(),
    "reduce_precision": _words("fp32", "bf16", "fp16"),
    "trainable_params_million": _positive(100_000_000),
    "offload": Words(
        frozenset({"none", "optimizer", "params", "activations"}),
        {"no": "none", "false": "none", "yes": "optimizer", "true": "optimizer"},
        parts=(
            ("none", "none"),
            ("param", "params"),
            ("weight", "params"),
            ("fsdp", "params"),
            ("optim", "optimizer"),
            ("deepspeed", "optimizer"),
            ("zero", "optimizer"),
            ("activ", "activations"),
            ("checkpoint", "activations"),
            ("cpu", "params"),
            ("host", "params"),
            ("nvme", "params"),
        ),
    ),
    "fused_kernels": Flag(),
    "fused_cross_entropy": Flag(),
    "compile": Flag(),
    "epochs": _positive(1_000_000),
    "steps": _count(10**12),
    "save_every_steps": _count(10**12),
    "saves_kept": _count(10**9, low=0),
    # What is written every time: all that resumes the run, or the trained weights alone.
    "save_kind": _words(
        "full", "weights", full_state="full", adapter="weights", weights_only="weights"
    ),
}

DATA: Final[dict[str, Field]] = {
    "bytes": _zero_or_more(1e21),
    "files": _count(10**15, low=0),
    "samples": _count(10**15, low=0),
    "tokens": _zero_or_more(1e18),
    "bytes_per_sample": _zero_or_more(1e15),
    "kind": _words("text", "images", "video", "multimodal"),
    "preprocessing": _words("light", "medium", "heavy"),
    "location": _words("local", "nfs", "san", "object"),
    "unpacked_bytes": _zero_or_more(1e21),
    "intermediate_bytes": _zero_or_more(1e21),
    "regenerated": Flag(),
    "prepared_per_s": _positive(1e9),
}

CYCLE: Final[dict[str, Field]] = {
    "target_hours": _positive(1_000_000),
    "scope": _words("epoch", "run"),
    "runs_per_quarter": _zero_or_more(1_000_000),
    "parallel_runs": _count(100_000),
    "hard": Flag(),
}

HORIZON: Final[dict[str, Field]] = {
    "use": _words("one-off", "1-2y", "3-5y"),
    "growth": _positive(10_000),
    "sharing": _words("team", "shared", "service"),
}

SITE: Final[dict[str, Field]] = {
    "kw_usable": _positive(1_000_000),
    "amps": _positive(1_000_000),
    "phases": _count(3),
    "volts": _positive(1_000_000),
    "feeds": _count(1_000),
    "cooling": Text(),
    "rack_units": _count(100_000),
    "depth_mm": _positive(100_000),
    "floor_kg": _positive(10_000_000),
}

PLACEMENT: Final[dict[str, Field]] = {
    "accelerator": Text(),
    "gpus": _count(10_000_000),
    "nodes": _count(10_000_000),
    "data_parallel": _words(
        "none", "ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp", fsdp2="fsdp", dp="ddp"
    ),
    "shard_degree": _count(10_000_000),
    "tensor_parallel": _count(1_000_000),
    "sequence_parallel": Flag(),
    "pipeline_parallel": _count(1_000_000),
    "virtual_pipeline": _count(1_000_000),
    "context_parallel": _count(1_000_000),
    "expert_parallel": _count(1_000_000),
    "intra_node_link": Text(500),
    "inter_node_link": Text(500),
}

PARTS: Final[dict[str, dict[str, Field]]] = {
    "model": MODEL,
    "recipe": RECIPE,
    "data": DATA,
    "cycle": CYCLE,
    "horizon": HORIZON,
    "site": SITE,
    "placement": PLACEMENT,
}
