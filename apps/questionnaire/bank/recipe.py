"""The training recipe: software and numbers, length and batch, what saves memory."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import (
    Influence,
    Kind,
    Limits,
    Option,
    Question,
    Typical,
)
from apps.questionnaire.when import Rule, is_, is_not

_SEQUENTIAL: Final[Rule] = is_not("model_kind", "vision", "diffusion")
_LANGUAGE: Final[Rule] = is_not("model_kind", "vision", "diffusion", "encoder")

FRAMEWORK: Final = Question(
    key="framework",
    name=pgettext_lazy("short name of a question", "Framework"),
    kind=Kind.CHOICE,
    label=_("What do you train with?"),
    hint=_("The library or the program that runs the training loop."),
    why=_(
        "The same words “bf16, AdamW” mean 8 or 16 bytes per parameter in different frameworks, and their defaults differ too."
    ),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("hf-trainer", "Hugging Face Trainer"),
        Option("trl", "TRL"),
        Option("llama-factory", "LLaMA-Factory"),
        Option("axolotl", "Axolotl"),
        Option("unsloth", "Unsloth"),
        Option("torchtune", "torchtune"),
        Option("ms-swift", "ms-swift"),
        Option("accelerate", "Accelerate"),
        Option("deepspeed", "DeepSpeed"),
        Option("litgpt", "LitGPT"),
        Option("llm-foundry", "LLM Foundry"),
        Option("torchtitan", "torchtitan"),
        Option("megatron", "Megatron-LM"),
        Option("nemo", "NeMo"),
        Option("nanotron", "nanotron"),
        Option("pytorch-fsdp2", "PyTorch FSDP2"),
        Option("pytorch-fsdp", "PyTorch FSDP"),
        Option("diffusers", "Diffusers"),
        Option("kohya", "kohya sd-scripts"),
        Option("timm", "timm"),
        Option("ultralytics", "Ultralytics"),
        Option("other", _("Other or our own")),
    ),
    field="recipe.framework",
    weight=3,
)

VERSION: Final = Question(
    key="framework_version",
    name=pgettext_lazy("short name of a question", "Versions"),
    kind=Kind.TEXT,
    label=_("Which version, and on which version of PyTorch?"),
    hint=_("As the package manager shows it."),
    why=_(
        "Defaults change from version to version, and a measured step is comparable only within one."
    ),
    influences=(Influence.MEMORY, Influence.REVIEW),
    examples=("transformers 5.24, torch 2.9",),
    optional=True,
)

PRECISION: Final = Question(
    key="precision",
    name=pgettext_lazy("short name of a question", "Precision"),
    kind=Kind.CHOICE,
    label=_("In what precision do you train?"),
    hint=_("Mixed: compute in 16 bits, weights of the optimizer in 32. Pure: everything in 16."),
    why=_("Precision sets the bytes per weight, per gradient and per optimizer state."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("bf16-mixed", _("bf16, mixed")),
        Option("bf16-pure", _("bf16, pure"), _("No 32-bit copy of the weights")),
        Option("fp16-mixed", _("fp16, mixed")),
        Option("fp16-pure", _("fp16, pure")),
        Option("fp32", "fp32"),
        Option("fp8-mixed", _("fp8, mixed"), _("Quality has to be checked on your data")),
        Option("mxfp8", "MXFP8", _("Quality has to be checked on your data")),
        Option("nvfp4", "NVFP4", _("Quality has to be checked on your data")),
    ),
    field="recipe.precision",
    typical=Typical(
        "bf16-mixed",
        _("On current GPUs most models are trained in mixed bf16; Llama 3 was."),
        "Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783",
    ),
    weight=3,
)

QUANTIZATION: Final = Question(
    key="quantization",
    name=pgettext_lazy("short name of a question", "Quantisation of the base"),
    kind=Kind.CHOICE,
    label=_("How is the base quantised?"),
    hint=_("Only the frozen weights are quantised; the adapters are not."),
    why=_(
        "The base takes from half a byte to one byte per weight, and not every framework supports every way."
    ),
    influences=(Influence.MEMORY,),
    options=(
        Option("nf4", _("NF4, 4 bits")),
        Option("nf4-double", _("NF4 with double quantisation")),
        Option("int8", "INT8"),
        Option("gptq-int4", _("GPTQ, 4 bits")),
        Option("awq-int4", _("AWQ, 4 bits")),
        Option("fp8", "fp8"),
    ),
    relevant=is_("method", "qlora"),
    field="recipe.quantization",
    typical=Typical(
        "nf4-double",
        _("QLoRA was published with NF4 and double quantisation."),
        "Dettmers et al., QLoRA, arXiv:2305.14314",
    ),
    weight=2,
)

OPTIMIZER: Final = Question(
    key="optimizer",
    name=pgettext_lazy("short name of a question", "Optimizer"),
    kind=Kind.CHOICE,
    label=_("Which optimizer?"),
    hint=_("With LoRA it holds states for the adapters only."),
    why=_(
        "Adam keeps two numbers per trained parameter; 8-bit and factored ones keep several times less."
    ),
    influences=(Influence.MEMORY, Influence.STORAGE),
    options=(
        Option("adamw", "AdamW"),
        Option("adamw-8bit", _("AdamW, 8-bit")),
        Option("adafactor", "Adafactor"),
        Option("lion", "Lion"),
        Option("lion-8bit", _("Lion, 8-bit")),
        Option("sgd", "SGD"),
        Option("muon", "Muon"),
        Option("galore", "GaLore"),
        Option("other", _("Other")),
    ),
    field="recipe.optimizer",
    typical=Typical(
        "adamw",
        _("Hugging Face Trainer takes AdamW when nothing else is stated."),
        "Transformers: TrainingArguments.optim",
    ),
    weight=3,
)

LORA_RANK: Final = Question(
    key="lora_rank",
    name=pgettext_lazy("short name of a question", "Rank of the adapters"),
    kind=Kind.NUMBER,
    label=_("What is the rank of the adapters?"),
    hint=_("“r” or “lora_r” in the configuration."),
    why=_("The number of trained parameters is proportional to the rank."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("16",),
    limits=Limits(low=1, high=100_000, whole=True, usual_low=2, usual_high=512),
    relevant=is_("method", "lora", "qlora", "dora"),
    field="recipe.lora_rank",
    typical=Typical(
        "16",
        _("Libraries start from 8 or 16; from 8 to 64 is common."),
        "PEFT: LoraConfig, Unsloth: LoRA hyperparameters guide",
    ),
    weight=2,
)

LORA_TARGETS: Final = Question(
    key="lora_targets",
    name=pgettext_lazy("short name of a question", "Layers with adapters"),
    kind=Kind.CHOICE,
    label=_("Which layers get adapters?"),
    hint=_("“target_modules” in the configuration."),
    why=_(
        "Adapters on all linear layers are several times larger than on two projections of attention."
    ),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("all-linear", _("All linear layers")),
        Option("attention", _("Attention: q, k, v, o")),
        Option("qv", _("Only q and v")),
        Option("listed", _("Other layers"), _("You will list them below")),
    ),
    relevant=is_("method", "lora", "qlora", "dora"),
    field="recipe.lora_targets",
    typical=Typical(
        "all-linear",
        _("Adapters on all linear layers were needed to match training of all weights."),
        "Dettmers et al., QLoRA, arXiv:2305.14314",
    ),
    weight=2,
)

LORA_LIST: Final = Question(
    key="lora_target_list",
    name=pgettext_lazy("short name of a question", "List of layers"),
    kind=Kind.TEXT,
    label=_("Name the layers"),
    hint=_("Separated by commas, as in the configuration."),
    why=_("From the names we take the shapes of the matrices."),
    influences=(Influence.MEMORY,),
    examples=("q_proj, k_proj, v_proj, gate_proj",),
    relevant=is_("lora_targets", "listed"),
    weight=2,
)

LORA_EMBEDDINGS: Final = Question(
    key="lora_embeddings",
    name=pgettext_lazy("short name of a question", "Embeddings trained in full"),
    kind=Kind.BOOLEAN,
    label=_("Are embeddings and the output layer trained in full?"),
    hint=_("“modules_to_save” in the configuration; usual when new tokens are added."),
    why=_("These are whole matrices of the vocabulary with gradients and optimizer states."),
    influences=(Influence.MEMORY, Influence.STORAGE),
    relevant=is_("method", "lora", "qlora", "dora"),
    field="recipe.modules_to_save",
    optional=True,
    weight=2,
)

SEQUENCE: Final = Question(
    key="sequence_length",
    name=pgettext_lazy("short name of a question", "Sequence length"),
    kind=Kind.NUMBER,
    label=_("What is the sequence length?"),
    hint=_("The longest sample in training, in tokens; not the limit of the model itself."),
    why=_(
        "Activations grow with the length, and the logits of a large vocabulary may take more than the rest."
    ),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("8192",),
    unit=counted.TOKENS,
    limits=Limits(low=1, high=100_000_000, whole=True, usual_low=64, usual_high=262_144),
    relevant=_SEQUENTIAL,
    field="recipe.sequence_length",
    weight=3,
)

AVERAGE: Final = Question(
    key="average_length",
    name=pgettext_lazy("short name of a question", "Average length"),
    kind=Kind.NUMBER,
    label=_("How long is a sample on average?"),
    hint=_("In tokens; roughly."),
    why=_(
        "Without packing, short samples are padded, and part of the compute is spent on nothing."
    ),
    influences=(Influence.TIME,),
    examples=("900",),
    unit=counted.TOKENS,
    limits=Limits(low=1, high=100_000_000),
    relevant=_SEQUENTIAL,
    field="recipe.average_length",
    optional=True,
)

PACKING: Final = Question(
    key="packing",
    name=pgettext_lazy("short name of a question", "Packing"),
    kind=Kind.BOOLEAN,
    label=_("Are several samples packed into one sequence?"),
    hint=_("“packing” or “sample_packing” in the configuration."),
    why=_("With packing each step is full; without it the time depends on the average length."),
    influences=(Influence.TIME, Influence.MEMORY),
    relevant=_LANGUAGE,
    field="recipe.packing",
)

MICRO: Final = Question(
    key="micro_batch",
    name=pgettext_lazy("short name of a question", "Micro-batch on one GPU"),
    kind=Kind.NUMBER,
    label=_("How many samples go through one GPU at once?"),
    hint=_("Micro-batch: “per_device_train_batch_size” and the like."),
    why=_("Memory for activations is almost proportional to it."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("2",),
    unit=counted.SAMPLES,
    limits=Limits(low=1, high=1_000_000, whole=True, usual_high=1024),
    field="recipe.micro_batch",
    weight=3,
)

ACCUMULATION: Final = Question(
    key="grad_accumulation",
    name=pgettext_lazy("short name of a question", "Gradient accumulation"),
    kind=Kind.NUMBER,
    label=_("Over how many passes are gradients accumulated?"),
    hint=_("1 if each pass is a step of the optimizer."),
    why=_(
        "Accumulation makes the batch larger without more memory, and the exchange between GPUs rarer."
    ),
    influences=(Influence.TIME, Influence.LINK),
    examples=("8",),
    limits=Limits(low=1, high=1_000_000, whole=True, usual_high=4096),
    field="recipe.grad_accumulation",
    weight=2,
)

GLOBAL: Final = Question(
    key="global_batch",
    name=pgettext_lazy("short name of a question", "Batch of a step"),
    kind=Kind.NUMBER,
    label=_("What batch do you want for a step of the optimizer?"),
    hint=_("Over all GPUs together; leave it empty if it follows from the two figures above."),
    why=_("It fixes the number of steps, however many GPUs there are."),
    influences=(Influence.TIME, Influence.LINK),
    examples=("64",),
    unit=counted.SAMPLES,
    limits=Limits(low=1, high=1_000_000_000, whole=True),
    field="recipe.global_batch",
    optional=True,
)

SOFTWARE: Final = (FRAMEWORK, VERSION, PRECISION, QUANTIZATION, OPTIMIZER)
ADAPTERS: Final = (LORA_RANK, LORA_TARGETS, LORA_LIST, LORA_EMBEDDINGS)
BATCH: Final = (SEQUENCE, AVERAGE, PACKING, MICRO, ACCUMULATION, GLOBAL)
