"""A short noun for every field of the task document, and the unit its value is shown in."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

TOP: Final[dict[str, Promise]] = {
    "id": pgettext_lazy("task field", "Task identifier"),
    "strategy": pgettext_lazy("task field", "Strategy"),
    "method": pgettext_lazy("task field", "Method"),
}

MODEL: Final[dict[str, Promise]] = {
    "name": pgettext_lazy("task field", "Model"),
    "kind": pgettext_lazy("task field", "Kind of model"),
    "params_billion": pgettext_lazy("task field", "Parameters"),
    "active_params_billion": pgettext_lazy("task field", "Active parameters"),
    "layers": pgettext_lazy("task field", "Layers"),
    "hidden": pgettext_lazy("task field", "Hidden size"),
    "heads": pgettext_lazy("task field", "Attention heads"),
    "kv_heads": pgettext_lazy("task field", "Key and value heads"),
    "head_dim": pgettext_lazy("task field", "Head size"),
    "ffn": pgettext_lazy("task field", "Feed-forward width"),
    "gated_ffn": pgettext_lazy("task field", "Gated feed-forward"),
    "vocab": pgettext_lazy("task field", "Vocabulary"),
    "tied_embeddings": pgettext_lazy("task field", "Tied embeddings"),
    "experts": pgettext_lazy("task field", "Experts"),
    "experts_per_token": pgettext_lazy("task field", "Experts per token"),
    "moe_ffn": pgettext_lazy("task field", "Expert width"),
    "image_size": pgettext_lazy("task field", "Image side"),
}

RECIPE: Final[dict[str, Promise]] = {
    "stage": pgettext_lazy("task field", "Stage"),
    "framework": pgettext_lazy("task field", "Framework"),
    "precision": pgettext_lazy("task field", "Precision"),
    "adapter_precision": pgettext_lazy("task field", "Adapter precision"),
    "master_weights": pgettext_lazy("task field", "Master weights"),
    "quantization": pgettext_lazy("task field", "Quantization"),
    "optimizer": pgettext_lazy("task field", "Optimizer"),
    "optimizer_step": pgettext_lazy("task field", "Optimizer step"),
    "sequence_length": pgettext_lazy("task field", "Sequence length"),
    "average_length": pgettext_lazy("task field", "Average length"),
    "packing": pgettext_lazy("task field", "Packing"),
    "micro_batch": pgettext_lazy("task field", "Micro-batch per GPU"),
    "grad_accumulation": pgettext_lazy("task field", "Gradient accumulation"),
    "global_batch": pgettext_lazy("task field", "Global batch"),
    "activation_checkpointing": pgettext_lazy("task field", "Activation checkpointing"),
    "attention": pgettext_lazy("task field", "Attention kernel"),
    "lora_rank": pgettext_lazy("task field", "LoRA rank"),
    "lora_targets": pgettext_lazy("task field", "LoRA targets"),
    "lora_dropout": pgettext_lazy("task field", "LoRA dropout"),
    "modules_to_save": pgettext_lazy("task field", "Modules trained in full"),
    "reduce_precision": pgettext_lazy("task field", "Precision of gradient exchange"),
    "trainable_params_million": pgettext_lazy("task field", "Trainable parameters"),
    "offload": pgettext_lazy("task field", "Offload to host memory"),
    "fused_kernels": pgettext_lazy("task field", "Fused kernels"),
    "fused_cross_entropy": pgettext_lazy("task field", "Fused cross-entropy"),
    "compile": pgettext_lazy("task field", "Compilation"),
    "epochs": pgettext_lazy("task field", "Epochs"),
    "steps": pgettext_lazy("task field", "Steps"),
    "save_every_steps": pgettext_lazy("task field", "Steps between checkpoints"),
    "saves_kept": pgettext_lazy("task field", "Checkpoints kept"),
}

DATA: Final[dict[str, Promise]] = {
    "bytes": pgettext_lazy("task field", "Dataset"),
    "files": pgettext_lazy("task field", "Files"),
    "samples": pgettext_lazy("task field", "Samples"),
    "tokens": pgettext_lazy("task field", "Tokens"),
    "bytes_per_sample": pgettext_lazy("task field", "Size of a sample"),
    "kind": pgettext_lazy("task field", "Kind of data"),
    "preprocessing": pgettext_lazy("task field", "Preprocessing"),
    "location": pgettext_lazy("task field", "Where the data is"),
}

CYCLE: Final[dict[str, Promise]] = {
    "target_hours": pgettext_lazy("task field", "Deadline"),
    "scope": pgettext_lazy("task field", "What the deadline is for"),
    "runs_per_quarter": pgettext_lazy("task field", "Runs a quarter"),
    "parallel_runs": pgettext_lazy("task field", "Runs at once"),
    "hard": pgettext_lazy("task field", "Hard deadline"),
}

HORIZON: Final[dict[str, Promise]] = {
    "use": pgettext_lazy("task field", "Time of use"),
    "growth": pgettext_lazy("task field", "Growth"),
    "sharing": pgettext_lazy("task field", "Who shares the server"),
}

SITE: Final[dict[str, Promise]] = {
    "kw_usable": pgettext_lazy("task field", "Usable power of a feed"),
    "amps": pgettext_lazy("task field", "Current of a feed"),
    "phases": pgettext_lazy("task field", "Phases"),
    "volts": pgettext_lazy("task field", "Voltage"),
    "feeds": pgettext_lazy("task field", "Feeds"),
    "cooling": pgettext_lazy("task field", "Cooling"),
    "rack_units": pgettext_lazy("task field", "Free rack units"),
    "depth_mm": pgettext_lazy("task field", "Rack depth"),
    "floor_kg": pgettext_lazy("task field", "Floor load"),
}

PLACEMENT: Final[dict[str, Promise]] = {
    "accelerator": pgettext_lazy("task field", "Accelerator"),
    "gpus": pgettext_lazy("task field", "GPUs in all"),
    "nodes": pgettext_lazy("task field", "Nodes"),
    "data_parallel": pgettext_lazy("task field", "Data parallelism"),
    "shard_degree": pgettext_lazy("task field", "Sharding degree"),
    "tensor_parallel": pgettext_lazy("task field", "Tensor parallelism"),
    "sequence_parallel": pgettext_lazy("task field", "Sequence parallelism"),
    "pipeline_parallel": pgettext_lazy("task field", "Pipeline parallelism"),
    "virtual_pipeline": pgettext_lazy("task field", "Virtual pipeline stages"),
    "context_parallel": pgettext_lazy("task field", "Context parallelism"),
    "expert_parallel": pgettext_lazy("task field", "Expert parallelism"),
    "intra_node_link": pgettext_lazy("task field", "Link inside a node"),
    "inter_node_link": pgettext_lazy("task field", "Link between nodes"),
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
