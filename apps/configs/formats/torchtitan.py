"""torchtitan: TOML tables, the same names as options of a command, or its newer Python configs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.draft import Draft
from apps.configs.formats.launch import read_launch
from apps.configs.formats.shared import Format, read_optimizer
from apps.configs.keys import Keys
from apps.configs.readers.python_reader import CALLED
from apps.configs.values import as_count, as_flag, as_kept, as_list, as_positive, as_text, product
from apps.configs.words import dtype_word

_BATCH: Final = ("training.local_batch_size", "training.batch_size")
_TABLES: Final = ("parallelism", "job", "activation_checkpoint", "experimental", "lr_scheduler")
_DEGREES: Final = (
    ("tensor_parallel", ("tensor_parallel_degree",)),
    ("pipeline_parallel", ("pipeline_parallel_degree",)),
    ("context_parallel", ("context_parallel_degree",)),
    ("expert_parallel", ("expert_parallel_degree",)),
)
_DEFAULTS: Final[dict[str, Any]] = {
    "method": "full",
    "strategy": "from-scratch",
    "stage": "pretrain",
    "micro_batch": 8,
    "steps": 10_000,
    "optimizer": "adamw",
    "optimizer_step": "fused",
    "precision": "bf16-mixed",
    "master_weights": "fp32",
    "activation_checkpointing": "selective",
    "quantization": "none",
    "attention": "sdpa",
    "packing": True,
    "data_parallel": "fsdp",
    "saves_kept": 10,
}


def _recognises(document: Document, keys: Keys) -> bool:
    if document.notation == "python":
        return _config_call(document) is not None
    training = keys.part("training")
    return (
        bool(training)
        and any(keys.has(table) for table in _TABLES)
        and (training.has("local_batch_size") or training.has("seq_len") or training.has("steps"))
    )


def _config_call(document: Document) -> dict[str, Any] | None:
    """The keywords of the one configuration a Python file builds; None when it is no such file."""
    configs = [
        call.keywords
        for call in document.calls
        if call.name.endswith("Config") and isinstance(call.keywords.get("training"), Mapping)
    ]
    return configs[0] if configs else None


def _read(document: Document, keys: Keys, draft: Draft) -> None:
    draft.file("framework", "torchtitan")
    call = _config_call(document) if document.notation == "python" else None
    if call is not None:
        several = sum(isinstance(c.keywords.get("training"), Mapping) for c in document.calls) > 1
        inner = Draft()
        _read_tables(keys.beside(call), inner)
        for field, found in inner.found.items():
            if several:  # nobody says which of the configurations will run
                draft.guess(field, found.value)
            else:
                draft.found[field] = found
    else:
        _read_tables(keys, draft)
    read_launch(document, draft)
    draft.defaults(_DEFAULTS)
    if draft.value("kind") != "diffusion":
        draft.default("sequence_length", 2048)


def _read_tables(keys: Keys, draft: Draft) -> None:
    _read_model(keys, draft)
    training = keys.part("training")
    draft.read("sequence_length", training, "seq_len", by=as_count)
    draft.read("image_size", training, "img_size", by=as_count)
    draft.read("micro_batch", keys, *_BATCH, by=as_count)
    total = draft.read("global_batch", training, "global_batch_size", by=as_count)
    draft.read("steps", training, "steps", by=as_count)
    read_optimizer(draft, keys, "optimizer.name")
    _read_step(keys, draft)
    _read_precision(keys, draft)
    _read_checkpointing(keys, draft)
    _read_saving(keys, draft)
    if as_flag(training.plain("enable_cpu_offload")):
        draft.file("offload", "params")
    draft.read("compile", keys, "compile.enable", "training.compile", by=as_flag)
    _read_layout(keys, draft, total)


def _read_model(keys: Keys, draft: Draft) -> None:
    name, flavor = as_text(keys.plain("model.name")), as_text(keys.plain("model.flavor"))
    assets = as_text(keys.plain("hf_assets_path", "model.hf_assets_path", "model.tokenizer_path"))
    spec = keys.part("model_spec")
    arguments = as_list(spec.plain("[]")) if spec.plain(CALLED) else []
    if name and flavor:
        draft.file("model", f"{name}:{flavor}")
    elif assets and arguments:
        draft.guess("model", assets.rstrip("/").rsplit("/", 1)[-1])
    if name == "flux" or keys.states("training.img_size"):
        draft.guess("kind", "diffusion")
    initial = keys.part("checkpoint").plain("initial_load_path")
    if initial:
        draft.guess("strategy", "continual")


def _read_step(keys: Keys, draft: Draft) -> None:
    optimizer = keys.part("optimizer")
    word = str(optimizer.plain("implementation") or "")
    draft.file("optimizer_step", word if word in ("fused", "foreach") else None)
    backward = as_flag(optimizer.plain("early_step_in_backward"))
    if backward or "InBackward" in str(optimizer.plain(CALLED)):
        draft.file("optimizer_step", "in-backward")


def _read_precision(keys: Keys, draft: Draft) -> None:
    converters = " ".join(_names(keys.plain("model.converters", "model_converters"))).lower()
    if "mx" in converters:
        draft.file("precision", "mxfp8")
    elif "float8" in converters or as_flag(keys.plain("float8.enable_float8_linear")):
        draft.file("precision", "fp8-mixed")
    weights = dtype_word(keys.plain("training.dtype"))
    computed = dtype_word(keys.plain("training.mixed_precision_param"))
    if weights in ("bf16", "fp16"):
        draft.file("precision", f"{weights}-pure")
    elif computed:
        draft.file("precision", computed if computed == "fp32" else f"{computed}-mixed")
    reduced = dtype_word(keys.plain("training.mixed_precision_reduce"))
    draft.file("reduce_precision", reduced)


def _names(value: Any) -> Iterator[str]:
    """Words of converters: a list of names, or nested calls that build them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, Mapping):
        yield str(value.get(CALLED, ""))
        yield from _names(value.get("converters"))


def _read_checkpointing(keys: Keys, draft: Draft) -> None:
    mode = keys.part("activation_checkpoint").plain("mode")
    draft.file("activation_checkpointing", mode if mode in ("none", "selective", "full") else None)


def _read_saving(keys: Keys, draft: Draft) -> None:
    """With saving switched off the interval is only what it would be."""
    saving = keys.part("checkpoint")
    enabled = as_flag(saving.plain("enable", "enable_checkpoint"))
    if enabled:
        draft.read("save_every_steps", saving, "interval", by=as_count)
        draft.read("saves_kept", saving, "keep_latest_k", by=as_kept)
        draft.default("save_every_steps", 500)
    else:
        draft.guess("save_every_steps", as_count(saving.plain("interval")))
        draft.guess("saves_kept", as_positive(saving.plain("keep_latest_k")))


def _read_layout(keys: Keys, draft: Draft, total: int | None) -> None:
    layout = keys.part("parallelism") or keys.part("experimental")
    for part in (layout, keys.part("training")):  # where the first versions had them
        for field, names in _DEGREES:
            draft.read(field, part, *names, by=as_count)
    shard_value = layout.plain("data_parallel_shard_degree")
    shard = as_count(shard_value)
    replicas = as_count(layout.plain("data_parallel_replicate_degree")) or 1
    if replicas > 1:
        draft.file("data_parallel", "ddp" if shard_value == 1 else "hsdp")
    if shard and shard > 1:
        draft.file("shard_degree", shard)
        degrees = [draft.value(field) or 1 for field, _names_ in _DEGREES[:3]]
        gpus = product(shard, replicas, *degrees)
        draft.guess("gpus", gpus)
        micro = draft.value("micro_batch")
        if total and micro and gpus:
            draft.guess("grad_accumulation", max(1, round(total / (micro * shard * replicas))))


TORCHTITAN: Final = Format(name="torchtitan", role="trainer", recognises=_recognises, read=_read)
