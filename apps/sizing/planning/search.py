"""The sweep over all ways from the smallest up: who is better than every smaller one shown.

A way stays when by its own high end it is faster than the typical time of each smaller one that
stays, or takes less memory than its typical figure where that one leaves less than a third of the
card free. So no way that stays is beaten by any other
in size, time, memory and evidence at once, and those that the ranges cannot tell apart are
shown as the smallest of them, on one hardware as the simplest. A way of a kind that was measured yields to measured ones only,
and one that leaves the model whole to those that do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from apps.sizing.planning.judging import (
    MEASURED_KIND,
    Judged,
    Question,
    Stand,
    Way,
    held,
    judged,
    stand_of,
    timed,
    ways_on,
)
from apps.sizing.planning.ways import Hardware, hardware_on_sale
from apps.sizing.timing.workload import run_length
from apps.sizing.verdicts import MEMORY_RESERVE_RATIO

# So much of the card free by the high end is room for a longer sequence or a larger batch: more
# of it is no reason for larger hardware or for cutting the states. A choice of ours.
AMPLE_FREE_RATIO: Final = 1 / 3


@dataclass(slots=True)
class Counts:
    """Ways by the stage that they left at; `worse` are no better than a smaller one shown."""

    ways: int = 0
    by_states: int = 0
    by_memory: int = 0
    by_time: int = 0
    by_site: int = 0
    worse: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A way that lacks something; `score` sums what its typical figures lack, relative."""

    way: Way
    stand: Stand
    score: float

    @property
    def rank(self) -> tuple[object, ...]:
        """The nearest first."""
        way = self.way
        return self.score, way.share, way.hardware.size, way.platform.key, way.order


@dataclass(slots=True)
class Search:
    """What the sweep found; `hardware` is everything it looked at."""

    question: Question
    hardware: list[Hardware] = field(default_factory=list)
    front: list[Judged] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    # Ways passed over by their typical figures, by card: whether they hold is not known yet.
    passed: dict[str, list[tuple[Way, Stand]]] = field(default_factory=dict)
    enough_nodes: dict[str, int] = field(default_factory=dict)

    def sweep(self) -> None:
        self.hardware = hardware_on_sale(self.question.task, self.question.catalog)
        for _size, group in groupby(self.hardware, key=lambda h: h.size):
            fresh = [found for hardware in group for found in self._holding(hardware)]
            for found in sorted(fresh, key=_best_first):
                self._enter(found)

    def _enter(self, found: Judged) -> None:
        for shown in self.front:
            if covers(shown, found.way, found.pace.high, found.share.high):
                shown.alike.append(found.way)
                self.counts.worse += 1
                return
        self.front.append(found)

    def _holding(self, hardware: Hardware) -> list[Judged]:
        """The ways on one hardware that meet everything and are not passed over."""
        if self._settled(hardware):
            return []
        stand = stand_of(hardware, self.question)
        missed: list[Miss] = []
        passed: list[Way] = []
        ways = ways_on(hardware, stand, self.question)
        fresh = self._screened(ways, stand, missed, passed)
        holding = self._whole(fresh, stand, missed, passed)
        whole = any(not found.way.splits for found in holding)
        if not whole and self.question.savings and stand.carried:
            holding += self._saving(hardware, stand, missed, passed, whole=bool(holding))
        card = hardware.card.id
        if holding:
            self.enough_nodes.setdefault(card, hardware.nodes)
        self.passed.setdefault(card, []).extend((way, stand) for way in passed)
        if missed and not holding and not passed:
            self.misses.append(_told(missed))
        return self._simplest(holding)

    def _simplest(self, holding: list[Judged]) -> list[Judged]:
        """On one hardware, without the layouts that are no better than a simpler one."""
        kept: list[Judged] = []
        for found in sorted(holding, key=lambda f: (bool(f.way.savings), f.way.order)):
            if any(covers(one, found.way, found.pace.high, found.share.high) for one in kept):
                self.counts.worse += 1
            else:
                kept.append(found)
        return kept

    def _saving(
        self,
        hardware: Hardware,
        stand: Stand,
        missed: list[Miss],
        passed: list[Way],
        *,
        whole: bool,
    ) -> list[Judged]:
        """The same with the savings, where the recipe as it is does not hold.

        `whole`: it does with the model split, and only ways that leave it whole are looked for.
        """
        ways = ways_on(hardware, stand, self.question, saving=True)
        thrifty: list[Way] = []
        wanted = [way for way in ways if not (whole and way.splits)]
        fresh = self._screened(wanted, stand, missed, thrifty)
        plain = [way for way in passed if not way.splits]
        if fresh and any(judged(way, stand, self.question).meets_all for way in plain):
            return []
        passed.extend(thrifty)
        return self._whole(fresh, stand, missed, passed)

    def _screened(
        self, ways: Iterable[Way], stand: Stand, missed: list[Miss], passed: list[Way]
    ) -> list[Way]:
        """The ways whose typical figures meet everything and are worth a range."""
        fresh = []
        for way in ways:
            self.counts.ways += 1
            miss = self.missed(way, stand)
            if miss is not None:
                missed.append(miss)
            elif self._passed_over(way, way.share):
                passed.append(way)
            else:
                fresh.append(way)
        return fresh

    def _whole(
        self, ways: Iterable[Way], stand: Stand, missed: list[Miss], passed: list[Way]
    ) -> list[Judged]:
        """The ways that meet everything by the high ends too; memory, the cheaper one, first."""
        holding = []
        for way in ways:
            found = held(way, stand, self.question)
            if not found.holds:
                self.counts.by_memory += 1
                missed.append(Miss(way=way, stand=stand, score=0.0))
                continue
            if self._passed_over(way, found.share.high):
                passed.append(way)
                continue
            found = timed(found, self.question)
            if found.meets_all:
                holding.append(found)
            else:
                self.counts.by_time += 1
                missed.append(Miss(way=way, stand=stand, score=0.0))
        return holding

    def missed(self, way: Way, stand: Stand) -> Miss | None:
        """What a way lacks already by what is known without ranges."""
        large = max(0.0, way.share - 1.0)
        late = lateness(way.pace, way, self.question)
        if way.by_states:
            self.counts.by_states += 1
        elif large > 0:
            self.counts.by_memory += 1
        elif late > 0:
            self.counts.by_time += 1
        elif not stand.carried:
            self.counts.by_site += 1
        else:
            return None
        return Miss(way=way, stand=stand, score=large + late + stand.shortage)

    def _passed_over(self, way: Way, share: float) -> bool:
        """Not even the least it may take is better than what a smaller one shown takes."""
        for shown in self.front:
            if covers(shown, way, way.pace, share):
                shown.alike.append(way)
                self.counts.worse += 1
                return True
        return False

    def _settled(self, hardware: Hardware) -> bool:
        """Whether fewer nodes of the same card meet everything: more are not looked at."""
        card = hardware.card.id
        if hardware.nodes == 1:
            return False
        if card not in self.enough_nodes:
            for way, stand in self.passed.pop(card, []):
                if judged(way, stand, self.question).meets_all:
                    self.enough_nodes[card] = way.hardware.nodes
                    break
        return self.enough_nodes.get(card, math.inf) < hardware.nodes


def _told(missed: list[Miss]) -> Miss:
    """Of what misses on one hardware: the recipe as it is where its memory is near."""
    plain = [miss for miss in missed if miss.way.fits and not miss.way.savings]
    return min(plain or missed, key=lambda miss: miss.rank)


def lateness(pace: float, way: Way, question: Question) -> float:
    """Share of the deadline by which it is late; nothing without a cycle or a deadline."""
    target = question.target_hours
    if target is None or run_length(way.case, way.task) is None:
        return 0.0
    return max(0.0, pace / target - 1.0)


def _best_first(found: Judged) -> tuple[object, ...]:
    way = found.way
    card = way.hardware.card.id
    return (-way.evidence, found.pace.high, found.share.high, card, way.order, way.platform.key)


def covers(shown: Judged, way: Way, pace: float, share: float) -> bool:
    """Whether a way that is no smaller is no better either, as far as the ranges can tell.

    `pace` and `share` are its high ends, or what these are certainly above.
    """
    no_roomier = is_ample(shown) or share >= shown.share.typical
    return pace >= shown.pace.typical and no_roomier and comparable(shown, way, share)


def is_ample(found: Judged) -> bool:
    """Whether its high end leaves so much of the card free that more is no reason for another."""
    return found.share.high <= 1.0 - AMPLE_FREE_RATIO


def comparable(shown: Judged, way: Way, share: float) -> bool:
    """Whether what is shown may stand for a way at all.

    Not for one of a kind that was measured where its own was not, nor for one that leaves the
    model whole where it splits it, nor for one that may keep the reserve of the card that it goes
    into.
    """
    better_known = way.evidence == MEASURED_KIND > shown.way.evidence
    if better_known or (shown.way.splits and not way.splits):
        return False
    return shown.memory.verdict == "fits" or share > 1.0 - MEMORY_RESERVE_RATIO
