"""Power supplies: what scheme carries the load, what a lost supply or feed leaves, what outlets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from apps.sizing.ranges import Range

AfterLoss = Literal["full-speed", "slower", "stops"]
# Phase voltage of a 400 V network, where the site does not say.
_USUAL_VOLTS: Final = 230.0
# A voltage from this on is that between phases.
_LINE_VOLTS_FROM: Final = 300.0
_PHASES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PsuScheme:
    """How the power supplies of one node stand to its load.

    `needed` supplies carry the highest load (or the maker says so), `spare` are left. `n_plus_n`
    tells whether half of them carry everything. `surviving` supplies stay alive after the loss of
    a feed; None where the number of feeds is not known.
    """

    count: int
    watts: float
    needed: int
    spare: int
    n_plus_n: bool
    surviving: int | None

    @property
    def carries_load(self) -> bool:
        return self.spare >= 0

    @property
    def full_speed_on_feed_loss(self) -> bool | None:
        """None where there is no second feed, or nobody has said."""
        return None if not self.surviving else self.surviving >= self.needed

    @property
    def on_supply_loss(self) -> AfterLoss:
        if self.count == 1:
            return "stops"
        return "full-speed" if self.spare >= 1 else "slower"

    @property
    def on_feed_loss(self) -> AfterLoss | None:
        if self.surviving is None:
            return None
        if self.surviving == 0:
            return "stops"
        return "full-speed" if self.surviving >= self.needed else "slower"


def psu_scheme(
    count: int, watts: float, output_peak_w: Range, *, maker_needs: int | None, feeds: int | None
) -> PsuScheme:
    """Judge `count` supplies of `watts` against the load they put out.

    The supplies are split over the feeds as evenly as possible; the feed with the most of them is
    the one lost. The maker's own minimum for full speed (`maker_needs`) wins where it asks for
    more than the arithmetic.
    """
    by_load = math.ceil(output_peak_w.high / watts)
    needed = max(by_load, maker_needs or 0)
    return PsuScheme(
        count=count,
        watts=watts,
        needed=needed,
        spare=count - needed,
        n_plus_n=2 * needed <= count,
        surviving=None if feeds is None else count - math.ceil(count / feeds),
    )


def phase_volts(volts: float | None) -> float:
    """Volts between a phase and neutral, out of what a site states."""
    if volts is None:
        return _USUAL_VOLTS
    return volts / math.sqrt(_PHASES) if volts >= _LINE_VOLTS_FROM else volts


def supply_amps(watts: float, volts: float, efficiency: float) -> float:
    """Current that one supply draws at its full rating, A."""
    return watts / efficiency / volts


def outlet_for(amps: float, constants: Mapping[str, Range]) -> str | None:
    """The smallest IEC outlet for `amps`; None where even C19 is too small."""
    for outlet, key in (("C13", "power.iec_c13_rating"), ("C19", "power.iec_c19_rating")):
        if amps <= constants[key].typical:
            return outlet
    return None


def fullest_phase_amps(load_w: float, supplies: int, volts: float, power_factor: float) -> float:
    """Current of the fullest phase when `supplies` that share `load_w` stand on three phases, A.

    A supply hangs on one phase: six are two a phase, two leave a phase empty.
    """
    on_one_phase = math.ceil(supplies / _PHASES)
    return load_w * on_one_phase / supplies / (volts * power_factor)
