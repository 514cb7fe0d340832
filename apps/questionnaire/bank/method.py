"""Which parameters change, and how: the first thing every figure depends on."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import all_of, is_, is_not

STRATEGY: Final = Question(
    key="strategy",
    name=pgettext_lazy("short name of a question", "Strategy"),
    kind=Kind.CHOICE,
    label=_("Where does training start from?"),
    hint=_("If you plan several kinds of training, choose the heaviest one."),
    why=_(
        "Training from scratch and an adapter on a ready model differ by orders of magnitude in time, data and memory."
    ),
    influences=(Influence.METHOD, Influence.TIME, Influence.STORAGE),
    options=(
        Option("finetune", _("From a ready model"), _("Fine-tuning on your own data")),
        Option("from-scratch", _("From scratch"), _("All weights are learned anew")),
        Option(
            "continual",
            _("Regular further training"),
            _("The same model is trained again and again on new data"),
        ),
    ),
    field="strategy",
    weight=3,
)

CYCLE_EVERY: Final = Question(
    key="cycle_every",
    name=pgettext_lazy("short name of a question", "Period of the cycles"),
    kind=Kind.HOURS,
    label=_("How often is training repeated?"),
    hint=_("The period between two cycles."),
    why=_(
        "The server is sized by the heaviest cycle, with a reserve, and it has to end before the next one."
    ),
    influences=(Influence.TIME, Influence.PLATFORM),
    examples=(_("2 weeks"),),
    default_unit="d",
    limits=Limits(low=1, high=100_000),
    relevant=is_("strategy", "continual"),
    weight=2,
)

CYCLE_SHARE: Final = Question(
    key="cycle_share",
    name=pgettext_lazy("short name of a question", "Data in the heaviest cycle"),
    kind=Kind.PERCENT,
    label=_("What share of the data does each planned cycle train on?"),
    hint=_(
        "One share, or several if the cycles differ: the heaviest one counts. 100 percent if each trains on everything."
    ),
    why=_("The server is sized by the heaviest cycle, with a reserve."),
    influences=(Influence.TIME, Influence.STORAGE),
    examples=(_("20 %"), _("20 %; 35 %; 100 %")),
    default_unit="%",
    several=True,
    limits=Limits(low=0, high=100),
    relevant=is_("strategy", "continual"),
)

METHOD: Final = Question(
    key="method",
    name=pgettext_lazy("short name of a question", "Method"),
    kind=Kind.CHOICE,
    label=_("Which weights are trained?"),
    hint=_(
        "If you have not decided, answer “I do not know”: we will compare the methods on your model."
    ),
    why=_("The method moves the memory further than the choice between neighbouring GPUs does."),
    influences=(Influence.METHOD, Influence.MEMORY, Influence.TIME),
    options=(
        Option(
            "lora",
            _("LoRA adapters"),
            _("The base is frozen; the memory for it and for activations stays"),
        ),
        Option(
            "qlora",
            _("QLoRA: adapters on a quantised base"),
            _("The base takes 4 or 8 bits a weight"),
        ),
        Option("dora", _("DoRA adapters"), _("Like LoRA, with separate magnitudes")),
        Option("full", _("All weights"), _("Gradients and optimizer states for every parameter")),
        Option("freeze", _("Part of the layers"), _("The rest of the layers are frozen")),
    ),
    relevant=is_not("strategy", "from-scratch"),
    field="method",
    weight=3,
)

TRAINABLE: Final = Question(
    key="trainable_params",
    name=pgettext_lazy("short name of a question", "Trained parameters"),
    kind=Kind.COUNT,
    label=_("How many parameters are trained?"),
    hint=_("Only those that change."),
    why=_("Gradients and optimizer states are kept for these parameters only."),
    influences=(Influence.MEMORY,),
    examples=(_("500 million"),),
    unit=counted.PARAMETERS,
    limits=Limits(low=1, high=1e14, whole=True, usual_low=1e5),
    relevant=is_("method", "freeze"),
    field="recipe.trainable_params_million",
    weight=3,
)

STAGE: Final = Question(
    key="stage",
    name=pgettext_lazy("short name of a question", "Kind of training"),
    kind=Kind.CHOICE,
    label=_("What kind of training is it?"),
    hint=_("Preference methods hold a second model in memory or generate answers on the way."),
    why=_("DPO, PPO and GRPO need noticeably more memory and time than training on examples."),
    influences=(Influence.MEMORY, Influence.TIME),
    options=(
        Option(
            "sft", _("Training on examples (SFT)"), _("Question and answer, instruction and result")
        ),
        Option("pretrain", _("Pretraining on texts"), _("The next token over a large corpus")),
        Option("dpo", "DPO", _("Pairs of a better and a worse answer")),
        Option("orpo", "ORPO", _("Preferences without a reference model")),
        Option("kto", "KTO", _("Answers marked good or bad")),
        Option("rm", _("A reward model")),
        Option("ppo", "PPO", _("Reinforcement with a reward model")),
        Option("grpo", "GRPO", _("Reinforcement over groups of answers")),
    ),
    relevant=all_of(is_not("purpose", "vision"), is_not("strategy", "from-scratch")),
    field="recipe.stage",
    weight=2,
)

QUESTIONS: Final = (STRATEGY, CYCLE_EVERY, CYCLE_SHARE, METHOD, TRAINABLE, STAGE)
