"""One recipe over every accelerator of the catalog: the memory of one GPU in the engine's layout.

Where the number of GPUs is stated, each card is tried with that many; otherwise with the fewest
that hold the recipe at the high end. What cannot fit by its typical figure is passed over without
working out a range, so that the whole catalog takes a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from apps.sizing.cases import resolve_case
from apps.sizing.estimators.memory import MemoryEstimate
from apps.sizing.estimators.remarks import memory_assumptions, memory_not_counted
from apps.sizing.evidence import gaps_of
from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import peak_of
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.platforms import candidate_platforms, growing, laid_out, sold_together
from apps.sizing.task import Placement, Task
from apps.sizing.trials import Trial, tried_as_it_is
from apps.sizing.units import GIB
from apps.sizing.verdicts import HOLDS

_LAYOUTS: Final = ("ddp", "fsdp", "zero3")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardResult:
    """One accelerator. `memory` is None where no number of the card can be split as is wished.

    `holds` says that the high end stays on the card. Without a stated number and without one
    that holds, the figures are those of the most GPUs there are. A board is sold whole: then
    `sold_gpus` is more than `gpus`.
    """

    card: Accelerator
    gpus: int
    sold_gpus: int
    nodes: int
    layout: str
    memory: MemoryEstimate | None
    gaps: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.memory is not None and self.memory.verdict in HOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """`gaps` are what nobody has measured on any of the cards; each result has its own beside."""

    results: tuple[CardResult, ...]
    assumptions: tuple[Message, ...]
    not_counted: tuple[Message, ...]
    gaps: tuple[str, ...]


def sweep(task: Task, catalog: Catalog) -> Sweep | None:
    """Try `task` on every accelerator; None when nothing can be said of the model.

    The task's placement may name a number of GPUs and degrees of a layout, no accelerator.
    """
    tried = [_result(task, card, catalog) for card in catalog.accelerators.values()]
    found = next((trial for _, trial in tried if trial is not None), None)
    if found is None:
        return None
    results = tuple(result for result, _ in tried)
    known = [set(result.gaps) for result in results if result.memory is not None]
    common = set.intersection(*known)
    return Sweep(
        results=tuple(
            replace(result, gaps=tuple(gap for gap in result.gaps if gap not in common))
            for result in results
        ),
        assumptions=tuple(memory_assumptions(task, found.case)),
        not_counted=tuple(memory_not_counted(task, found.case)),
        gaps=tuple(gap.reason for gap in gaps_of(found.case) if gap.reason in common),
    )


def _result(task: Task, card: Accelerator, catalog: Catalog) -> tuple[CardResult, Trial | None]:
    trial = _trial(task, card, catalog)
    if trial is None:
        return CardResult(card=card, gpus=0, sold_gpus=0, nodes=0, layout="", memory=None), None
    where = trial.where()
    result = CardResult(
        card=card,
        gpus=where["gpus"],
        sold_gpus=sold_together(card, where["gpus"], catalog),
        nodes=where["nodes"],
        layout=where["layout"],
        memory=trial.memory,
        gaps=tuple(gap.reason for gap in gaps_of(trial.case)),
    )
    return result, trial


def _trial(task: Task, card: Accelerator, catalog: Catalog) -> Trial | None:
    if task.placement is not None and task.placement.gpus is not None:
        return _tried(task, _stated(task, task.placement, card, catalog), catalog)
    platforms = list(growing(card, task, catalog))
    for platform in platforms:
        if _lightest(task, platform, catalog).fits:
            trial = _tried(task, platform, catalog)
            if trial is None or trial.holds:
                return trial
    return _tried(task, platforms[-1], catalog) if platforms else None


def _stated(task: Task, place: Placement, card: Accelerator, catalog: Catalog) -> Platform:
    """As many GPUs of the card as the task says, in the best known server."""
    placed = replace(task, placement=replace(place, accelerator=card.id))
    return candidate_platforms(placed, catalog)[0]


def _tried(task: Task, platform: Platform, catalog: Catalog) -> Trial | None:
    """In the simplest layout that fits; where none does, in the one that takes least."""
    lightest = _lightest(task, platform, catalog)
    if not lightest.fits:
        return tried_as_it_is(task, replace(platform, placement=lightest.place), catalog)
    placed, memory = laid_out(platform, task, catalog)
    if memory is None:
        return None
    return Trial(task=task, platform=placed, memory=memory, catalog=catalog)


@dataclass(frozen=True, slots=True)
class _Lightest:
    """The layout with the smallest typical figure, and whether that figure stays on the card."""

    place: Placement
    fits: bool


def _lightest(task: Task, platform: Platform, catalog: Catalog) -> _Lightest:
    """By typical figures alone, which take a tenth of the time: a range only widens them."""
    found: list[tuple[float, Placement]] = []
    # Measured runs may lower a figure; what they cannot lower enough need not be looked at.
    floor = catalog.measured.least_factor("memory") if catalog.measured else 1.0
    for place in _places(platform):
        case = resolve_case(task, place, catalog)
        if case is None:
            return _Lightest(place, fits=True)  # the full way says that nothing is known
        device_gib = held_memory(case, peak_of(case)).device / GIB * floor
        if device_gib <= case.card.usable_memory_gib:
            return _Lightest(place, fits=True)
        found.append((device_gib, place))
    return _Lightest(min(found, key=lambda pair: pair[0])[1], fits=False)


def _places(platform: Platform) -> Iterator[Placement]:
    """The layouts of `platforms.laid_out`: a stated one stands alone."""
    place = platform.placement
    if place.data_parallel is not None or platform.gpus == 1:
        yield replace(place, data_parallel=place.data_parallel or "none")
        return
    for kind in _LAYOUTS:
        yield replace(
            place, data_parallel=kind, shard_degree=None if kind == "ddp" else platform.gpus
        )
