"""What is trained: the model by name, or its architecture in figures."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import Influence, Kind, Limits, Option, Question
from apps.questionnaire.sentences import Text
from apps.questionnaire.when import Rule, all_of, any_of, is_, is_not

_OWN: Final[Rule] = any_of(is_("model_source", "own"), is_("strategy", "from-scratch"))
_TRANSFORMER: Final[Rule] = all_of(_OWN, is_not("model_kind", "vision", "diffusion"))
_EXPERTS: Final[Rule] = is_("model_kind", "moe-decoder")

SOURCE: Final = Question(
    key="model_source",
    name=pgettext_lazy("short name of a question", "Origin of the model"),
    kind=Kind.CHOICE,
    label=_("Is it a published model or an architecture of your own?"),
    hint=_("For a published model we take the architecture from the catalog, with its source."),
    why=_("For your own architecture we need its dimensions: activations are counted from them."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("published", _("A published model"), _("Or a fine-tuned version of one")),
        Option("own", _("Our own architecture"), _("Or a published one with changed dimensions")),
    ),
    weight=2,
)

NAME: Final = Question(
    key="model_name",
    name=pgettext_lazy("short name of a question", "Name of the model"),
    kind=Kind.TEXT,
    label=_("What is the model called?"),
    hint=_("As in the repository it comes from: family, version and size."),
    why=_(
        "By the name we find layers, widths and vocabulary; the name alone is not enough to count GPUs."
    ),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("Llama-3.1-8B", "Qwen/Qwen2.5-32B-Instruct"),
    relevant=is_not("model_source", "own"),
    field="model.name",
    weight=3,
)

KIND: Final = Question(
    key="model_kind",
    name=pgettext_lazy("short name of a question", "Kind of model"),
    kind=Kind.CHOICE,
    label=_("What kind of model is it?"),
    hint=_("Most chat and text models are decoders."),
    why=_("The kind decides which formula counts activations and what the length of the input is."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("decoder", _("Decoder"), "GPT, Llama, Qwen, Mistral"),
        Option("moe-decoder", _("Decoder with experts (MoE)"), "Mixtral, DeepSeek, Qwen A3B"),
        Option("encoder", _("Encoder"), _("BERT, RoBERTa, embedding models")),
        Option("encoder-decoder", _("Encoder and decoder"), "T5, BART, Whisper"),
        Option("vlm", _("Text and images"), "LLaVA, Qwen-VL"),
        Option("vision", _("Vision"), "ResNet, ViT, YOLO"),
        Option("diffusion", _("Diffusion"), "Stable Diffusion, FLUX"),
    ),
    field="model.kind",
    weight=2,
)

PARAMS: Final = Question(
    key="params",
    name=pgettext_lazy("short name of a question", "Parameters"),
    kind=Kind.COUNT,
    label=_("How many parameters does it have?"),
    hint=_(
        "The total, for a model with experts too. “7 billion”, “8B” and “350M” are all understood."
    ),
    why=_("Weights, gradients and optimizer states grow in proportion to this number."),
    influences=(Influence.MEMORY, Influence.TIME, Influence.STORAGE),
    examples=(_("8 billion"), "350M"),
    unit=counted.PARAMETERS,
    limits=Limits(low=1, high=1e14, whole=True, usual_low=1e6, usual_high=2e12),
    field="model.params_billion",
    weight=3,
)

ACTIVE: Final = Question(
    key="active_params",
    name=pgettext_lazy("short name of a question", "Active parameters"),
    kind=Kind.COUNT,
    label=_("How many parameters work on one token?"),
    hint=_("For a model with experts it is less than the total."),
    why=_("The time of a step follows the active parameters, the memory follows all of them."),
    influences=(Influence.TIME,),
    examples=(_("3 billion"),),
    unit=counted.PARAMETERS,
    limits=Limits(low=1, high=1e14, whole=True, usual_low=1e6),
    relevant=_EXPERTS,
    field="model.active_params_billion",
    weight=2,
)


def _dimension(
    key: str, name: Text, label: Text, hint: Text, why: Text, example: str, high: float
) -> Question:
    """A width of a transformer, asked only of those who bring their own."""
    return Question(
        key=key,
        name=name,
        kind=Kind.NUMBER,
        label=label,
        hint=hint,
        why=why,
        influences=(Influence.MEMORY, Influence.TIME),
        examples=(example,),
        limits=Limits(low=1, high=high, whole=True),
        relevant=_TRANSFORMER,
        field=f"model.{key}",
    )


LAYERS: Final = _dimension(
    "layers",
    pgettext_lazy("short name of a question", "Layers"),
    _("How many layers?"),
    _("“num_hidden_layers” in the configuration of the model."),
    _("With recomputation one input per layer is kept, without it all activations of each layer."),
    "32",
    10_000,
)
HIDDEN: Final = _dimension(
    "hidden",
    pgettext_lazy("short name of a question", "Hidden size"),
    _("What is the hidden size?"),
    _("“hidden_size” in the configuration."),
    _("Activations of a layer are proportional to the hidden size."),
    "4096",
    1_000_000,
)
HEADS: Final = _dimension(
    "heads",
    pgettext_lazy("short name of a question", "Attention heads"),
    _("How many attention heads?"),
    _("“num_attention_heads” in the configuration."),
    _("The heads decide how attention can be split over GPUs and what it keeps in memory."),
    "32",
    100_000,
)
KV_HEADS: Final = _dimension(
    "kv_heads",
    pgettext_lazy("short name of a question", "Key and value heads"),
    _("How many key and value heads?"),
    _("“num_key_value_heads”; equal to the number of heads if the model has no grouped attention."),
    _("Grouped attention keeps smaller keys and values."),
    "8",
    100_000,
)
FFN: Final = _dimension(
    "ffn",
    pgettext_lazy("short name of a question", "Feed-forward width"),
    _("What is the width of the feed-forward layer?"),
    _("“intermediate_size” in the configuration."),
    _("The widest activations of a layer are here."),
    "14336",
    10_000_000,
)
VOCAB: Final = _dimension(
    "vocab",
    pgettext_lazy("short name of a question", "Vocabulary"),
    _("How large is the vocabulary?"),
    _("“vocab_size” in the configuration."),
    _("With a large vocabulary the logits may take more memory than everything else."),
    "128256",
    100_000_000,
)

EXPERTS: Final = Question(
    key="experts",
    name=pgettext_lazy("short name of a question", "Experts"),
    kind=Kind.NUMBER,
    label=_("How many experts?"),
    hint=_("In one layer."),
    why=_("Experts decide how the model is spread over GPUs and what is exchanged between them."),
    influences=(Influence.MEMORY, Influence.LINK),
    examples=("64",),
    unit=counted.PIECES,
    limits=Limits(low=1, high=100_000, whole=True),
    relevant=all_of(_OWN, _EXPERTS),
    field="model.experts",
)

EXPERTS_PER_TOKEN: Final = Question(
    key="experts_per_token",
    name=pgettext_lazy("short name of a question", "Experts per token"),
    kind=Kind.NUMBER,
    label=_("How many experts work on one token?"),
    hint=_("“num_experts_per_tok” in the configuration."),
    why=_("The compute of a step grows with it."),
    influences=(Influence.TIME,),
    examples=("4",),
    unit=counted.PIECES,
    limits=Limits(low=1, high=100_000, whole=True),
    relevant=all_of(_OWN, _EXPERTS),
    field="model.experts_per_token",
)

IMAGE_SIZE: Final = Question(
    key="image_size",
    name=pgettext_lazy("short name of a question", "Image size"),
    kind=Kind.NUMBER,
    label=_("What is the size of the image at the input?"),
    hint=_("The side in pixels after resizing."),
    why=_("Activations grow with the square of the side."),
    influences=(Influence.MEMORY, Influence.HOST),
    examples=(_("640 px"),),
    unit=counted.PIXELS,
    limits=Limits(low=1, high=100_000, whole=True, usual_low=32, usual_high=8192),
    relevant=any_of(is_("model_kind", "vision", "diffusion", "vlm"), is_("purpose", "vision")),
    field="model.image_size",
    weight=3,
)

IDENTITY: Final = (SOURCE, NAME, KIND, PARAMS, ACTIVE)
DIMENSIONS: Final = (
    LAYERS,
    HIDDEN,
    HEADS,
    KV_HEADS,
    FFN,
    VOCAB,
    EXPERTS,
    EXPERTS_PER_TOKEN,
    IMAGE_SIZE,
)
