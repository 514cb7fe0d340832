"""A short noun for every field of the task document, and the unit its value is shown in."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.to_task import TASK_FIELDS

# Fields that nobody is asked for: an engineer sets them, or a file states them.
_NOT_ASKED: Final[dict[str, Text]] = {
    # Beside the task: what is asked about, and set by an engineer, as its fields are.
    "measured": pgettext_lazy("task field", "How the measured run differs"),
    "measured.counted": pgettext_lazy("task field", "Measured runs are counted"),
    "id": pgettext_lazy("task field", "Task identifier"),
    "model.head_dim": pgettext_lazy("task field", "Head size"),
    "model.gated_ffn": pgettext_lazy("task field", "Gated feed-forward"),
    "model.tied_embeddings": pgettext_lazy("task field", "Tied embeddings"),
    "model.moe_ffn": pgettext_lazy("task field", "Expert width"),
    "recipe.adapter_precision": pgettext_lazy("task field", "Adapter precision"),
    "recipe.master_weights": pgettext_lazy("task field", "Master weights"),
    "recipe.optimizer_step": pgettext_lazy("task field", "Optimizer step"),
    "recipe.lora_dropout": pgettext_lazy("task field", "LoRA dropout"),
    "recipe.modules_to_save": pgettext_lazy("task field", "Modules trained in full"),
    "recipe.reduce_precision": pgettext_lazy("task field", "Precision of gradient exchange"),
    "recipe.fused_kernels": pgettext_lazy("task field", "Fused kernels"),
    "recipe.compile": pgettext_lazy("task field", "Compilation"),
    # Facts that the task document has no place for; the answer changes the default taken.
    "recipe.weight_average": pgettext_lazy("task field", "Moving average of the weights (EMA)"),
    "recipe.cached_latents": pgettext_lazy("task field", "Latents and captions prepared once"),
    "recipe.image_tower": pgettext_lazy("task field", "Training of the image encoder"),
    "recipe.reference_model": pgettext_lazy("task field", "Reference model on the card"),
    "recipe.generation_engine": pgettext_lazy("task field", "What generates the answers"),
    "recipe.answer_length": pgettext_lazy("task field", "Length of generated answers"),
    "recipe.answers_per_prompt": pgettext_lazy("task field", "Answers to one prompt"),
    "recipe.reward_source": pgettext_lazy("task field", "What judges the answers"),
    "data.clip_frames": pgettext_lazy("task field", "Frames in a clip"),
    "data.pixel_classes": pgettext_lazy("task field", "Classes of a pixel"),
    "data.bytes_per_sample": pgettext_lazy("task field", "Size of a sample"),
    "placement.accelerator": pgettext_lazy("task field", "Accelerator"),
    "placement.gpus": pgettext_lazy("task field", "GPUs in all"),
    "placement.nodes": pgettext_lazy("task field", "Nodes"),
    "placement.data_parallel": pgettext_lazy("task field", "Data parallelism"),
    "placement.shard_degree": pgettext_lazy("task field", "Sharding degree"),
    "placement.tensor_parallel": pgettext_lazy("task field", "Tensor parallelism"),
    "placement.sequence_parallel": pgettext_lazy("task field", "Sequence parallelism"),
    "placement.pipeline_parallel": pgettext_lazy("task field", "Pipeline parallelism"),
    "placement.virtual_pipeline": pgettext_lazy("task field", "Virtual pipeline stages"),
    "placement.context_parallel": pgettext_lazy("task field", "Context parallelism"),
    "placement.expert_parallel": pgettext_lazy("task field", "Expert parallelism"),
    "placement.intra_node_link": pgettext_lazy("task field", "Link inside a node"),
}

# Path of the field -> its label: the name of its question wherever there is one, so that client
# and engineer read one word for one thing. The question about embeddings is a yes or no; its field
# is a list of modules, so it keeps a name of its own.
FIELD_LABELS: Final[dict[str, Text]] = {
    field: QUESTIONS[key].name for field, key in TASK_FIELDS.items()
} | _NOT_ASKED

PART_LABELS: Final[dict[str, Promise]] = {
    "": pgettext_lazy("part of the task", "Method"),
    "model": pgettext_lazy("part of the task", "Model"),
    "recipe": pgettext_lazy("part of the task", "Recipe"),
    "data": pgettext_lazy("part of the task", "Data"),
    "cycle": pgettext_lazy("part of the task", "Deadline"),
    "horizon": pgettext_lazy("part of the task", "Horizon"),
    "site": pgettext_lazy("part of the task", "Site"),
    "placement": pgettext_lazy("part of the task", "Platform"),
    "measured": pgettext_lazy("part of the task", "Measured runs"),
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
