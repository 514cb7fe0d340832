"""Words of the questionnaire that not everybody knows, and the questions that use them.

Shown in place under a question, behind a summary, and together on a page of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.sentences import Text


@dataclass(frozen=True, slots=True)
class Term:
    """`key` is the anchor on the page and is never renamed; `text` one or two sentences."""

    key: str
    name: Text
    text: Text


TERMS: Final = (
    Term(
        "training",
        _("Training"),
        _(
            "Changing the weights of a model on examples so that it makes fewer mistakes. It runs for hours or weeks at full load."
        ),
    ),
    Term(
        "inference",
        _("Inference"),
        _(
            "Using a ready model: it answers users, and its weights do not change. A server for it is sized in another way."
        ),
    ),
    Term(
        "rag",
        _("Search over documents (RAG)"),
        _(
            "A ready model is given passages found in your documents together with the question. Nothing is trained; a new document is found at once."
        ),
    ),
    Term(
        "held-out",
        _("Held-out data"),
        _(
            "Examples set aside before training, on which quality is checked. Without them a gain cannot be told from memorising."
        ),
    ),
    Term(
        "parameters",
        _("Parameters (weights)"),
        _(
            "The numbers a model consists of; 8B means eight billion. In 16 bits each takes two bytes, and training needs several times more."
        ),
    ),
    Term(
        "gradient",
        _("Gradient"),
        _(
            "By how much and in which direction each trained weight is to be changed. It takes memory for every trained weight."
        ),
    ),
    Term(
        "optimizer",
        _("Optimizer"),
        _(
            "The rule by which weights change after each step. AdamW keeps two more numbers for every trained weight."
        ),
    ),
    Term(
        "activations",
        _("Activations"),
        _(
            "Intermediate results of the layers, kept until the way back. They grow with the length of the input and the batch, not with the number of trained weights."
        ),
    ),
    Term(
        "recomputation",
        _("Recomputation of activations"),
        _(
            "Activations are thrown away and computed again on the way back: much less memory, a step longer by about a third. Also called gradient checkpointing."
        ),
    ),
    Term(
        "checkpoint",
        _("Checkpoint"),
        _(
            "A saved state of training on disk. To go on from the same step it must hold the optimizer too, not the weights alone."
        ),
    ),
    Term(
        "lora",
        "LoRA",
        _(
            "Small added matrices (adapters) are trained and the model itself stays frozen. Gradients and optimizer shrink; the weights and activations of the model still take memory."
        ),
    ),
    Term(
        "qlora",
        "QLoRA",
        _("LoRA over a model whose frozen weights are stored in 4 or 8 bits instead of 16."),
    ),
    Term(
        "rank",
        _("Rank of the adapters"),
        _(
            "The width of the added matrices, usually 8 to 64. Twice the rank is twice the trained weights."
        ),
    ),
    Term(
        "quantisation",
        _("Quantisation"),
        _("Storing weights in fewer bits: less memory, some loss of accuracy to be checked."),
    ),
    Term(
        "precision",
        _("Precision (bf16, fp16, fp8)"),
        _(
            "How many bits the computation uses. Mixed: 16 bits to compute, 32 for the copy that the optimizer changes."
        ),
    ),
    Term(
        "token",
        _("Token"),
        _(
            "A piece of a word, the unit of text for a model. A Russian word is usually two or three tokens."
        ),
    ),
    Term(
        "batch",
        _("Batch and micro-batch"),
        _(
            "A batch is the samples of one step, a micro-batch those that go through one GPU at once. Accumulation adds up several micro-batches into one step."
        ),
    ),
    Term(
        "epoch",
        _("Epoch and step"),
        _("An epoch is one pass over all the data; a step is one change of the weights."),
    ),
    Term(
        "packing",
        _("Packing"),
        _(
            "Several short samples are joined into one full sequence, so that nothing is computed on padding."
        ),
    ),
    Term(
        "logits",
        _("Logits"),
        _(
            "Scores for every word of the vocabulary at every position. With a large vocabulary they may take more memory than the rest."
        ),
    ),
    Term(
        "flash-attention",
        "FlashAttention",
        _("A way to compute attention without holding its square matrix; results are the same."),
    ),
    Term(
        "moe",
        _("Mixture of experts (MoE)"),
        _(
            "A model of many parts of which a few work on each token: memory is for all of them, time for those at work."
        ),
    ),
    Term(
        "preference",
        "DPO, PPO, GRPO",
        _(
            "Training on preferences rather than examples. Some hold a second model in memory or generate answers on the way."
        ),
    ),
    Term(
        "offload",
        _("Offload"),
        _("A part of the states is kept in the memory of the host: room on the GPU, slower steps."),
    ),
    Term(
        "fsdp",
        "FSDP, ZeRO",
        _(
            "The weights, gradients and optimizer are cut over several GPUs. Each holds a part; they exchange more."
        ),
    ),
    Term(
        "ddp",
        "DDP",
        _(
            "Every GPU holds a whole copy of the model and its own part of the data; gradients are exchanged."
        ),
    ),
    Term(
        "nvlink",
        "NVLink, NVSwitch",
        _("A fast link between GPUs of one server, many times faster than PCIe."),
    ),
    Term(
        "sxm",
        "SXM",
        _(
            "A module on the board of the server: eight GPUs at once with NVLink between all of them."
        ),
    ),
    Term(
        "nvl",
        "NVL",
        _(
            "A PCIe card that a bridge joins in pairs or fours. It does not replace a module of the SXM kind."
        ),
    ),
    Term(
        "nvme",
        "NVMe",
        _(
            "Drives connected to the processor directly: the fastest ones for data that GPUs wait for."
        ),
    ),
    Term(
        "san",
        _("Storage network (SAN)"),
        _(
            "Shared storage of a company. It is usually built for databases, not for GPUs that read without a pause."
        ),
    ),
    Term(
        "feed",
        _("Feeds A and B"),
        _(
            "Two independent power lines of a rack. A server must live on one of them when the other fails."
        ),
    ),
    Term(
        "rdhx",
        "RDHx",
        _(
            "A heat exchanger in the rear door of a rack: water takes the heat before it gets into the room."
        ),
    ),
    Term(
        "gpu-hour",
        _("GPU-hour"),
        _("One GPU at work for an hour: eight GPUs for a day are 192 GPU-hours."),
    ),
)

_BY_KEY: Final = {term.key: term for term in TERMS}
# Question -> the words it uses, at most three: more is a page of its own.
_USED_IN: Final[dict[str, tuple[str, ...]]] = {
    "purpose": ("training", "rag"),
    "weights_change": ("parameters", "inference", "lora"),
    "alternatives": ("rag",),
    "inference_server": ("inference",),
    "held_out_set": ("held-out",),
    "method": ("lora", "qlora", "gradient"),
    "trainable_params": ("parameters", "gradient"),
    "stage": ("preference",),
    "model_kind": ("moe",),
    "params": ("parameters",),
    "active_params": ("moe",),
    "tokens": ("token", "epoch"),
    "data_location": ("nvme", "san"),
    "checkpoint_reserve": ("checkpoint",),
    "time_scope": ("epoch",),
    "series_cap": ("gpu-hour",),
    "precision": ("precision",),
    "quantization": ("quantisation",),
    "optimizer": ("optimizer", "gradient"),
    "lora_rank": ("rank",),
    "lora_targets": ("lora",),
    "sequence_length": ("token", "activations"),
    "packing": ("packing",),
    "micro_batch": ("batch", "activations"),
    "grad_accumulation": ("batch",),
    "activation_checkpointing": ("recomputation", "activations"),
    "attention": ("flash-attention",),
    "fused_cross_entropy": ("logits",),
    "offload": ("offload",),
    "epochs": ("epoch",),
    "save_kind": ("checkpoint", "optimizer"),
    "measured_layout": ("ddp", "fsdp"),
    "measured_card": ("sxm", "nvl", "nvlink"),
    "sku": ("sxm", "nvl", "nvlink"),
    "feeds": ("feed",),
    "cooling": ("rdhx",),
}


def terms_of(question_key: str) -> tuple[Term, ...]:
    """The words to explain under a question."""
    return tuple(_BY_KEY[key] for key in _USED_IN.get(question_key, ()))
