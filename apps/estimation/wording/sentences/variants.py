"""What a variant rests on, what it risks and when to choose it."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "variant.saving.activation-checkpointing": _(
        "Recompute activations in full: less memory, a longer step."
    ),
    "variant.saving.accumulation": _(
        "One sample a pass of a GPU, %(grad_accumulation)s accumulated passes: the batch stays the same."
    ),
    "variant.saving.fused-loss": _("Use a fused cross-entropy: the logits are not kept in memory."),
    "variant.risk.memory-tight": _(
        "The high end of the memory, %(high_gib)s of %(capacity_gib)s, goes into the reserve."
    ),
    "variant.risk.memory-risk": _(
        "The high end of the memory, %(high_gib)s, is above the %(capacity_gib)s of the card."
    ),
    "variant.risk.memory-does-not-fit": _(
        "The typical figure of the memory is above the %(capacity_gib)s of the card."
    ),
    "variant.risk.deadline": _(
        "The run may take %(high_hours)s, the deadline is %(target_hours)s."
    ),
    "variant.risk.exchange": _(
        "%(share_ratio)s of a step is exchange that nothing hides: measure it in the pilot."
    ),
    "variant.risk.data-feed": _(
        "%(share_ratio)s of a step waits for data: prepare the data or speed up its volume."
    ),
    "variant.risk.not-measured": _(
        "There are no measured runs of this kind on %(accelerator)s: the range is wider."
    ),
    "variant.risk.rented-differs": _(
        "A rented node may differ in links, drives and clocks: ask the landlord."
    ),
    "variant.risk.network": _(
        "With %(nodes)s the network between them decides; it is a subject of its own."
    ),
    "variant.risk.low-precision": _(
        "The quality of training in %(value)s has to be checked on your own data."
    ),
    "variant.risk.adapter-quality": _(
        "The savings of %(value)s do not replace a check of quality on held-out data."
    ),
    "variant.risk.savings-cost-time": _("The savings in memory make the step longer."),
    "variant.risk.power": _(
        "The feed lacks %(missing_kw)s; one of %(required_kw)s would be needed."
    ),
    "variant.risk.phases": _(
        "The fullest phase of the feed carries up to %(phase_amps)s, its breaker is %(breaker_amps)s: spread the power supplies evenly over the phases or take a larger breaker."
    ),
    "variant.risk.cooling": _("The cooling of the site does not carry %(heat_kw)s away."),
    "variant.risk.growth-power": _(
        "Growing to %(gpus)s needs up to %(load_kw)s on a feed, more than there is."
    ),
    "variant.risk.units": _("There are not enough free rack units in a row for %(server)s."),
    "variant.risk.depth": _("The rack may be too shallow for %(server)s."),
    "variant.risk.weight": _("%(server)s may be heavier than what may be added to the rack."),
    "variant.risk.drive-bays": _(
        "%(server)s has fewer drive bays than the data and the checkpoints need."
    ),
    "variant.risk.no-free-slots": _(
        "There are no free places for more GPUs, while the planned use is: %(value)s."
    ),
    "variant.risk.no-reserve": _(
        "Sized to fit: with the use planned for %(value)s any growth in 12–18 months means replacing it, which is usually uneconomic."
    ),
    "variant.risk.no-growth-planned": _(
        "No growth is planned for %(value)s: a server sized to today's task becomes tight in about a year."
    ),
    "variant.risk.floor": _(
        "%(gpus)s is a floor by memory: without the length of the run nobody can say whether it is enough in time."
    ),
    "variant.growth.rented": _("Prolong the rent, or take a larger node."),
    "variant.growth.unknown": _("Not known: the catalog has no server for %(accelerator)s."),
    "variant.growth.places": _(
        "GPUs can be added without changing the chassis: free places in %(server)s: %(free_gpus)s."
    ),
    "variant.growth.board": _(
        "GPUs cannot be added: in %(server)s the board comes whole, %(gpus)s of %(gpus)s are in place. It grows by one more node."
    ),
    "variant.growth.full": _(
        "GPUs cannot be added: all places of %(server)s are taken. It grows by one more node."
    ),
    "variant.when.pilot": _("Now: rent %(gpus)s, measure the step and the memory, then decide."),
    "variant.when.longer-deadline": _("If a run may take %(deadline_hours)s."),
    "variant.when.minimal": _("If the task stays as it is and room to grow is not needed."),
    "variant.when.minimal-with-room": _(
        "If the task stays as it is for now; free places for GPUs: %(free_slots)s."
    ),
    "variant.when.comfortable": _(
        "If experiments go on: there is memory in reserve; free places for GPUs: %(free_slots)s."
    ),
    "variant.when.more-power": _("If the site gives a feed of %(required_kw)s."),
    "variant.when.stronger-phase": _(
        "If the site gives %(phase_amps)s on a phase, or the power supplies load the phases evenly."
    ),
    "variant.when.several-nodes": _("If one node is not enough: %(nodes)s and a network."),
    "variant.when.faster": _("If the answer is needed sooner than the comfortable node gives it."),
    "variant.when.given": _("This is the platform that the task names."),
}
