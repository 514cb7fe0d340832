"""The recipe, continued: what trades memory for time, how long it runs, what it saves."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import Influence, Kind, Limits, Option, Question, Typical
from apps.questionnaire.when import is_not

CHECKPOINTING: Final = Question(
    key="activation_checkpointing",
    name=pgettext_lazy("short name of a question", "Recomputation of activations"),
    kind=Kind.CHOICE,
    label=_("Are activations recomputed?"),
    hint=_(
        "“gradient_checkpointing” in the configuration; not to be confused with saving checkpoints."
    ),
    why=_("Recomputation frees most of the activations and makes a step longer by about a third."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("full", _("Fully"), _("Only the input of each layer is kept")),
        Option("selective", _("Partly"), _("Some operations are recomputed")),
        Option("none", _("No")),
    ),
    field="recipe.activation_checkpointing",
    weight=3,
)

ATTENTION: Final = Question(
    key="attention",
    name=pgettext_lazy("short name of a question", "Attention"),
    kind=Kind.CHOICE,
    label=_("Which attention is used?"),
    hint=_("“attn_implementation” in the configuration."),
    why=_("Plain attention keeps a matrix that grows with the square of the length."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("flash", "FlashAttention"),
        Option("sdpa", _("SDPA, built into PyTorch")),
        Option("eager", _("Plain (eager)")),
    ),
    relevant=is_not("model_kind", "vision"),
    field="recipe.attention",
    typical=Typical(
        "sdpa",
        _("Transformers takes SDPA by itself wherever the model supports it."),
        "Transformers: attention interface",
    ),
    weight=2,
)

FUSED_LOSS: Final = Question(
    key="fused_cross_entropy",
    name=pgettext_lazy("short name of a question", "Fused cross-entropy"),
    kind=Kind.BOOLEAN,
    label=_("Is the loss computed without holding all logits (fused cross-entropy)?"),
    hint=_("Liger, Unsloth, chunked loss."),
    why=_(
        "With a vocabulary of 128 thousand tokens, logits may take tens of gibibytes, and this removes them."
    ),
    influences=(Influence.MEMORY,),
    relevant=is_not("model_kind", "vision", "diffusion"),
    field="recipe.fused_cross_entropy",
    weight=3,
)

OFFLOAD: Final = Question(
    key="offload",
    name=pgettext_lazy("short name of a question", "Offload to the host"),
    kind=Kind.CHOICE,
    label=_("Is anything moved from the GPU to the memory of the host?"),
    hint=_("CPU offload; answer “No” if you have not set it."),
    why=_("Offload frees the GPU, loads the bus and asks for much more RAM."),
    influences=(Influence.MEMORY, Influence.HOST, Influence.TIME),
    options=(
        Option("none", _("No")),
        Option("optimizer", _("Optimizer states")),
        Option("params", _("Weights and optimizer states")),
        Option("activations", _("Activations")),
    ),
    field="recipe.offload",
    typical=Typical(
        "none",
        _("No framework moves anything to the host unless it is set."),
        "PyTorch FSDP: CPUOffload, DeepSpeed: offload_optimizer",
    ),
    weight=2,
)

EPOCHS: Final = Question(
    key="epochs",
    name=pgettext_lazy("short name of a question", "Epochs"),
    kind=Kind.NUMBER,
    label=_("How many passes over the data?"),
    hint=_("Epochs. Leave it empty if you count in steps."),
    why=_("The time of a run is proportional to it."),
    influences=(Influence.TIME,),
    examples=("3",),
    unit=counted.EPOCHS,
    limits=Limits(low=0.001, high=1_000_000, usual_high=1000),
    field="recipe.epochs",
    optional=True,
    weight=2,
)

STEPS: Final = Question(
    key="steps",
    name=pgettext_lazy("short name of a question", "Steps"),
    kind=Kind.COUNT,
    label=_("How many steps of the optimizer?"),
    hint=_("Leave it empty if it follows from the epochs."),
    why=_("The time of a step times the steps is the first estimate of the time of a run."),
    influences=(Influence.TIME,),
    examples=("5000",),
    unit=counted.STEPS,
    limits=Limits(low=1, high=1e12, whole=True),
    field="recipe.steps",
    optional=True,
    weight=2,
)

SAVE_EVERY: Final = Question(
    key="save_every_steps",
    name=pgettext_lazy("short name of a question", "Save every"),
    kind=Kind.NUMBER,
    label=_("After how many steps is a checkpoint saved?"),
    hint=_("“save_steps” in the configuration."),
    why=_("Frequent saves of a large model hold the GPUs up and ask for faster drives."),
    influences=(Influence.STORAGE, Influence.TIME),
    examples=("500",),
    unit=counted.STEPS,
    limits=Limits(low=1, high=1e12, whole=True),
    field="recipe.save_every_steps",
)

SAVES_KEPT: Final = Question(
    key="saves_kept",
    name=pgettext_lazy("short name of a question", "Checkpoints kept"),
    kind=Kind.NUMBER,
    label=_("How many checkpoints are kept at once?"),
    hint=_("“save_total_limit”; many frameworks keep all of them unless told otherwise."),
    why=_("Their number times the size is the volume that has to be reserved."),
    influences=(Influence.STORAGE,),
    examples=("5",),
    unit=counted.SAVES,
    limits=Limits(low=0, high=1_000_000_000, whole=True, usual_high=1000),
    field="recipe.saves_kept",
)

SAVE_KIND: Final = Question(
    key="save_kind",
    name=pgettext_lazy("short name of a question", "Kind of checkpoint"),
    kind=Kind.CHOICE,
    label=_("What must a checkpoint allow?"),
    hint=_("Weights alone do not let training go on from the same place."),
    why=_(
        "A full state holds the optimizer too and is several times larger; the acceptance test depends on it."
    ),
    influences=(Influence.STORAGE, Influence.REVIEW),
    options=(
        Option("full", _("To continue from the same step"), _("Weights, optimizer, step number")),
        Option("weights", _("Only to use the weights")),
    ),
    field="recipe.save_kind",
)

RECOVERY: Final = Question(
    key="recovery",
    name=pgettext_lazy("short name of a question", "Backup and recovery"),
    kind=Kind.TEXT,
    label=_("What about backup and recovery?"),
    hint=_("Where copies go, and how soon training must be running again after a failure."),
    why=_("Backup takes a second volume, and the time of recovery sets the kind of storage."),
    influences=(Influence.STORAGE, Influence.REVIEW),
    examples=(_("Final weights go to the archive every night; a day to recover is fine"),),
    optional=True,
)

SAVINGS: Final = (CHECKPOINTING, ATTENTION, FUSED_LOSS, OFFLOAD)
COURSE: Final = (EPOCHS, STEPS, SAVE_EVERY, SAVES_KEPT, SAVE_KIND, RECOVERY)
