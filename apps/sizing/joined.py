"""What two estimators say only together: the energy of a run, and what the stated saves cost.

Each estimator stands alone; here their blocks of one platform meet before a variant is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apps.sizing.estimators.checkpoints import lost_ratio, write_rate_gb_per_s
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range, dict_of
from apps.sizing.task import Task
from apps.sizing.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

Block = dict[str, Any]
Blocks = Mapping[str, Block | None]

HOURS_PER_YEAR: Final = 8766.0
_QUARTERS: Final = 4


def joined(task: Task, catalog: Catalog, platform: Platform, blocks: Blocks) -> Blocks:
    """The blocks with `rack.energy` and `storage.save.stated` where both sides are known."""
    time = blocks.get("time")
    if time is None:
        return blocks
    found = dict(blocks)
    rack, storage = blocks.get("rack"), blocks.get("storage")
    energy = energy_of(task, catalog, platform, rack, time) if rack else None
    if rack and energy is not None:
        found["rack"] = {**rack, "energy": energy}
    if storage and storage.get("save") and task.recipe.save_every_steps:
        found["storage"] = _with_stated_saves(task, catalog, storage, time)
    return found


def energy_of(
    task: Task, catalog: Catalog, platform: Platform, rack: Block, time: Block
) -> Block | None:
    """`run_kwh`, `year_kwh` and `room_year_kwh` at the input of the servers and of the room.

    A run at the average power of heavy training; a year at the stated number of runs, no more
    than its hours hold; the room at the usual ratio of whole to equipment (PUE). None without the
    power or the length of a run.
    """
    cycle = time.get("cycle")
    if cycle is None or "power" not in rack:
        return None
    epochs = (task.recipe.epochs or 1.0) if cycle["scope"] == "epoch" else 1.0
    average_kw = Range.from_dict(rack["power"]["node_kw"]["average"]) * platform.nodes
    run_kwh = average_kw * Range.from_dict(cycle["hours"]) * epochs
    runs = task.cycle.runs_per_quarter
    year_kwh = None
    if runs is not None:
        wanted, most = run_kwh * (runs * _QUARTERS), average_kw * HOURS_PER_YEAR
        year_kwh = Range(
            min(wanted.low, most.low),
            min(wanted.typical, most.typical),
            min(wanted.high, most.high),
        )
    pue = catalog.constants["cooling.uptime_pue_2025"].typical
    return {
        "run_kwh": run_kwh.as_dict(),
        "year_kwh": dict_of(year_kwh),
        "room_year_kwh": (year_kwh * pue).as_dict() if year_kwh else None,
    }


def _with_stated_saves(task: Task, catalog: Catalog, storage: Block, time: Block) -> Block:
    """What saving every so many steps costs on this platform: its own steps set the interval."""
    constants, save = catalog.constants, storage["save"]
    step_s = time["step_s"]["typical"] / (1.0 - time["data_share"])
    interval_s = step_s * (task.recipe.save_every_steps or 0)
    save_s = save["save_s"]["typical"]
    mtbf_s = save["mtbf_days"]["typical"] * SECONDS_PER_DAY
    hours = interval_s / SECONDS_PER_HOUR
    stall, lost = save_s / interval_s, min(1.0, lost_ratio(save_s, interval_s, mtbf_s))
    rate = write_rate_gb_per_s(
        Range.from_dict(storage["checkpoint"]["saved_gb"]),
        Range.exact(hours),
        constants["storage.stall_share"],
    )
    stated = {
        "interval_hours": hours,
        "stall_ratio": stall,
        "lost_ratio": lost,
        "write_gb_per_s": rate.as_dict(),
    }
    said = _about_saves(catalog, hours, stall)
    return {
        **storage,
        "save": {**save, "stated": stated},
        "advice": [*storage["advice"], *(m.as_dict() for m in said)],
    }


def _about_saves(catalog: Catalog, hours: float, stall: float) -> list[Message]:
    constants = catalog.constants
    if stall > constants["storage.stall_share"].high:
        params = {"interval_hours": hours, "stall_ratio": stall}
        return [Message("storage.warning.saves-stall", params)]
    if hours > constants["storage.checkpoint_interval"].high:
        return [Message("storage.warning.saves-rare", {"interval_hours": hours})]
    return []
