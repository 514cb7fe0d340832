"""A run that was measured: where it ran, in which batch, what it took."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import (
    LONG_TEXT,
    Influence,
    Kind,
    Limits,
    Option,
    Question,
)
from apps.questionnaire.when import Rule, all_of, at_least, is_, is_not

_RAN: Final[Rule] = is_("measured_run", True)
_SEVERAL: Final[Rule] = all_of(_RAN, at_least("measured_gpus", 2))
_SEQUENTIAL: Final[Rule] = all_of(_RAN, is_not("model_kind", "vision", "diffusion"))
_MEMORY: Final = Limits(low=2**20, high=2**44)

RUN: Final = Question(
    key="measured_run",
    name=pgettext_lazy("short name of a question", "Measured run"),
    kind=Kind.BOOLEAN,
    label=_("Has this training run already, if only for a few steps?"),
    hint=_("The same model and recipe on any card; a project as it runs today, or a pilot."),
    why=_(
        "One measured run of yours says more than hundreds of published ones: the estimate moves to it and its range narrows."
    ),
    influences=(Influence.MEMORY, Influence.TIME),
    optional=True,
)

ORIGIN: Final = Question(
    key="measured_origin",
    name=pgettext_lazy("short name of a question", "Kind of the run"),
    kind=Kind.CHOICE,
    label=_("What run was it?"),
    hint=_("It is printed beside the figures."),
    why=_("A pilot made for this choice counts as its confirmation; a project shows its load."),
    influences=(Influence.REVIEW,),
    options=(
        Option("project", _("The project as it runs today")),
        Option("pilot", _("A pilot for this choice")),
    ),
    relevant=_RAN,
    optional=True,
)

CARD: Final = Question(
    key="measured_card",
    name=pgettext_lazy("short name of a question", "Card of the run"),
    kind=Kind.TEXT,
    label=_("On which card did it run?"),
    hint=_("Start typing: the catalog suggests. The name that nvidia-smi shows will do."),
    why=_("Memory carries over to other cards, the time of a step only in part."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("A100 SXM 80 GB",),
    relevant=_RAN,
    optional=True,
)

GPUS: Final = Question(
    key="measured_gpus",
    name=pgettext_lazy("short name of a question", "GPUs of the run"),
    kind=Kind.NUMBER,
    label=_("On how many GPUs?"),
    hint=_("All nodes together."),
    why=_("What is cut over GPUs, and what they exchange, depends on it."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("1",),
    limits=Limits(low=1, high=100_000, whole=True),
    relevant=_RAN,
    optional=True,
)

LAYOUT: Final = Question(
    key="measured_layout",
    name=pgettext_lazy("short name of a question", "Layout of the run"),
    kind=Kind.CHOICE,
    label=_("How was it spread over the GPUs?"),
    hint=_("Left empty: as the framework does by itself."),
    why=_("Copies of the model and cut ones take and exchange different amounts."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option("ddp", "DDP"),
        Option("zero1", "ZeRO-1"),
        Option("zero2", "ZeRO-2"),
        Option("zero3", "ZeRO-3"),
        Option("fsdp", "FSDP"),
        Option("hsdp", "HSDP"),
    ),
    relevant=_SEVERAL,
    optional=True,
)

BATCH: Final = Question(
    key="measured_batch",
    name=pgettext_lazy("short name of a question", "Micro-batch of the run"),
    kind=Kind.NUMBER,
    label=_("With what micro-batch, if with another one than in the recipe?"),
    hint=_("Samples on one GPU in one pass."),
    why=_("The engine works out the very run that was measured, then compares."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("1",),
    unit=counted.SAMPLES,
    limits=Limits(low=1, high=1_000_000, whole=True),
    relevant=_RAN,
    optional=True,
)

LENGTH: Final = Question(
    key="measured_length",
    name=pgettext_lazy("short name of a question", "Length in the run"),
    kind=Kind.NUMBER,
    label=_("With what sequence length, if with another one?"),
    hint=_("The length that the run really had."),
    why=_("The engine works out the very run that was measured, then compares."),
    influences=(Influence.MEMORY, Influence.TIME),
    examples=("2048",),
    unit=counted.TOKENS,
    limits=Limits(low=1, high=100_000_000, whole=True),
    relevant=_SEQUENTIAL,
    optional=True,
)

ACCUMULATION: Final = Question(
    key="measured_accumulation",
    name=pgettext_lazy("short name of a question", "Accumulation in the run"),
    kind=Kind.NUMBER,
    label=_("Over how many passes were gradients accumulated, if over another number?"),
    hint=_("1 if the time that you give is of one pass."),
    why=_("A step of the optimizer takes as many passes."),
    influences=(Influence.TIME,),
    examples=("1",),
    limits=Limits(low=1, high=1_000_000, whole=True),
    relevant=_RAN,
    optional=True,
)

ALLOCATED: Final = Question(
    key="measured_allocated",
    name=pgettext_lazy("short name of a question", "Peak of the tensors"),
    kind=Kind.BYTES,
    label=_("What was the peak of memory held by tensors?"),
    hint=_("torch.cuda.max_memory_allocated(): the most exact of the three."),
    why=_("It is compared with our parts of the memory directly."),
    influences=(Influence.MEMORY,),
    examples=(_("61.5 GiB"),),
    default_unit="gib",
    limits=_MEMORY,
    relevant=_RAN,
    optional=True,
)

RESERVED: Final = Question(
    key="measured_reserved",
    name=pgettext_lazy("short name of a question", "Peak of the reserve"),
    kind=Kind.BYTES,
    label=_("What was the peak that PyTorch had reserved?"),
    hint=_("torch.cuda.max_memory_reserved(): not less than the figure above."),
    why=_("The reserve is more than the tensors; it shows fragmentation."),
    influences=(Influence.MEMORY,),
    examples=(_("66 GiB"),),
    default_unit="gib",
    limits=_MEMORY,
    relevant=_RAN,
    optional=True,
)

DEVICE: Final = Question(
    key="measured_device",
    name=pgettext_lazy("short name of a question", "Peak on the card"),
    kind=Kind.BYTES,
    label=_("What did nvidia-smi show at the fullest moment?"),
    hint=_("Of the fullest GPU, without other programs."),
    why=_("It is what has to fit the card."),
    influences=(Influence.MEMORY,),
    examples=(_("68 GiB"),),
    default_unit="gib",
    limits=_MEMORY,
    relevant=_RAN,
    optional=True,
)

STOPPED: Final = Question(
    key="measured_stopped",
    name=pgettext_lazy("short name of a question", "Out of memory"),
    kind=Kind.BOOLEAN,
    label=_("Did this run stop for want of memory?"),
    hint=_("“CUDA out of memory” in its log."),
    why=_("Then its figures only say that at least so much is needed."),
    influences=(Influence.MEMORY,),
    relevant=_RAN,
    optional=True,
)

STEP: Final = Question(
    key="measured_step_s",
    name=pgettext_lazy("short name of a question", "Time of a step"),
    kind=Kind.NUMBER,
    label=_("How long did a step of the optimizer take?"),
    hint=_("After the warm-up, with its passes and its waiting for data."),
    why=_("The time of the whole cycle is this one, times the steps."),
    influences=(Influence.TIME,),
    examples=(_("2.4 s"),),
    unit=counted.SECONDS,
    limits=Limits(low=0.0001, high=86_400),
    relevant=_RAN,
    optional=True,
)

RATE: Final = Question(
    key="measured_rate",
    name=pgettext_lazy("short name of a question", "Speed of one GPU"),
    kind=Kind.NUMBER,
    label=_("Or how many tokens a second on one GPU?"),
    hint=_("Where the log shows a speed in place of a time; divide a total by the GPUs."),
    why=_("We turn it into the time of a step."),
    influences=(Influence.TIME,),
    examples=("3120",),
    unit=counted.TOKENS_PER_SECOND,
    limits=Limits(low=0.01, high=1e8),
    relevant=_SEQUENTIAL,
    optional=True,
)

WAIT: Final = Question(
    key="measured_wait",
    name=pgettext_lazy("short name of a question", "Waiting for data"),
    kind=Kind.PERCENT,
    label=_("What share of a step does the GPU wait for data?"),
    hint=_("data_time over time, or what a profiler shows."),
    why=_(
        "Waiting is of the storage and the processors, not of the card: it is taken off the step."
    ),
    influences=(Influence.TIME, Influence.STORAGE, Influence.HOST),
    examples=("5",),
    default_unit="%",
    limits=Limits(low=0, high=99),
    relevant=_RAN,
    optional=True,
)

OTHER_BATCH: Final = Question(
    key="measured_other_batch",
    name=pgettext_lazy("short name of a question", "Second micro-batch"),
    kind=Kind.NUMBER,
    label=_("Was the same run measured with another micro-batch too?"),
    hint=_("Its micro-batch; everything else as above."),
    why=_("Two batches tell what grows with the batch from what does not."),
    influences=(Influence.MEMORY,),
    examples=("2",),
    unit=counted.SAMPLES,
    limits=Limits(low=1, high=1_000_000, whole=True),
    relevant=_RAN,
    optional=True,
)

OTHER_PEAK: Final = Question(
    key="measured_other_peak",
    name=pgettext_lazy("short name of a question", "Peak of the second"),
    kind=Kind.BYTES,
    label=_("What was its peak?"),
    hint=_("The same figure as the first one that is given above."),
    why=_("With it, the peak of any other batch follows from measured parts."),
    influences=(Influence.MEMORY,),
    examples=(_("74 GiB"),),
    default_unit="gib",
    limits=_MEMORY,
    relevant=all_of(_RAN, at_least("measured_other_batch", 1)),
    optional=True,
)

REST: Final = Question(
    key="measured_rest",
    name=pgettext_lazy("short name of a question", "Held between steps"),
    kind=Kind.BYTES,
    label=_("How much do tensors hold between two steps?"),
    hint=_("torch.cuda.memory_allocated() after a step, gradients freed."),
    why=_("It tells weights and optimizer from activations, so that each part moves by its own."),
    influences=(Influence.MEMORY,),
    examples=(_("24 GiB"),),
    default_unit="gib",
    limits=_MEMORY,
    relevant=_RAN,
    optional=True,
)

BY_STAGE: Final = Question(
    key="measured_stages",
    name=pgettext_lazy("short name of a question", "Profile by stage"),
    kind=Kind.LONG,
    label=_("What does a profiler show by stage?"),
    hint=_("Time and memory of loading, forward, backward, step, exchange, saving; in any form."),
    why=_("The engineer sees from it what the step waits for; the calculation does not read it."),
    influences=(Influence.REVIEW,),
    examples=(_("loading 0.1 s, forward 0.7 s, backward 1.4 s, step 0.2 s; a save takes 90 s"),),
    length=LONG_TEXT,
    relevant=_RAN,
    material=False,
    optional=True,
)

WHERE: Final = (RUN, ORIGIN, CARD, GPUS, LAYOUT, BATCH, LENGTH, ACCUMULATION)
FIGURES: Final = (
    ALLOCATED,
    RESERVED,
    DEVICE,
    STOPPED,
    STEP,
    RATE,
    WAIT,
    OTHER_BATCH,
    OTHER_PEAK,
)
STAGES: Final = (REST, BY_STAGE)
