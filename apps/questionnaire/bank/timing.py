"""When it must be ready, and how many times it will be run."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import LONG_TEXT, Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import all_of, at_least, is_not

TARGET: Final = Question(
    key="target_time",
    name=pgettext_lazy("short name of a question", "Time for one training"),
    kind=Kind.HOURS,
    label=_("How long may one training take?"),
    hint=_("The longest that still suits you. Hours, days and weeks are understood."),
    why=_("The tighter the time, the more GPUs, link, storage and power it takes."),
    influences=(Influence.TIME, Influence.PLATFORM, Influence.LINK),
    examples=(_("3 days"), _("72 h"), _("2 weeks")),
    default_unit="h",
    limits=Limits(low=0.01, high=1_000_000, usual_low=0.25, usual_high=8760),
    relevant=all_of(is_not("purpose", "serve"), is_not("weights_change", False)),
    field="cycle.target_hours",
    weight=3,
)

SCOPE: Final = Question(
    key="time_scope",
    name=pgettext_lazy("short name of a question", "What the time covers"),
    kind=Kind.CHOICE,
    label=_("What does the time for one training cover?"),
    hint=_("An epoch is one pass over all the data."),
    why=_(
        "A run of three epochs is three times longer than an epoch, and checks and saves come on top."
    ),
    influences=(Influence.TIME,),
    options=(
        Option("run", _("A whole run, from start to result")),
        Option("epoch", _("One epoch")),
    ),
    field="cycle.scope",
    weight=2,
)

HARD: Final = Question(
    key="deadline_hard",
    name=pgettext_lazy("short name of a question", "Hard limit"),
    kind=Kind.BOOLEAN,
    label=_("Is the time for one training a hard limit?"),
    hint=_("Hard: a later result is of no use."),
    why=_("A hard limit is judged by the upper end of the range, a wish by its middle."),
    influences=(Influence.TIME, Influence.PLATFORM),
    field="cycle.hard",
)

MONTHS: Final = Question(
    key="months_acceptable",
    name=pgettext_lazy("short name of a question", "Months are acceptable"),
    kind=Kind.BOOLEAN,
    label=_("Is training that takes months acceptable?"),
    hint=_("Models of hundreds of billions of parameters are often trained for months."),
    why=_("If it is not and a run takes longer, we say so and show what a faster one takes."),
    influences=(Influence.PLATFORM, Influence.LINK),
    relevant=at_least("params", 1e11),
)

RUNS: Final = Question(
    key="runs_per_quarter",
    name=pgettext_lazy("short name of a question", "Runs a quarter"),
    kind=Kind.NUMBER,
    label=_("How many full runs a quarter?"),
    hint=_("Successful ones and repeats together."),
    why=_("From the load it follows whether to buy, to rent, or to rent first."),
    influences=(Influence.PLATFORM,),
    examples=("6",),
    unit=counted.RUNS,
    limits=Limits(low=0, high=1_000_000, usual_high=1000),
    field="cycle.runs_per_quarter",
)

PARALLEL: Final = Question(
    key="parallel_runs",
    name=pgettext_lazy("short name of a question", "Runs at the same time"),
    kind=Kind.NUMBER,
    label=_("How many trainings at the same time?"),
    hint=_("1 if they go one after another."),
    why=_("Parallel runs need their own GPUs and read the storage at once."),
    influences=(Influence.PLATFORM, Influence.STORAGE, Influence.HOST),
    examples=("1",),
    unit=counted.RUNS,
    limits=Limits(low=1, high=100_000, whole=True, usual_high=64),
    field="cycle.parallel_runs",
    weight=2,
)

EXPERIMENTS: Final = Question(
    key="experiments",
    name=pgettext_lazy("short name of a question", "Experiments before the final run"),
    kind=Kind.NUMBER,
    label=_("How many experiments do you plan before the final run?"),
    hint=_("Search for data, learning rate, rank: each is a run, even if a short one."),
    why=_(
        "One successful run is not the whole project: experiments usually take more GPU-hours than the final one."
    ),
    influences=(Influence.TIME, Influence.PLATFORM),
    examples=("10",),
    unit=counted.RUNS,
    limits=Limits(low=0, high=100_000, whole=True, usual_low=2),
)

CAP: Final = Question(
    key="series_cap",
    name=pgettext_lazy("short name of a question", "Limit of the series"),
    kind=Kind.NUMBER,
    label=_("How many GPU-hours may the whole series take?"),
    hint=_("Experiments, the final run and repeats together; four GPUs for a day are 96."),
    why=_("The series is counted and held against this limit."),
    influences=(Influence.TIME, Influence.PLATFORM),
    examples=("2000",),
    unit=counted.GPU_HOURS,
    limits=Limits(low=1, high=1e10),
    optional=True,
)

STOP: Final = Question(
    key="stop_criteria",
    name=pgettext_lazy("short name of a question", "When to stop"),
    kind=Kind.LONG,
    label=_("When will you stop a series of experiments?"),
    hint=_("A limit of time or money, or a result that is enough."),
    why=_("Without a limit a series of experiments eats any server and any rent."),
    influences=(Influence.REVIEW,),
    examples=(_("Not more than 20 runs, or two runs in a row without a gain"),),
    length=LONG_TEXT,
    weight=3,
)

# What is trained by when comes first: TARGET stands on the page of the goal.
DEADLINE: Final = (SCOPE, HARD, MONTHS)
SERIES: Final = (RUNS, PARALLEL, EXPERIMENTS, CAP, STOP)
