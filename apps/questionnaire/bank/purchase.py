"""How the server is to be had: bought, rented, or not decided yet. No prices of ours."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire.question import Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import is_, is_not

ACQUISITION: Final = Question(
    key="acquisition",
    name=pgettext_lazy("short name of a question", "Rent or purchase"),
    kind=Kind.CHOICE,
    label=_("Do you want to buy or to rent?"),
    hint=_("If it is not decided, we will compare the ways by your load."),
    why=_(
        "A rent lets you measure the step before buying; for your own server the rack comes first."
    ),
    influences=(Influence.PLATFORM, Influence.RACK),
    options=(
        Option("rent", _("Rent"), _("A server or a cloud, by the month or by the hour")),
        Option("buy", _("Buy")),
        Option("hybrid", _("Rent first, then buy")),
        Option("undecided", _("Not decided")),
    ),
    weight=2,
)

PERIOD: Final = Question(
    key="rent_period",
    name=pgettext_lazy("short name of a question", "Period of the rent"),
    kind=Kind.HOURS,
    label=_("For how long do you rent?"),
    hint=_("Days, weeks or months."),
    why=_("The period has to hold the experiments, the final run and the checks."),
    influences=(Influence.PLATFORM, Influence.TIME),
    examples=(_("1 month"), _("2 weeks")),
    default_unit="мес",
    limits=Limits(low=1, high=100_000, usual_low=24),
    relevant=is_("acquisition", "rent", "hybrid"),
)

OWN_RACK: Final = Question(
    key="own_rack",
    name=pgettext_lazy("short name of a question", "Own rack as an alternative"),
    kind=Kind.BOOLEAN,
    label=_("Consider your own rack as an alternative?"),
    hint=_("Even a small one: we will check whether a suitable server fits there."),
    why=_(
        "If there is a rack, we will say beside the rent what would fit into it and what is in the way."
    ),
    influences=(Influence.RACK, Influence.PLATFORM),
    relevant=is_("acquisition", "rent"),
)

DATA_LEAVES: Final = Question(
    key="data_may_leave",
    name=pgettext_lazy("short name of a question", "Data may leave the site"),
    kind=Kind.BOOLEAN,
    label=_("May the data leave your site?"),
    hint=_("Personal data, secrets, contracts with the owners."),
    why=_("If it may not, renting elsewhere is out, whatever it costs."),
    influences=(Influence.PLATFORM,),
    relevant=is_not("acquisition", "buy"),
    weight=2,
)

DATE: Final = Question(
    key="wanted_date",
    name=pgettext_lazy("short name of a question", "Wanted date"),
    kind=Kind.DATE,
    label=_("By what date do you need it?"),
    hint=_("The day training should begin."),
    why=_(
        "Delivery and preparing the rack take months, a rent takes days: the date narrows the ways."
    ),
    influences=(Influence.PLATFORM,),
    examples=("15.12.2026",),
    optional=True,
)

BUDGET: Final = Question(
    key="budget",
    name=pgettext_lazy("short name of a question", "Budget"),
    kind=Kind.MONEY,
    label=_("What budget do you have in mind?"),
    hint=_("In your own words; you may write “we do not disclose it”."),
    why=_("We name no prices; the budget shows the engineer which variants not to offer."),
    influences=(Influence.PLATFORM,),
    examples=(_("Up to 600 thousand roubles for the month, VAT included"),),
    optional=True,
)

SKU: Final = Question(
    key="sku",
    name=pgettext_lazy("short name of a question", "Part number or offer"),
    kind=Kind.TEXT,
    label=_("Is there a part number or an offer you are considering?"),
    hint=_("A part number, a list of components, or the name from the offer."),
    why=_("We will check whether it fits the task and whether the parts go together."),
    influences=(Influence.PLATFORM,),
    examples=("SYS-821GE-TNHR",),
    optional=True,
)

WISH: Final = Question(
    key="hardware_wish",
    name=pgettext_lazy("short name of a question", "Hardware you have in mind"),
    kind=Kind.TEXT,
    label=_("Is there hardware you would like us to look at?"),
    hint=_("In your own words. It is a wish: we compare it with what the task needs."),
    why=_(
        "A card named in advance is no choice yet: one name may stand for cards of different links."
    ),
    influences=(Influence.PLATFORM, Influence.REVIEW),
    examples=(_("8 × H200, SXM or NVL not decided"),),
    material=False,
    optional=True,
)

MEASURED: Final = Question(
    key="measured_step",
    name=pgettext_lazy("short name of a question", "Measured step time"),
    kind=Kind.BOOLEAN,
    label=_("Do you want a measured step time?"),
    hint=_("A short run of your recipe on a rented or lent server, after warm-up."),
    why=_("A calculation gives a range; a measured step narrows it more than anything else does."),
    influences=(Influence.TIME, Influence.PLATFORM),
)

QUESTIONS: Final = (
    ACQUISITION,
    PERIOD,
    OWN_RACK,
    DATA_LEAVES,
    DATE,
    BUDGET,
    SKU,
    WISH,
    MEASURED,
)
