"""Rack: power, cooling, room."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "rack.assumption.continuous-load": _(
        "The load is taken as continuous at full power: training runs for days."
    ),
    "rack.assumption.feed-reserve": _(
        "%(reserve_ratio)s of a feed is kept in reserve: a policy, not a legal rule."
    ),
    "rack.assumption.feed-planning-ratio": _(
        "Where the maker states no maximum, a node is planned at %(planning_times)s times the rated power of its GPUs."
    ),
    "rack.assumption.one-feed-carries-all": _(
        "Of the %(feed_count)s feeds each must carry the whole load alone when another one is lost."
    ),
    "rack.assumption.voltage": _("The voltage was not stated; %(volts)s is assumed."),
    "rack.warning.supplies-unknown": _(
        "The power supplies of %(server)s are not in the catalog; what happens when a feed is lost needs confirmation."
    ),
    "rack.warning.supplies-too-weak": _(
        "%(count)s power supplies of %(supply_w)s are not enough: %(needed)s are needed."
    ),
    "rack.warning.no-n-plus-n": _(
        "Of %(count)s power supplies of %(supply_w)s %(needed)s are needed: half of them does not carry everything; in reserve: %(spare)s."
    ),
    "rack.warning.slower-on-feed-loss": _(
        "When a feed is lost, %(surviving)s of %(count)s power supplies remain and %(needed)s are needed: the server survives but runs slower."
    ),
    "rack.warning.low-voltage": _(
        "The power supplies need at least %(min_volts)s, the site gives %(volts)s."
    ),
    "rack.warning.single-feed": _(
        "There is one feed: when it is lost, training stops and goes on from the last checkpoint."
    ),
    "rack.warning.no-server-in-catalog": _(
        "The catalog has no server for %(accelerator)s; the load is estimated from its rated power."
    ),
    "rack.warning.mass-by-height": _(
        "The weight of %(server)s was not found; it is estimated from its height."
    ),
    "rack.warning.needs-lift": _(
        "A node weighs %(node_kg)s: a lift is needed to put it into the rack."
    ),
    "rack.warning.inlet-temperature": _(
        "The maker allows up to %(limit_c)s °C at the inlet; for dense GPU servers %(low_c)s–%(high_c)s °C is recommended."
    ),
    "rack.warning.air-server-liquid-site": _(
        "The server is cooled by air: the liquid loop of the site does not take its heat."
    ),
    "rack.warning.no-outlet": _(
        "A power supply draws up to %(supply_amps)s, more than a C19 outlet (16 A) gives: ask for a hard-wired or larger connection."
    ),
    "rack.warning.uneven-phases": _(
        "With one feed left, the fullest phase carries %(phase_amps)s and its breaker is %(breaker_amps)s: the power supplies do not divide evenly over three phases."
    ),
    "rack.warning.full-phases": _(
        "With one feed left, every phase carries %(phase_amps)s and its breaker is %(breaker_amps)s."
    ),
    "rack.warning.cooling-not-understood": _(
        "“%(said)s” does not say how the heat leaves the rack: this server gives it off at full power for days, unlike an ordinary one."
    ),
    "rack.advice.growth-density": _(
        "After growth the rack gives off up to %(heat_kw)s, more than air carries: a rear-door heat exchanger, liquid to the chips or immersion is a subject for the designers of the room, not of this estimate."
    ),
    "rack.lift.feed": _(
        "A feed of %(required_kw)s is needed, its reserve included; with two feeds, A and B, each of that size."
    ),
    "rack.lift.each-feed": _(
        "Each of the %(feed_count)s feeds has to give %(required_kw)s, its reserve included: one carries everything when another is lost."
    ),
    "rack.lift.even-phases": _(
        "With power supplies in threes on a feed (now %(supply_count)s), or supplies that take three phases themselves, each phase would carry %(phase_amps)s."
    ),
    "rack.lift.several-circuits": _(
        "No single usual circuit carries it: %(required_kw)s are needed, split over several circuits."
    ),
    "rack.lift.circuit": _("A circuit of %(phases)s × %(amps)s, %(volts)s would carry it."),
    "rack.lift.more-racks": _("Spread over %(racks)s racks, the feeds would carry it."),
    "rack.lift.fewer-gpus": _("The feed carries the same server with %(gpus)s."),
    "rack.lift.liquid-loop": _("The server needs a liquid loop, direct to the chips."),
    "rack.lift.cooling": _(
        "For %(heat_kw)s a rack the simplest cooling that is enough: %(cooling_method)s."
    ),
    "rack.not-counted.switches": _("Power and room of network switches are not counted."),
    "rack.not-counted.room-engineering": _(
        "Detailed engineering of the server room (wiring, pipes, load of the floor at the place) is not part of the estimate."
    ),
    "rack.reason.no-accelerator": _(
        "The power is not calculated: the accelerator or its rated power is not known."
    ),
    "rack.reason.no-server": _(
        "Room and weight are not calculated: the catalog has no server for %(accelerator)s."
    ),
}
