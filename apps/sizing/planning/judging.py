"""One way judged in stages, the cheap ones first: states, typical memory, typical pace, ranges.

Every stage is a lower bound of the next: what a stage rejects, no later one would take back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.feeds import Feed, site_feed
from apps.sizing.estimators.memory import MemoryEstimate, memory_of
from apps.sizing.estimators.rack import POWER_FACTOR
from apps.sizing.estimators.site_fit import SiteFit, site_fit
from apps.sizing.estimators.time import TimeEstimate, time_of
from apps.sizing.evidence import gaps_of, measured_card
from apps.sizing.facts import Catalog, Server
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import peak_of
from apps.sizing.memory.states import resident_states
from apps.sizing.messages import Message
from apps.sizing.planning.ways import Hardware, layouts_of
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.shapes import Shape
from apps.sizing.task import Task
from apps.sizing.timing.feeding import data_wait_s
from apps.sizing.timing.steps import step_time
from apps.sizing.timing.workload import run_length, samples_per_step
from apps.sizing.units import GIB, SECONDS_PER_HOUR
from apps.sizing.verdicts import HOLDS

# The client's own runs may take an estimate down; further than this they only widen it.
_FLOOR_WITH_RUNS: Final = 0.7
MEASURED_KIND, MEASURED_CARD, NOT_MEASURED = 2, 1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is planned: the task, its recipe with savings, and the site it has to stand on.

    `placed` is false where it will stand at a landlord's.
    """

    task: Task
    thrifty: Task
    savings: tuple[Message, ...]
    shape: Shape
    catalog: Catalog
    placed: bool

    @property
    def feed(self) -> Feed | None:
        return site_feed(self.task.site, self.catalog.constants[POWER_FACTOR].typical)

    @property
    def floor_ratio(self) -> float:
        """How far below the typical figure of the recipe alone an estimate may come to lie."""
        return 1.0 if self.catalog.measured is None else _FLOOR_WITH_RUNS

    @property
    def target_hours(self) -> float | None:
        return self.task.cycle.target_hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Where hardware would stand: the best known server that the site carries, else the nearest.

    `others` are the further servers that the site carries.
    """

    server: Server | None
    fit: SiteFit | None
    others: tuple[str, ...] = ()

    @property
    def carried(self) -> bool:
        return self.fit is None or self.fit.stands

    @property
    def shortage(self) -> float:
        """How much of the load the site lacks; half of it for every other obstacle."""
        fit = self.fit
        if fit is None or fit.stands:
            return 0.0
        others = [part for part in fit.obstacles if part != "power"]
        return self.power_shortage + 0.5 * len(others)

    @property
    def power_shortage(self) -> float:
        """What the feed, or its fullest phase, lacks of the load, relative to what it gives."""
        fit = self.fit
        if fit is None or "power" not in fit.obstacles or not fit.feed_kw:
            return 0.0
        phases = fit.short_of_phase
        return fit.load_kw.high / (phases.carries_kw if phases else fit.feed_kw) - 1.0


def _obstruction(fit: SiteFit | None) -> tuple[int, float]:
    return (len(fit.obstacles), fit.load_kw.high) if fit else (0, 0.0)


def stand_of(hardware: Hardware, question: Question) -> Stand:
    """Among the servers that take the hardware."""
    servers: tuple[Server | None, ...] = hardware.servers or (None,)
    if not question.placed:
        return Stand(server=servers[0], fit=None)
    feed, found = question.feed, []
    for server in servers:
        platform = hardware.platform(server, question.task.placement)
        fit = site_fit(question.task, platform, question.catalog, feed)
        found.append((server, fit))
    standing = [(s, f) for s, f in found if f is None or f.stands]
    if standing:
        server, fit = standing[0]
        others = tuple(s.sku for s, _ in standing[1:] if s is not None)
        return Stand(server=server, fit=fit, others=others)
    server, fit = min(found, key=lambda pair: _obstruction(pair[1]))
    return Stand(server=server, fit=fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A layout of a recipe on hardware. `order` is its place among the layouts, simplest first.

    `share` is the memory of one GPU over its card: typical, or its states alone where already
    those do not fit. `pace` is a lower bound of the typical cycle in hours, or of the seconds a
    sample where there is no cycle.
    """

    hardware: Hardware
    task: Task
    savings: tuple[Message, ...]
    platform: Platform
    case: Case
    order: int
    share: float
    pace: float
    by_states: bool = False

    @property
    def fits(self) -> bool:
        return self.share <= 1.0

    @property
    def splits(self) -> bool:
        """The model itself is split, which not every framework can do."""
        return self.case.layout.tensor * self.case.layout.pipeline > 1

    @property
    def evidence(self) -> int:
        """How near it is to what somebody measured."""
        if not gaps_of(self.case):
            return MEASURED_KIND
        return (
            MEASURED_CARD if measured_card(self.case.card, self.case.calibration) else NOT_MEASURED
        )


def ways_on(
    hardware: Hardware, stand: Stand, question: Question, *, saving: bool = False
) -> Iterator[Way]:
    """Every layout on the hardware, by the task's own recipe or by the one with savings."""
    catalog = question.catalog
    task = question.thrifty if saving else question.task
    savings = question.savings if saving else ()
    platform = hardware.platform(stand.server, task.placement)
    places = layouts_of(hardware, task, question.shape, catalog.calibration)
    for order, place in enumerate(places):
        case = resolve_case(task, place, catalog)
        assert case is not None  # the question has a shape
        share, by_states = _share(case, question.floor_ratio)
        yield Way(
            hardware=hardware,
            task=task,
            savings=savings,
            platform=replace(platform, placement=place),
            case=case,
            order=order,
            share=share,
            pace=_pace(case, task) * question.floor_ratio,
            by_states=by_states,
        )


def _share(case: Case, floor_ratio: float) -> tuple[float, bool]:
    """The memory of one GPU over its card, and whether the states alone are already above it."""
    usable = case.card.usable_memory_gib * GIB / floor_ratio
    states = resident_states(case)
    static = (states.weights + states.gradients + states.optimizer) / usable
    if static > 1.0:
        return static, True
    return held_memory(case, peak_of(case)).device / usable, False


def _pace(case: Case, task: Task) -> float:
    """The steps alone, without start, saves, evaluation and restarts."""
    total = step_time(case).total_s
    length = run_length(case, task)
    if length is None:
        return total / samples_per_step(case)
    return (total + data_wait_s(case, task.data, total)) * length.steps / SECONDS_PER_HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A way with its ranges. `share` and `pace` are as in `Way`, whole.

    `pace` is None where the memory does not hold and nobody asked.
    """

    way: Way
    stand: Stand
    memory: MemoryEstimate
    time: TimeEstimate | None
    alike: list[Way] = field(default_factory=list)

    @property
    def share(self) -> Range:
        return self.memory.device_gib / self.memory.capacity_gib

    @property
    def pace(self) -> Range:
        assert self.time is not None
        return pace_of(self.time)

    @property
    def holds(self) -> bool:
        """The high end of the memory stays on the card."""
        return self.memory.verdict in HOLDS

    @property
    def on_time(self) -> bool:
        cycle = self.time.cycle if self.time else None
        return cycle is None or cycle.verdict in (*HOLDS, "unknown")

    @property
    def meets_all(self) -> bool:
        """Memory and deadline by the high end; the site by all that is known of it."""
        met = self.holds and self.time is not None and self.on_time
        return met and self.stand.carried and self.way.hardware.sold


def pace_of(time: TimeEstimate) -> Range:
    """Hours of the cycle; seconds a sample where there is none."""
    if time.cycle is not None:
        return time.cycle.hours
    rate = time.samples_per_s
    return Range(1 / rate.high, 1 / rate.typical, 1 / rate.low)


def judged(way: Way, stand: Stand, question: Question, *, whole: bool = False) -> Judged:
    """The ranges of a way; its time only where the memory holds, unless the `whole` is asked."""
    found = held(way, stand, question)
    return timed(found, question) if whole or found.holds else found


def held(way: Way, stand: Stand, question: Question) -> Judged:
    """The range of its memory alone."""
    memory = memory_of(way.case, way.task, way.platform.placement, question.catalog)
    return Judged(way=way, stand=stand, memory=memory, time=None)


def timed(found: Judged, question: Question) -> Judged:
    """The same with the range of its time."""
    way = found.way
    time = time_of(way.case, way.task, way.platform.placement, question.catalog)
    return replace(found, time=time)
