"""Words of the register of risks: what happens, what it leads to, what is done, by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Words:
    name: Promise
    effect: Promise
    mitigation: Promise
    owner: str


OWNERS: Final[dict[str, Promise]] = {
    "client": pgettext_lazy("owner of a risk", "client"),
    "engineer": pgettext_lazy("owner of a risk", "engineer of the assessment"),
    "supplier": pgettext_lazy("owner of a risk", "supplier"),
    "landlord": pgettext_lazy("owner of a risk", "landlord"),
    "site": pgettext_lazy("owner of a risk", "keeper of the site"),
}

# The gravest first: what stops the training, what stops the server, what spoils the figures.
WORDS: Final[dict[str, Words]] = {
    "memory": Words(
        _("Out of memory in training"),
        _("The run stops at its peak, often on the longest sample."),
        _("Measure the peak in the pilot; keep recomputation and a micro-batch of one at hand."),
        "client",
    ),
    "power": Words(
        _("The feed does not carry the server"),
        _("The breaker trips under full load, or the server may not be switched on."),
        _("Agree a feed of the needed power before the order, or take the variant that fits."),
        "site",
    ),
    "cooling": Words(
        _("The heat is not carried away"),
        _("The GPUs lower their clocks: the run takes longer than estimated."),
        _("Agree the cooling of the rack for days of full load before the order."),
        "site",
    ),
    "place": Words(
        _("The server does not stand in the rack"),
        _("A delivered server cannot be mounted."),
        _("Measure the free units, the depth and the load allowed; confirm with the datasheet."),
        "site",
    ),
    "deadline": Words(
        _("The deadline is missed"),
        _("The result comes later than it is needed, or a run is cut short."),
        _("Measure a step first; then shorten the run, move the day or take more GPUs."),
        "client",
    ),
    "network": Words(
        _("The network between nodes is the limit"),
        _("Nodes wait for each other: more hardware brings less than its share."),
        _("Order a design of the network and test collective operations before the purchase."),
        "supplier",
    ),
    "drives": Words(
        _("There is no room for data or checkpoints"),
        _("Training stops when the volume is full; there is nothing to resume from."),
        _("Keep data and checkpoints on separate volumes; size both by the section on storage."),
        "client",
    ),
    "data-feed": Words(
        _("GPUs wait for data"),
        _("More GPUs do not make the run shorter."),
        _("Prepare the data beforehand or speed up the volume first; then count GPUs."),
        "client",
    ),
    "exchange": Words(
        _("Exchange takes a large part of a step"),
        _("Eight GPUs may give little more than four."),
        _("Measure the step on 1, 2, 4 and 8 GPUs; choose the link by what is measured."),
        "engineer",
    ),
    "part-number": Words(
        _("The configuration is not the one assumed"),
        _("Links, power supplies or places for cards differ from those in the calculation."),
        _("Get a written composition by part number before the order."),
        "supplier",
    ),
    "held-out": Words(
        _("The gain cannot be shown"),
        _("Hardware is bought for a model that is no better than a ready one."),
        _("Set data aside before the training; buy more only after a gain on them."),
        "client",
    ),
    "questions": Words(
        _("A purchase before the recipe is known"),
        _("The configuration is chosen anew after the first run."),
        _("Close the critical questions first: see the section on open questions."),
        "client",
    ),
    "floor": Words(
        _("The number of GPUs is a floor by memory"),
        _("It may not be enough in time."),
        _("Name the length of a run and the deadline, or measure a step."),
        "client",
    ),
    "quality": Words(
        _("Saving memory costs quality"),
        _("The model is worse on real data than on the training set."),
        _("Compare with the full method on held-out data in the pilot."),
        "client",
    ),
    "series": Words(
        _("The series of runs has no end"),
        _("GPU-hours are used up before there is a final run."),
        _("Name a cap of GPU-hours and two criteria for stopping."),
        "client",
    ),
    "rented-differs": Words(
        _("The rented node differs from the one assumed"),
        _("What is measured there does not carry over."),
        _("Ask for the links, the drives and the clocks in writing; put them into the protocol."),
        "landlord",
    ),
    "not-measured": Words(
        _("The estimate was not checked by a run of this kind"),
        _("The true figure may lie near the edge of the range."),
        _("A pilot of a day with the fixed protocol; the ranges are narrowed by it."),
        "engineer",
    ),
    "growth": Words(
        _("There is no room to grow"),
        _("The next task needs another server or another feed."),
        _("Decide now whether to leave places and power, or to grow by nodes."),
        "client",
    ),
}
