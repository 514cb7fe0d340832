"""The one rule that turns a figure and a limit into a verdict.

Every resource is judged alike: against its capacity less a reserve, by the high end of the range.
The words are stable codes; the layer above may say them in the resource's own terms (a deadline
is met, a feed carries the load) but may not change which one applies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from apps.sizing.ranges import Range

Verdict: TypeAlias = Literal["fits", "tight", "risk", "does-not-fit", "unknown"]

# Best first. `unknown` stands apart: it is neither better nor worse than a verdict.
VERDICTS: Final[tuple[Verdict, ...]] = ("fits", "tight", "risk", "does-not-fit", "unknown")

# The high end stays within the capacity: it can be built.
HOLDS: Final[frozenset[Verdict]] = frozenset({"fits", "tight"})

# Reserves as a share of the capacity (design rule): a card is never filled to the last tenth, a
# deadline has no reserve of its own. That of a feed is a policy, a row of the catalog.
MEMORY_RESERVE_RATIO: Final = 0.10
DEADLINE_RESERVE_RATIO: Final = 0.0


def verdict(need: Range | None, capacity: float | None, reserve_ratio: float = 0.0) -> Verdict:
    """Judge `need` against `capacity`, both in the same unit.

    `fits`: the high end stays within the capacity less its reserve. `tight`: it eats into the
    reserve. `risk`: the typical figure fits, the high end does not. `does-not-fit`: not even the
    typical figure fits. `unknown`: the need or the capacity is not known.

    Raises:
        ValueError: the reserve is not a share in [0, 1).
    """
    if not 0 <= reserve_ratio < 1:
        raise ValueError(f"a reserve is a share below one, not {reserve_ratio}")
    if need is None or capacity is None:
        return "unknown"
    if need.high <= capacity * (1 - reserve_ratio):
        return "fits"
    if need.high <= capacity:
        return "tight"
    return "risk" if need.typical <= capacity else "does-not-fit"


def memory_verdict(device_gib: Range | None, usable_gib: float | None) -> Verdict:
    """Judge the memory of one GPU; 10 % of the card is kept free."""
    return verdict(device_gib, usable_gib, MEMORY_RESERVE_RATIO)


def feed_verdict(load_kw: Range | None, feed_kw: float | None, reserve_ratio: float) -> Verdict:
    """Judge the whole load against one feed, of which `reserve_ratio` is kept free."""
    return verdict(load_kw, feed_kw, reserve_ratio)


def deadline_verdict(
    hours: Range | None, target_hours: float | None, *, wished: bool = False
) -> Verdict:
    """Judge a duration against the time given for it; no reserve. A limit by its high end, what is
    only `wished` for by its typical figure."""
    found = verdict(hours, target_hours, DEADLINE_RESERVE_RATIO)
    return "tight" if wished and found == "risk" else found


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a whole from those of its parts.

    What certainly fails decides at once; otherwise one unknown part leaves the whole unknown.
    An empty whole is unknown.
    """
    found = set(verdicts)
    if not found:
        return "unknown"
    if "does-not-fit" in found:
        return "does-not-fit"
    if "unknown" in found:
        return "unknown"
    return max(found, key=VERDICTS.index)
