"""How long it will serve, and how the load will grow."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import LONG_TEXT, Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import is_, is_not

USE: Final = Question(
    key="use",
    name=pgettext_lazy("short name of a question", "Term of use"),
    kind=Kind.CHOICE,
    label=_("How long do you need the server?"),
    hint=_("One project, or a platform for several years."),
    why=_(
        "For one project a rent is often enough; for years a reserve of slots and power matters."
    ),
    influences=(Influence.PLATFORM, Influence.RACK),
    options=(
        Option("one-off", _("For one project")),
        Option("1-2y", _("For one or two years")),
        Option("3-5y", _("For three to five years")),
    ),
    field="horizon.use",
    weight=2,
)

GROWTH: Final = Question(
    key="growth",
    name=pgettext_lazy("short name of a question", "Growth of the load"),
    kind=Kind.NUMBER,
    label=_("How many times will the load grow in that time?"),
    hint=_("1 if it will not grow; 2 if the models or the runs will double."),
    why=_(
        "A server chosen without a reserve becomes tight within a year, and replacing it so soon rarely pays."
    ),
    influences=(Influence.PLATFORM, Influence.RACK, Influence.STORAGE),
    examples=(_("1.5"), "2"),
    unit=counted.TIMES,
    limits=Limits(low=0.01, high=10_000, usual_low=1, usual_high=20),
    relevant=is_not("use", "one-off"),
    field="horizon.growth",
    weight=2,
)

SCENARIOS: Final = Question(
    key="future_scenarios",
    name=pgettext_lazy("short name of a question", "Plans for two years"),
    kind=Kind.LONG,
    label=_("What new tasks are planned for the next two years?"),
    hint=_("Larger models, longer texts, other kinds of data."),
    why=_("The engineer holds the growth that you state above against these plans."),
    influences=(Influence.REVIEW,),
    examples=(_("In a year: the same task on a 32 B model, texts of 16 000 tokens"),),
    length=LONG_TEXT,
    relevant=is_not("use", "one-off"),
    optional=True,
)

SHARING: Final = Question(
    key="sharing",
    name=pgettext_lazy("short name of a question", "Who uses it"),
    kind=Kind.CHOICE,
    label=_("Who will use the server?"),
    hint=_("Whether trainings of different people meet on it."),
    why=_("A shared server needs more memory in the host, a queue and separation of data."),
    influences=(Influence.HOST, Influence.STORAGE),
    options=(
        Option("team", _("One team")),
        Option("shared", _("Several teams of the company")),
        Option("service", _("Outside customers, as a service")),
    ),
    field="horizon.sharing",
)

TEAMS: Final = Question(
    key="teams",
    name=pgettext_lazy("short name of a question", "Teams"),
    kind=Kind.NUMBER,
    label=_("How many teams?"),
    hint=_("That train on it, not that use the finished model."),
    why=_("The engineer sees from it whether the stated number of runs at once is enough."),
    influences=(Influence.REVIEW,),
    examples=("3",),
    unit=counted.TEAMS,
    limits=Limits(low=1, high=10_000, whole=True),
    relevant=is_("sharing", "shared", "service"),
)

ISOLATION: Final = Question(
    key="isolation",
    name=pgettext_lazy("short name of a question", "Isolation and availability"),
    kind=Kind.LONG,
    label=_("What separation and what availability do the customers need?"),
    hint=_("Data of different customers, limits of use, hours of service."),
    why=_("Outside customers make demands on isolation and recovery that one team does not have."),
    influences=(Influence.HOST, Influence.STORAGE, Influence.REVIEW),
    examples=(_("Separate volumes for each customer, recovery within 4 hours"),),
    length=LONG_TEXT,
    relevant=is_("sharing", "service"),
)

BUSY: Final = Question(
    key="busy_share",
    name=pgettext_lazy("short name of a question", "Share of busy time"),
    kind=Kind.PERCENT,
    label=_("What share of the time will the GPUs be busy?"),
    hint=_("On average over a quarter; an honest guess is fine."),
    why=_(
        "It shows from what load buying makes more sense than renting. Power is counted for full load in any case."
    ),
    influences=(Influence.PLATFORM,),
    examples=(_("40 %"),),
    default_unit="%",
    limits=Limits(low=0, high=100),
    optional=True,
)

QUESTIONS: Final = (USE, GROWTH, SCENARIOS, SHARING, TEAMS, ISOLATION, BUSY)
