"""Power supplies: what scheme carries the load, and what is left when a feed is lost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from apps.sizing.ranges import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class PsuScheme:
    """How the power supplies of one node stand to its load.

    `needed` supplies carry the highest load (or the maker says so), `spare` are left. `n_plus_n`
    tells whether half of them carry everything. With two or more feeds `surviving` supplies stay
    alive after the loss of one and `full_speed_on_feed_loss` tells whether that is enough; None
    where there is nothing to lose or something is not known.
    """

    count: int
    watts: float
    needed: int
    spare: int
    n_plus_n: bool
    surviving: int | None
    full_speed_on_feed_loss: bool | None

    @property
    def carries_load(self) -> bool:
        return self.spare >= 0


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
    surviving = None if feeds is None or feeds < 2 else count - math.ceil(count / feeds)
    return PsuScheme(
        count=count,
        watts=watts,
        needed=needed,
        spare=count - needed,
        n_plus_n=2 * needed <= count,
        surviving=surviving,
        full_speed_on_feed_loss=None if surviving is None else surviving >= needed,
    )
