"""Where it would stand: power, cooling, room and floor of one rack."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import all_of, any_of, at_least, is_, is_not

_BREAKER: Final = is_("power_known_as", "breaker")

POWER_AS: Final = Question(
    key="power_known_as",
    name=pgettext_lazy("short name of a question", "How the power is known"),
    kind=Kind.CHOICE,
    label=_("How is the power of the rack known to you?"),
    hint=_("Power free for new equipment, not the power of the whole room."),
    why=_("A training server draws its full power for days on end: an average load is no guide."),
    influences=(Influence.RACK,),
    options=(
        Option("kilowatts", _("In kilowatts"), _("The person who runs the room gave a figure")),
        Option("breaker", _("By the breaker or the socket"), _("Amperes, phases and volts")),
    ),
    weight=2,
)

KILOWATTS: Final = Question(
    key="kw_usable",
    name=pgettext_lazy("short name of a question", "Power of one feed"),
    kind=Kind.KILOWATTS,
    label=_("How many kilowatts are free on one feed?"),
    hint=_("With two feeds each must carry everything alone, so give one of them."),
    why=_("The power of one feed decides which servers fit at all."),
    influences=(Influence.RACK, Influence.PLATFORM),
    examples=(_("5 kW"), _("7500 W")),
    default_unit="kw",
    limits=Limits(low=0.05, high=1_000_000, usual_low=0.5, usual_high=150),
    relevant=is_not("power_known_as", "breaker"),
    field="site.kw_usable",
    weight=3,
)

AMPERES: Final = Question(
    key="amps",
    name=pgettext_lazy("short name of a question", "Breaker"),
    kind=Kind.NUMBER,
    label=_("What is the rating of the breaker?"),
    hint=_("Written on it, for example C32."),
    why=_("A continuous load may take only a part of the rating."),
    influences=(Influence.RACK, Influence.PLATFORM),
    examples=(_("32 A"),),
    unit=counted.AMPERES,
    limits=Limits(low=1, high=10_000, usual_low=6, usual_high=400),
    relevant=_BREAKER,
    field="site.amps",
    weight=3,
)

PHASES: Final = Question(
    key="phases",
    name=pgettext_lazy("short name of a question", "Phases"),
    kind=Kind.CHOICE,
    label=_("How many phases?"),
    hint=_("Three-phase sockets have four or five pins."),
    why=_("Three phases carry almost three times the power at the same current."),
    influences=(Influence.RACK,),
    options=(
        Option("1", pgettext_lazy("phases", "One")),
        Option("3", pgettext_lazy("phases", "Three")),
    ),
    relevant=_BREAKER,
    field="site.phases",
    weight=2,
)

VOLTS: Final = Question(
    key="volts",
    name=pgettext_lazy("short name of a question", "Voltage"),
    kind=Kind.NUMBER,
    label=_("What is the voltage?"),
    hint=_("Between phase and neutral for one phase, between phases for three."),
    why=_("Current times voltage is the power that can be had."),
    influences=(Influence.RACK,),
    examples=(_("230 V"), _("400 V")),
    unit=counted.VOLTS,
    limits=Limits(low=12, high=1_000_000, usual_low=100, usual_high=480),
    relevant=_BREAKER,
    field="site.volts",
)

FEEDS: Final = Question(
    key="feeds",
    name=pgettext_lazy("short name of a question", "Feeds"),
    kind=Kind.CHOICE,
    label=_("How many independent feeds?"),
    hint=_("Two mean different lines, usually called A and B."),
    why=_("With two feeds the server has to survive the loss of one, on the power of the other."),
    influences=(Influence.RACK,),
    options=(
        Option("1", pgettext_lazy("feeds", "One")),
        Option("2", pgettext_lazy("feeds", "Two")),
        Option("4", pgettext_lazy("feeds", "Four")),
    ),
    field="site.feeds",
    weight=2,
)

COOLING: Final = Question(
    key="cooling",
    name=pgettext_lazy("short name of a question", "Cooling"),
    kind=Kind.CHOICE,
    label=_("How is the rack cooled?"),
    hint=_("What is there now, not what is planned."),
    why=_(
        "All the power of the server becomes heat; each way of cooling carries only so much from one rack."
    ),
    influences=(Influence.RACK, Influence.PLATFORM),
    options=(
        Option("air", _("By the air of the room")),
        Option("rear-door", _("A heat exchanger in the rear door (RDHx)")),
        Option("liquid", _("Liquid to the chips")),
        Option("immersion", _("Immersion")),
    ),
    field="site.cooling",
    weight=2,
)

HEIGHT: Final = Question(
    key="rack_units",
    name=pgettext_lazy("short name of a question", "Free rack units"),
    kind=Kind.NUMBER,
    label=_("How many rack units are free in a row?"),
    hint=_("1U is 44.45 mm; servers with eight GPUs take from 4U to 10U."),
    why=_("The server has to fit, with room for growth."),
    influences=(Influence.RACK, Influence.PLATFORM),
    examples=("12U",),
    unit=counted.RACK_UNITS,
    limits=Limits(low=1, high=100, whole=True, usual_high=54),
    field="site.rack_units",
    weight=2,
)

DEPTH: Final = Question(
    key="depth_mm",
    name=pgettext_lazy("short name of a question", "Depth of the rack"),
    kind=Kind.MILLIMETRES,
    label=_("How deep is the rack?"),
    hint=_("The depth usable for equipment, from rail to rear door."),
    why=_("Servers with accelerators are often 800–1000 mm long and need room for cables behind."),
    influences=(Influence.RACK,),
    examples=(_("1000 mm"), _("1.2 m")),
    default_unit="mm",
    limits=Limits(low=50, high=10_000, usual_low=400, usual_high=1600),
    field="site.depth_mm",
)

FLOOR: Final = Question(
    key="floor_kg",
    name=pgettext_lazy("short name of a question", "Weight allowed"),
    kind=Kind.KILOGRAMS,
    label=_("What weight may be added to the rack?"),
    hint=_("What the rack and the floor under it allow beyond what already stands there."),
    why=_("A server with eight GPUs weighs over a hundred kilograms."),
    influences=(Influence.RACK,),
    examples=(_("300 kg"),),
    default_unit="kg",
    limits=Limits(low=1, high=1_000_000, usual_low=20, usual_high=3000),
    field="site.floor_kg",
)

AGREED: Final = Question(
    key="site_agreed",
    name=pgettext_lazy("short name of a question", "Agreed with the site"),
    kind=Kind.MULTI,
    label=_("What have the people who run the room already agreed to?"),
    hint=_("Choose what has been said yes to for this very server; leave the rest."),
    why=_("A platform is final only when power, cooling, network and service access are agreed."),
    influences=(Influence.RACK, Influence.REVIEW),
    options=(
        Option("power", pgettext_lazy("agreed", "Power: the feeds and their breakers")),
        Option("cooling", pgettext_lazy("agreed", "Cooling: the heat of the rack")),
        Option("network", pgettext_lazy("agreed", "Network: ports, addresses, cables")),
        Option("access", pgettext_lazy("agreed", "Service access: who may work at the rack")),
    ),
)

NETWORK: Final = Question(
    key="node_network",
    name=pgettext_lazy("short name of a question", "Network between servers"),
    kind=Kind.CHOICE,
    label=_("What network joins the servers?"),
    hint=_("Of one server, in gigabits a second; what is there or already planned."),
    why=_(
        "A model of this size often takes several servers: they exchange data at every step, and a slow network makes all of them wait."
    ),
    influences=(Influence.LINK, Influence.TIME),
    options=(
        Option("none", _("There is none yet"), _("We will take what is usual for training")),
        Option("1x25G", _("Up to 25 Gbit/s"), _("An ordinary network of a server room")),
        Option("1x100G", _("100 Gbit/s")),
        Option("1x200G", _("200 Gbit/s")),
        Option("1x400G", _("400 Gbit/s")),
        Option("8x400G", _("400 Gbit/s for each GPU"), _("InfiniBand or RoCE built for training")),
    ),
    relevant=any_of(
        at_least("params", 1e11), all_of(is_("strategy", "from-scratch"), at_least("params", 1e10))
    ),
    field="placement.inter_node_link",
    weight=2,
)

POWER: Final = (POWER_AS, KILOWATTS, AMPERES, PHASES, VOLTS, FEEDS)
ROOM: Final = (COOLING, HEIGHT, DEPTH, FLOOR, AGREED)
BETWEEN: Final = (NETWORK,)
