"""Which unknown moves the result most: each is set to its ends in turn, all else as it stands.

The estimators themselves are asked at every end, so that a figure here never disagrees with the
estimate of a task in which the client has answered so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.feeds import site_feed
from apps.sizing.estimators.memory import memory_of
from apps.sizing.estimators.node import power_of
from apps.sizing.estimators.rack import POWER_FACTOR, platform_block
from apps.sizing.estimators.time import time_of
from apps.sizing.facts import Catalog
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.phases import peak_of
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range, dict_of
from apps.sizing.settling_kinds import is_timed
from apps.sizing.task import Placement, Task
from apps.sizing.timing.steps import step_time
from apps.sizing.timing.workload import samples_per_step
from apps.sizing.unknowns import Unknown, alternatives, unknown_fields
from apps.sizing.verdicts import Verdict, deadline_verdict

# Fields that no formula of training takes and the rack or the feeding of data does. The power is
# what a 16 A feed of one phase and a 32 A feed of three carry for days (230 V, four fifths).
_BESIDE: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("data.location", ("local", "nfs")),
    ("data.preprocessing", ("light", "heavy")),
    ("site.kw_usable", (2.9, 17.7)),
    ("site.feeds", (1, 2)),
    ("site.cooling", ("room-air", "direct-to-chip")),
)
_JUDGED: Final = ("site.", "data.")
# A swing below this is none that anybody would see.
_LEAST_SWING: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A task on a placement. `sample_s` is the typical time of a sample; `hours` are one cycle,
    None while its length is not known. `load_kw`, `run_kwh` and `rack` are those of a platform.
    """

    device_gib: Range
    memory: Verdict
    sample_s: float | None
    hours: Range | None
    deadline: Verdict
    rack: Verdict = "unknown"
    load_kw: Range | None = None
    run_kwh: Range | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "device_gib": self.device_gib.as_dict(),
            "memory": self.memory,
            "hours": dict_of(self.hours),
            "deadline": self.deadline,
            "rack": self.rack,
            "load_kw": dict_of(self.load_kw),
            "run_kwh": dict_of(self.run_kwh),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One plausible value of an unknown. `time_ratio`: how many times as long a cycle takes,
    or a sample where nobody knows how many there are."""

    value: Any
    figures: Figures
    time_ratio: float | None

    def as_dict(self) -> dict[str, Any]:
        return {"value": self.value, "time_ratio": self.time_ratio, **self.figures.as_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What one unknown does. `swing`: how far the memory or the time goes from where it is now, a
    ratio; `flips`: the verdicts that depend on it, of memory, deadline, rack. `sets` is the field
    that the values of the ends are of, mostly the same."""

    field: str
    sets: str
    ends: tuple[End, ...]
    swing: float
    flips: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "sets": self.sets,
            "ends": [end.as_dict() for end in self.ends],
            "swing": round(self.swing, 3),
            "flips": list(self.flips),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The figures as they stand and what each unknown does to them, the strongest first."""

    now: Figures
    moved: tuple[Moved, ...]


def sensitivity_of(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any] | None:
    """The unknowns of `task` on `platform`; None without a model size.

    Shape: `{"platform", "accelerator", "gpus", "capacity_gib", "target_hours", "now": figures, "fields":
    [{"field", "sets", "swing", "flips", "ends": [{"value", "time_ratio", **figures}]}]}`; figures are
    `device_gib`, `memory`, `hours`, `deadline`, `rack`, `load_kw`, `run_kwh`.
    """
    found = _sensitivity(task, catalog, platform.placement, platform)
    if found is None:
        return None
    card = catalog.accelerators[platform.accelerator or ""]
    return {
        "platform": platform.key,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "capacity_gib": card.usable_memory_gib,
        "target_hours": task.cycle.target_hours,
        "now": found.now.as_dict(),
        "fields": [moved.as_dict() for moved in found.moved],
    }


def sensitivity_at(task: Task, catalog: Catalog, place: Placement) -> Sensitivity | None:
    """The unknowns of the training alone, on a bare placement; None without a model size."""
    return _sensitivity(task, catalog, place, None)


def _sensitivity(
    task: Task, catalog: Catalog, place: Placement, platform: Platform | None
) -> Sensitivity | None:
    case = resolve_case(task, place, catalog)
    if case is None:
        return None
    now = _figures(case, task, catalog, place, platform)
    moved = []
    for unknown in _unknowns(task, place, case):
        ends = []
        for value, other in zip(unknown.values, unknown.tasks, strict=True):
            there = other.placement or place
            found = resolve_case(other, there, catalog)
            if found is None:
                continue
            same = _unmoved(case, found) and not unknown.field.startswith(_JUDGED)
            ends.append((value, now if same else _figures(found, other, catalog, there, platform)))
        moved.append(_moved(unknown, ends, now))
    worth = [one for one in moved if one.swing >= _LEAST_SWING or one.flips]
    worth.sort(key=lambda one: (-one.swing, one.field))
    return Sensitivity(now=now, moved=tuple(worth))


def _unmoved(case: Case, other: Case) -> bool:
    """Is it the same training? What is taken as typical is often one of the ends."""
    return (
        held_memory(case, peak_of(case)) == held_memory(other, peak_of(other))
        and step_time(case).total_s == step_time(other).total_s
        and samples_per_step(case) == samples_per_step(other)
        and case.padding == other.padding
    )


def _unknowns(task: Task, place: Placement, case: Case) -> Iterator[Unknown]:
    """Each field once: the same may be asked in two ways, of which one applies first."""
    seen = set()
    for unknown in unknown_fields(task, place, case, of_memory=False):
        if unknown.field not in seen:
            seen.add(unknown.field)
            yield unknown
    yield from alternatives(replace(task, placement=place), _BESIDE)


def _figures(
    case: Case, task: Task, catalog: Catalog, place: Placement, platform: Platform | None
) -> Figures:
    memory = memory_of(case, task, place, catalog)
    time = time_of(case, task, place, catalog) if is_timed(task) else None
    hours = time.cycle.hours if time and time.cycle else None
    found = Figures(
        device_gib=memory.device_gib,
        memory=memory.verdict,
        sample_s=1 / time.samples_per_s.typical if time else None,
        hours=hours,
        deadline=deadline_verdict(hours, task.cycle.target_hours, wished=task.cycle.hard is False),
    )
    if platform is None:
        return found
    return _with_platform(found, task, catalog, replace(platform, placement=place))


def _with_platform(found: Figures, task: Task, catalog: Catalog, platform: Platform) -> Figures:
    """The rack as it would judge it, and what a run takes from the mains."""
    feed = site_feed(task.site, catalog.constants[POWER_FACTOR].typical)
    power = power_of(task, platform, catalog)
    if power is None:
        return found
    average_kw = power.average_w * (platform.nodes / 1000)
    return replace(
        found,
        rack=platform_block(task, platform, catalog, feed)["verdict"],
        load_kw=power.load_w * (platform.nodes / 1000),
        run_kwh=found.hours * average_kw if found.hours else None,
    )


def _moved(unknown: Unknown, found: Sequence[tuple[Any, Figures]], now: Figures) -> Moved:
    ends = tuple(
        End(value=value, figures=figures, time_ratio=_time_ratio(figures, now))
        for value, figures in found
    )
    swings = [abs(e.figures.device_gib.typical / now.device_gib.typical - 1) for e in ends]
    swings += [abs(e.time_ratio - 1) for e in ends if e.time_ratio is not None]
    flips = tuple(
        name
        for name in ("memory", "deadline", "rack")
        if _differ([getattr(one, name) for one in (now, *(e.figures for e in ends))])
    )
    swing = max(swings, default=0.0)
    return Moved(field=unknown.field, sets=unknown.sets, ends=ends, swing=swing, flips=flips)


def _time_ratio(there: Figures, now: Figures) -> float | None:
    """Of the cycles, else of the samples while nobody knows how many there are."""
    if there.hours and now.hours:
        return there.hours.typical / now.hours.typical
    return there.sample_s / now.sample_s if there.sample_s and now.sample_s else None


def _differ(verdicts: Sequence[Verdict]) -> bool:
    """Is it built in one case and not in another? What stays unknown decides nothing."""
    holds = {v in ("fits", "tight") for v in verdicts if v != "unknown"}
    return len(holds) > 1
