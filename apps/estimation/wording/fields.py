"""A short noun for every field of the task document, and the unit its value is shown in."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

# The context keeps a label apart from the same English word elsewhere.
_FIELD: Final = "task field"

TOP: Final[dict[str, Promise]] = {
    "id": pgettext_lazy(_FIELD, "Task identifier"),
    "strategy": pgettext_lazy(_FIELD, "Strategy"),
    "method": pgettext_lazy(_FIELD, "Method"),
}

MODEL: Final[dict[str, Promise]] = {
    "name": pgettext_lazy(_FIELD, "Model"),
    "kind": pgettext_lazy(_FIELD, "Kind of model"),
    "params_billion": pgettext_lazy(_FIELD, "Parameters"),
    "active_params_billion": pgettext_lazy(_FIELD, "Active parameters"),
    "layers": pgettext_lazy(_FIELD, "Layers"),
    "hidden": pgettext_lazy(_FIELD, "Hidden size"),
    "heads": pgettext_lazy(_FIELD, "Attention heads"),
    "kv_heads": pgettext_lazy(_FIELD, "Key and value heads"),
    "head_dim": pgettext_lazy(_FIELD, "Head size"),
    "ffn": pgettext_lazy(_FIELD, "Feed-forward width"),
    "gated_ffn": pgettext_lazy(_FIELD, "Gated feed-forward"),
    "vocab": pgettext_lazy(_FIELD, "Vocabulary"),
    "tied_embeddings": pgettext_lazy(_FIELD, "Tied embeddings"),
    "experts": pgettext_lazy(_FIELD, "Experts"),
    "experts_per_token": pgettext_lazy(_FIELD, "Experts per token"),
    "moe_ffn": pgettext_lazy(_FIELD, "Expert width"),
    "image_size": pgettext_lazy(_FIELD, "Image side"),
}

RECIPE: Final[dict[str, Promise]] = {
    "stage": pgettext_lazy(_FIELD, "Stage"),
    "framework": pgettext_lazy(_FIELD, "Framework"),
    "precision": pgettext_lazy(_FIELD, "Precision"),
    "adapter_precision": pgettext_lazy(_FIELD, "Adapter precision"),
    "master_weights": pgettext_lazy(_FIELD, "Master weights"),
    "quantization": pgettext_lazy(_FIELD, "Quantization"),
    "optimizer": pgettext_lazy(_FIELD, "Optimizer"),
    "optimizer_step": pgettext_lazy(_FIELD, "Optimizer step"),
    "sequence_length": pgettext_lazy(_FIELD, "Sequence length"),
    "average_length": pgettext_lazy(_FIELD, "Average length"),
    "packing": pgettext_lazy(_FIELD, "Packing"),
    "micro_batch": pgettext_lazy(_FIELD, "Micro-batch per GPU"),
    "grad_accumulation": pgettext_lazy(_FIELD, "Gradient accumulation"),
    "global_batch": pgettext_lazy(_FIELD, "Global batch"),
    "activation_checkpointing": pgettext_lazy(_FIELD, "Activation checkpointing"),
    "attention": pgettext_lazy(_FIELD, "Attention kernel"),
    "lora_rank": pgettext_lazy(_FIELD, "LoRA rank"),
    "lora_targets": pgettext_lazy(_FIELD, "LoRA targets"),
    "lora_dropout": pgettext_lazy(_FIELD, "LoRA dropout"),
    "modules_to_save": pgettext_lazy(_FIELD, "Modules trained in full"),
    "reduce_precision": pgettext_lazy(_FIELD, "Precision of gradient exchange"),
    "trainable_params_million": pgettext_lazy(_FIELD, "Trainable parameters"),
    "offload": pgettext_lazy(_FIELD, "Offload to host memory"),
    "fused_kernels": pgettext_lazy(_FIELD, "Fused kernels"),
    "fused_cross_entropy": pgettext_lazy(_FIELD, "Fused cross-entropy"),
    "compile": pgettext_lazy(_FIELD, "Compilation"),
    "epochs": pgettext_lazy(_FIELD, "Epochs"),
    "steps": pgettext_lazy(_FIELD, "Steps"),
    "save_every_steps": pgettext_lazy(_FIELD, "Steps between checkpoints"),
    "saves_kept": pgettext_lazy(_FIELD, "Checkpoints kept"),
}

DATA: Final[dict[str, Promise]] = {
    "bytes": pgettext_lazy(_FIELD, "Dataset"),
    "files": pgettext_lazy(_FIELD, "Files"),
    "samples": pgettext_lazy(_FIELD, "Samples"),
    "tokens": pgettext_lazy(_FIELD, "Tokens"),
    "bytes_per_sample": pgettext_lazy(_FIELD, "Size of a sample"),
    "kind": pgettext_lazy(_FIELD, "Kind of data"),
    "preprocessing": pgettext_lazy(_FIELD, "Preprocessing"),
    "location": pgettext_lazy(_FIELD, "Where the data is"),
}

CYCLE: Final[dict[str, Promise]] = {
    "target_hours": pgettext_lazy(_FIELD, "Deadline"),
    "scope": pgettext_lazy(_FIELD, "What the deadline is for"),
    "runs_per_quarter": pgettext_lazy(_FIELD, "Runs a quarter"),
    "parallel_runs": pgettext_lazy(_FIELD, "Runs at once"),
    "hard": pgettext_lazy(_FIELD, "Hard deadline"),
}

HORIZON: Final[dict[str, Promise]] = {
    "use": pgettext_lazy(_FIELD, "Time of use"),
    "growth": pgettext_lazy(_FIELD, "Growth"),
    "sharing": pgettext_lazy(_FIELD, "Who shares the server"),
}

SITE: Final[dict[str, Promise]] = {
    "kw_usable": pgettext_lazy(_FIELD, "Usable power of a feed"),
    "amps": pgettext_lazy(_FIELD, "Current of a feed"),
    "phases": pgettext_lazy(_FIELD, "Phases"),
    "volts": pgettext_lazy(_FIELD, "Voltage"),
    "feeds": pgettext_lazy(_FIELD, "Feeds"),
    "cooling": pgettext_lazy(_FIELD, "Cooling"),
    "rack_units": pgettext_lazy(_FIELD, "Free rack units"),
    "depth_mm": pgettext_lazy(_FIELD, "Rack depth"),
    "floor_kg": pgettext_lazy(_FIELD, "Floor load"),
}

PLACEMENT: Final[dict[str, Promise]] = {
    "accelerator": pgettext_lazy(_FIELD, "Accelerator"),
    "gpus": pgettext_lazy(_FIELD, "GPUs in all"),
    "nodes": pgettext_lazy(_FIELD, "Nodes"),
    "data_parallel": pgettext_lazy(_FIELD, "Data parallelism"),
    "shard_degree": pgettext_lazy(_FIELD, "Sharding degree"),
    "tensor_parallel": pgettext_lazy(_FIELD, "Tensor parallelism"),
    "sequence_parallel": pgettext_lazy(_FIELD, "Sequence parallelism"),
    "pipeline_parallel": pgettext_lazy(_FIELD, "Pipeline parallelism"),
    "virtual_pipeline": pgettext_lazy(_FIELD, "Virtual pipeline stages"),
    "context_parallel": pgettext_lazy(_FIELD, "Context parallelism"),
    "expert_parallel": pgettext_lazy(_FIELD, "Expert parallelism"),
    "intra_node_link": pgettext_lazy(_FIELD, "Link inside a node"),
    "inter_node_link": pgettext_lazy(_FIELD, "Link between nodes"),
}

_PARTS: Final = {
    "model": MODEL,
    "recipe": RECIPE,
    "data": DATA,
    "cycle": CYCLE,
    "horizon": HORIZON,
    "site": SITE,
    "placement": PLACEMENT,
}

# Path of the field -> its label.
FIELD_LABELS: Final[dict[str, Promise]] = TOP | {
    f"{part}.{name}": label for part, labels in _PARTS.items() for name, label in labels.items()
}

PART_LABELS: Final[dict[str, Promise]] = {
    "": pgettext_lazy("part of the task", "Method"),
    "model": pgettext_lazy("part of the task", "Model"),
    "recipe": pgettext_lazy("part of the task", "Recipe"),
    "data": pgettext_lazy("part of the task", "Data"),
    "cycle": pgettext_lazy("part of the task", "Deadline"),
    "horizon": pgettext_lazy("part of the task", "Horizon"),
    "site": pgettext_lazy("part of the task", "Site"),
    "placement": pgettext_lazy("part of the task", "Platform"),
}

# The unit a value is stored and shown in; sizes in bytes choose theirs by themselves.
FIELD_UNITS: Final[dict[str, str]] = {
    "model.params_billion": "params_billion",
    "model.active_params_billion": "params_billion",
    "recipe.trainable_params_million": "params_million",
    "recipe.sequence_length": "tokens",
    "recipe.average_length": "tokens",
    "recipe.steps": "steps",
    "recipe.save_every_steps": "steps",
    "data.bytes": "bytes",
    "data.bytes_per_sample": "bytes",
    "data.files": "files",
    "data.samples": "samples",
    "data.tokens": "tokens",
    "cycle.target_hours": "h",
    "site.kw_usable": "kW",
    "site.amps": "A",
    "site.volts": "V",
    "site.rack_units": "U",
    "site.depth_mm": "mm",
    "site.floor_kg": "kg",
    "placement.gpus": "gpus",
    "placement.nodes": "nodes",
}
