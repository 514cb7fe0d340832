"""What a run said of its memory beside what the engine says of the same recipe.

Pure: figures in, figures out; `readings` turns them into words. A failed allocation says only
that at least so much was needed; a peak that the framework counted is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from apps.catalog.card_names import named_among
from apps.configs.memory_reports import MemoryReport
from apps.sizing.estimators.memory import MemoryEstimate, estimate_memory
from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.ladder import what_makes_it_fit
from apps.sizing.measured import MeasuredRun
from apps.sizing.platforms import candidate_platforms
from apps.sizing.ranges import Range
from apps.sizing.task import Placement, Task
from apps.sizing.units import GIB

Cause: TypeAlias = Literal["fragmentation", "others", "limit", "training", "unclear"]

# The driver keeps some of a card for itself: what a program sees differs from the data sheet.
_SAME_SIZE_RATIO: Final = 0.05
# Tensors that fill so much of the card leave nothing for anybody else to have caused.
_FULL_RATIO: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One figure of the run, GiB, beside the engine's. `at_least`: the run needed more than this
    but stopped. `figure` names the engine's: `allocated_gib`, `reserved_gib`, `device_gib`."""

    figure: str
    measured_gib: float
    at_least: bool
    said: Range

    @property
    def ratio(self) -> float:
        """Measured over typical."""
        return self.measured_gib / self.said.typical

    @property
    def standing(self) -> str:
        """`above`, `inside` or `below` the range; `silent` where a lower bound says nothing."""
        if self.measured_gib > self.said.high:
            return "above"
        if self.at_least and self.measured_gib < self.said.typical:
            return "silent"
        return "below" if self.measured_gib < self.said.low else "inside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """`scale` is what the engine's figures are multiplied by so that they agree with the run;
    `ladder` is that of `what_makes_it_fit` for a card smaller by as much."""

    card: Accelerator
    alike: tuple[str, ...]
    named: bool
    layout: Placement
    estimate: MemoryEstimate
    compared: tuple[Compared, ...]
    scale: float
    ladder: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Ways:
    """The cards that a text may be about; `named`: its name chose them, not only the size."""

    cards: tuple[Accelerator, ...]
    named: bool


def cards_like(report: MemoryReport, catalog: Catalog) -> Ways:
    """The cards that the text may be about; none where it tells neither name nor size."""
    if report.total_bytes is None:
        return Ways((), named=False)
    total = report.total_bytes / GIB
    sized = [
        card
        for card in catalog.accelerators.values()
        if abs(card.usable_memory_gib / total - 1) <= _SAME_SIZE_RATIO
    ]
    if not report.card:
        nearest = sorted(sized, key=lambda card: abs(card.usable_memory_gib - total))
        return Ways(tuple(nearest), named=False)
    return Ways(tuple(named_among(report.card, sized)), named=True)


def as_reported(card: Accelerator, report: MemoryReport) -> Accelerator:
    """The card with the capacity that the report saw: what a program may take of one card differs
    by its driver. A size that is not this card's leaves it alone.

    A failed allocation says what the program has; nvidia-smi counts the driver's share too.
    """
    if report.total_bytes is None:
        return card
    total_gib = report.total_bytes / GIB
    if abs(card.usable_memory_gib / total_gib - 1) > _SAME_SIZE_RATIO:
        return card
    if report.kind != "oom":
        total_gib = min(total_gib, card.usable_memory_gib)
    return replace(card, usable_memory_gib=total_gib)


def runs_of(
    reports: Iterable[MemoryReport], task: Task, ways_of: Callable[[MemoryReport], Ways]
) -> tuple[MeasuredRun, ...]:
    """The reports as runs of the recipe on the card that each is about; none without a card."""
    place = task.placement or Placement()
    runs = []
    for report in reports:
        figures = {
            "allocated_gib": (report.peak_allocated_bytes, needed_bytes(report)),
            "reserved_gib": (report.peak_reserved_bytes, None),
            "device_gib": (None, report.in_use_bytes),
        }
        cards = ways_of(report).cards
        if not cards or not any(any(pair) for pair in figures.values()):
            continue
        sizes = {name: exact or bound for name, (exact, bound) in figures.items()}
        known: dict[str, Any] = {name: size / GIB for name, size in sizes.items() if size}
        runs.append(
            MeasuredRun(
                accelerator=cards[0].id,
                gpus=place.gpus,
                data_parallel=place.data_parallel,
                at_least=tuple(n for n, (exact, bound) in figures.items() if bound and not exact),
                origin="file",
                **known,
            )
        )
    return tuple(runs)


def measured_against(
    report: MemoryReport, task: Task, catalog: Catalog, ways: Ways
) -> Measured | None:
    """The run beside the engine on the first of `ways`; None when nothing is known of the model."""
    card, wanted = as_reported(ways.cards[0], report), task.placement or Placement()
    catalog = replace(catalog, accelerators={**catalog.accelerators, card.id: card})
    gpus = wanted.gpus or 1
    placed = replace(task, placement=replace(wanted, accelerator=card.id, gpus=gpus))
    (platform,) = candidate_platforms(placed, catalog)
    estimate = estimate_memory(placed, catalog, platform.placement)
    if estimate is None:
        return None
    compared = tuple(_compared(report, estimate))
    scale = _scale(compared)
    smaller = replace(card, usable_memory_gib=card.usable_memory_gib / scale)
    scaled = replace(catalog, accelerators={**catalog.accelerators, card.id: smaller})
    return Measured(
        card=card,
        alike=tuple(other.name for other in ways.cards if other.id != card.id),
        named=ways.named,
        layout=platform.placement,
        estimate=estimate,
        compared=compared,
        scale=scale,
        ladder=what_makes_it_fit(placed, scaled, platform),
    )


def _compared(report: MemoryReport, estimate: MemoryEstimate) -> Iterator[Compared]:
    figures = (
        ("allocated_gib", report.peak_allocated_bytes, False),
        ("allocated_gib", needed_bytes(report), True),
        ("reserved_gib", report.peak_reserved_bytes, False),
        ("device_gib", report.in_use_bytes, True),
    )
    for figure, size, at_least in figures:
        if size:
            yield Compared(
                figure=figure,
                measured_gib=size / GIB,
                at_least=at_least,
                said=getattr(estimate, figure),
            )


def needed_bytes(report: MemoryReport) -> int | None:
    """What tensors would have taken had the failed allocation succeeded."""
    if report.allocated_bytes is None or report.requested_bytes is None:
        return None
    return report.allocated_bytes + report.requested_bytes


def _scale(compared: tuple[Compared, ...]) -> float:
    """An exact figure decides; a lower bound only raises."""
    for one in compared:
        if not one.at_least:
            return one.ratio
    return max([1.0, *(one.ratio for one in compared)])


def cause_of(report: MemoryReport) -> Cause | None:
    """Why an allocation failed, as far as its message tells; None for a report of another kind."""
    if report.kind != "oom":
        return None
    requested, free = report.requested_bytes, report.free_bytes or 0
    if requested is None:
        return "unclear"
    if report.limit_bytes is not None and free >= requested:
        return "limit"
    if report.unallocated_bytes is not None and report.unallocated_bytes >= requested:
        return "fragmentation"
    if report.others_bytes and report.others_bytes + free >= requested:
        return "others"
    needed = needed_bytes(report)
    if needed is not None and report.total_bytes and needed >= _FULL_RATIO * report.total_bytes:
        return "training"
    return "unclear"


def missing_bytes(report: MemoryReport) -> int | None:
    """How much more the failed allocation would have needed, at least."""
    if report.requested_bytes is None or report.free_bytes is None:
        return None
    return max(0, report.requested_bytes - report.free_bytes)
