"""Why a way of the catalog is worth choosing, and what the nearest others lack."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "plan.why.only": _(
        "Nothing larger that is on sale and meets everything is faster by more than its range, or makes room where this one is short of it."
    ),
    "plan.why.smallest": _("The smallest that holds the task: %(gpu_rating_kw)s of GPUs."),
    "plan.why.smallest-in-time": _(
        "The smallest that meets the deadline of %(target_hours)s: %(gpu_rating_kw)s of GPUs."
    ),
    "plan.why.fastest": _("The fastest: by the high end ×%(times)s faster than row %(row)s."),
    "plan.why.fastest-step": _(
        "The fastest by sample: by the high end ×%(times)s faster than row %(row)s; the length of the run is not known."
    ),
    "plan.why.measured": _(
        "The smallest of a kind that was measured: published runs stand behind its figures."
    ),
    "plan.why.only-measured": _(
        "The only one here of a kind that was measured: published runs stand behind its figures."
    ),
    "plan.why.faster": _("Faster than row %(row)s: ×%(times)s by the high end."),
    "plan.why.more-reserve": _(
        "More memory left free than in row %(row)s: %(free_ratio)s instead of %(other_free_ratio)s of the card."
    ),
    "plan.why.compromise": _(
        "Faster than row %(faster_than)s, ×%(times)s by the high end, and leaves more memory free than row %(roomier_than)s: %(free_ratio)s instead of %(other_free_ratio)s of the card."
    ),
    "plan.why.keeps-reserve": _(
        "Keeps the reserve of the card, which row %(row)s goes into: %(free_ratio)s free instead of %(other_free_ratio)s."
    ),
    "plan.why.whole": _("Leaves the model whole, which row %(row)s splits."),
    "plan.why.better-known": _("Nearer to what was measured than row %(row)s."),
    "plan.lack.memory": _(
        "%(missing_gib)s a GPU are missing by the high end; a card has %(capacity_gib)s."
    ),
    "plan.lack.time": _(
        "%(late_hours)s later than the deadline of %(target_hours)s by the high end."
    ),
    "plan.lack.power": _("A feed gives %(feed_kw)s, up to %(load_kw)s are needed."),
    "plan.lack.phases": _(
        "The fullest phase carries up to %(phase_amps)s, its breaker is %(breaker_amps)s: the power supplies load the phases unevenly."
    ),
    "plan.lack.cooling": _("The cooling of the site does not carry %(heat_kw)s away."),
    "plan.lack.units": _(
        "%(server)s takes %(needed_rack_units)s in a row, %(rack_units)s are free."
    ),
    "plan.lack.depth": _("%(server)s needs a depth of %(needed_mm)s, there are %(depth_mm)s."),
    "plan.lack.weight": _("%(server)s weighs up to %(needed_kg)s, %(floor_kg)s may be added."),
    "plan.lack.not-sold-legacy": _(
        "No longer sold: only %(server)s of an earlier generation takes it."
    ),
    "plan.lack.not-sold-reference": _(
        "Not on sale: in the catalog only %(server)s takes it, a reference and no offer."
    ),
    "plan.lack.not-sold-announced": _("Announced, not sold yet: %(server)s."),
    "plan.lack.not-sold-unknown": _("No server on sale takes it."),
    "plan.reason.nothing": _(
        "Nothing on sale meets memory, deadline and site at once; below is what came nearest, and what it lacks."
    ),
    "plan.reason.nothing-near": _(
        "Nothing on sale meets memory, deadline and site at once, and nothing comes near: each lacks more than a whole card, deadline or feed."
    ),
    "plan.reason.placed": _("Not worked out: the hardware is named."),
    "plan.reason.no-time": _(
        "Not worked out: the time of reinforcement with generated answers is not known."
    ),
    "plan.reason.not-asked": _("Not worked out: nobody asked."),
}
