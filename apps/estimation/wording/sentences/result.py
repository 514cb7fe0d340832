"""The result as a whole: cells without a figure, what is out of scope, how many variants."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "result.not-counted.price": _("Prices, delivery and warranty are not part of this assessment."),
    "result.not-counted.inference": _("Inference is not counted: it is sized apart."),
    "result.not-counted.software-setup": _(
        "Installing and setting up the software is not counted."
    ),
    "result.not-counted.parallel-runs": _(
        "GPUs are sized for one run at a time; for %(runs)s runs at once more of them or a queue is needed."
    ),
    "result.reason.estimator-failed": _("Not calculated: the calculation “%(estimator)s” failed."),
    "result.reason.rented": _("Not needed: the server is rented."),
    "result.reason.not-enough-known": _(
        "Not calculated: there is not enough data for “%(estimator)s”."
    ),
    "result.reason.nothing-fits": _("Not calculated: no platform of the catalog holds this task."),
    "result.reason.length-unknown": _(
        "The length of the run is not known: there are no epochs or steps with the size of the data."
    ),
    "separate.network": _(
        "The network between nodes: topology, cards and switches, by a calculation of its own."
    ),
    "separate.collectives": _(
        "Collective operations: measured between the nodes before the choice is final."
    ),
    "separate.storage": _("Shared storage: the rate that all nodes read and save at together."),
    "separate.loading": _("Loading of data by all nodes at once."),
    "separate.recovery": _(
        "Recovery: what a failed node costs, how often states are saved, who restarts the run."
    ),
    "result.variants.insufficient": _(
        "There is not enough data to name variants; the open questions come first."
    ),
    "result.variants.placement-given": _(
        "The platform is given in the task, so there is nothing to compare it with."
    ),
    "result.variants.only-one": _("Only one variant makes sense for this task."),
    "result.variants.none-fits": _("No platform of the catalog holds this task."),
    "result.variants.memory-missing": _(
        "The memory could not be estimated, so no platform can be compared."
    ),
}
