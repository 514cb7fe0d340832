"""Rates that a platform asks of the volumes: reading, saving, restarting, wearing out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from apps.sizing.estimators.checkpoints import (
    CheckpointSizes,
    drive_writes_per_day,
    lost_ratio,
    mtbf_days,
    write_rate_gb_per_s,
    young_interval_hours,
)
from apps.sizing.estimators.datasets import (
    dataset_bytes,
    deadline_read_rate,
    read_rate,
    reads_per_s,
)
from apps.sizing.estimators.host_memory import ram_needed_gb
from apps.sizing.estimators.node import accelerator_of, installed_gpus, server_of
from apps.sizing.estimators.storage_advice import advice, volume_advice
from apps.sizing.facts import Catalog
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.units import GB, SECONDS_PER_DAY, SECONDS_PER_HOUR
from apps.sizing.verdicts import verdict

_HOURS_PER_DAY: Final = 24
# Two drives carry the checkpoints, mirrored: one drive's rate counts.
_CHECKPOINT_DRIVES: Final = 2

# Classes of a volume for saving, slowest first, with the constant that holds their write rate.
_SAVE_CLASSES: Final = (
    ("sata-ssd", "storage.sata_ssd_seq"),
    ("nvme", "storage.nvme_gen4_write"),
)


def interval_hours(constants: Mapping[str, Range]) -> Range:
    """Hours between saves that a client usually asks for."""
    return constants["storage.checkpoint_interval"]


def save_seconds(sizes: CheckpointSizes, gb_per_s: Range) -> Range:
    """Seconds to write one save at a class's rate."""
    return Range(
        sizes.saved_gb.low / gb_per_s.high,
        sizes.saved_gb.typical / gb_per_s.typical,
        sizes.saved_gb.high / gb_per_s.low,
    )


def save_class(sizes: CheckpointSizes, constants: Mapping[str, Range]) -> dict[str, Any]:
    """The slowest class at which saving stays within its share of the time.

    The slower volume is right until saving costs too much; when even one NVMe drive is too slow,
    the answer is several of them or a sharded save.
    """
    interval_s = interval_hours(constants).typical * SECONDS_PER_HOUR
    allowed = constants["storage.stall_share"].typical
    for name, key in _SAVE_CLASSES:
        seconds = save_seconds(sizes, constants[key])
        if seconds.typical / interval_s <= allowed:
            return {"class": name, "save_s": seconds.as_dict()}
    seconds = save_seconds(sizes, constants["storage.nvme_gen4_write"])
    return {"class": "several-nvme", "save_s": seconds.as_dict()}


def platform_rates(
    task: Task,
    platform: Platform,
    catalog: Catalog,
    sizes: CheckpointSizes | None,
    capacities: Mapping[str, Range],
) -> dict[str, Any]:
    """What one platform adds to the volumes: `read`, `save`, `drives` and `advice`."""
    read = _read(task, platform, catalog)
    save = _save(platform, catalog, sizes, capacities) if sizes else None
    cached = fits_in_ram(task, platform, catalog)
    drives = _drives(platform, catalog, read, capacities)
    io_class = _io_class(read, platform, cached, catalog.constants)
    iops = reads_per_s(read, task.data, catalog.constants)
    return {
        "read": {
            "gb_per_s": read.as_dict(),
            "samples_per_s": iops.as_dict() if iops else None,
            "fits_in_ram": cached,
            "io_class": io_class,
        },
        "save": save,
        "drives": drives,
        "verdict": drives["verdict"],
        "advice": [
            m.as_dict()
            for m in (
                *advice(task, platform, read, iops, io_class, catalog),
                *volume_advice(drives, save),
            )
        ],
    }


def _read(task: Task, platform: Platform, catalog: Catalog) -> Range:
    """What the GPUs eat; a deadline may ask for more than the typical feed."""
    runs = task.cycle.parallel_runs or 1
    need = read_rate(task.data, platform.gpus, catalog.constants) * runs
    size = dataset_bytes(task.data, catalog.constants)
    hours = task.cycle.target_hours
    if size is None or hours is None:
        return need
    epochs = 1.0 if task.cycle.scope == "epoch" else task.recipe.epochs or 1.0
    least = deadline_read_rate(size, epochs, hours) * runs
    return Range(
        max(need.low, least.low), max(need.typical, least.typical), max(need.high, least.high)
    )


def _save(
    platform: Platform,
    catalog: Catalog,
    sizes: CheckpointSizes,
    capacities: Mapping[str, Range],
) -> dict[str, Any]:
    constants = catalog.constants
    interval = interval_hours(constants)
    chosen = save_class(sizes, constants)
    seconds = Range.from_dict(chosen["save_s"])
    between = mtbf_days(platform.nodes, constants["storage.node_failure_rate"])
    young = young_interval_hours(seconds, between)
    restart = constants["storage.restart_minutes"] * 60
    drive_gb = constants["storage.drive_tb"].typical * 1000
    written_gb = drive_gb * max(1, math.ceil(capacities["checkpoints"].typical / drive_gb))
    dwpd = drive_writes_per_day(
        sizes.saved_gb.typical, _HOURS_PER_DAY / interval.typical, written_gb
    )
    kept_hours = min(young.typical, interval.typical)
    kept_s = kept_hours * SECONDS_PER_HOUR
    mtbf_s = between.typical * SECONDS_PER_DAY
    rate = write_rate_gb_per_s(sizes.saved_gb, interval, constants["storage.stall_share"])
    return {
        "write_gb_per_s": rate.as_dict(),
        "save_s": seconds.as_dict(),
        "stall_ratio": seconds.typical / (interval.typical * SECONDS_PER_HOUR),
        "young_interval_hours": young.as_dict(),
        "interval_hours": kept_hours,
        "mtbf_days": between.as_dict(),
        "restart_read_gb_per_s": Range(
            sizes.saved_gb.low / restart.high,
            sizes.saved_gb.typical / restart.typical,
            sizes.saved_gb.high / restart.low,
        ).as_dict(),
        "snapshot_ram_gb_per_node": sizes.saved_gb.typical / platform.nodes,
        "drive_writes_per_day": dwpd,
        "one_dwpd_is_enough": dwpd <= constants["storage.nvme_dwpd"].low,
        "endurance": endurance_class(dwpd, constants),
        "lost_ratio": min(1.0, lost_ratio(seconds.typical, kept_s, mtbf_s)),
    }


def endurance_class(writes_per_day: float, constants: Mapping[str, Range]) -> str:
    """Class of drive for the checkpoints: `any`, `read-intensive` (one drive write a day),
    `mixed-use` (three), `beyond`."""
    rated = constants["storage.nvme_dwpd"]
    if writes_per_day <= constants["storage.qlc_dwpd"].low:
        return "any"
    if writes_per_day <= rated.low:
        return "read-intensive"
    return "mixed-use" if writes_per_day <= rated.high else "beyond"


def fits_in_ram(task: Task, platform: Platform, catalog: Catalog) -> bool | None:
    """Whether the page cache keeps the whole set after the first epoch; None: not known."""
    size = dataset_bytes(task.data, catalog.constants)
    accelerator = accelerator_of(platform, catalog)
    if size is None or accelerator is None:
        return None
    vram_gb = installed_gpus(platform, server_of(platform, catalog)) * accelerator.memory_gb
    ram = ram_needed_gb(task, platform, catalog, vram_gb)
    free_gb = ram.typical - catalog.constants["host.os_reserve"].high
    return size.typical * catalog.constants["host.page_cache_share"].typical / GB <= free_gb


def _io_class(
    read: Range, platform: Platform, cached: bool | None, constants: Mapping[str, Range]
) -> str:
    """`intensive` (NVMe on PCIe), `moderate` (SAS or SATA SSD, network) or `light`."""
    per_node = read.typical / platform.nodes
    sata = constants["storage.sata_ssd_seq"].typical
    if cached or per_node < constants["storage.light_read_share"].typical * sata:
        return "light"
    return "moderate" if per_node <= sata else "intensive"


def _drives(
    platform: Platform, catalog: Catalog, read: Range, capacities: Mapping[str, Range]
) -> dict[str, Any]:
    """Local NVMe drives of one node for the dataset's size and rate, and two for checkpoints."""
    constants = catalog.constants
    server = server_of(platform, catalog)
    bays = server.nvme_bays if server else None
    drive_gb = constants["storage.drive_tb"].typical * 1000
    per_drive = constants["storage.nvme_gen4_read"].typical * constants["storage.drive_use"].typical
    if "dataset" not in capacities:
        return {"dataset": None, "checkpoints": None, "bays": bays, "verdict": "unknown"}
    size, saved = capacities["dataset"], capacities.get("checkpoints")

    def count(gigabytes: float, gb_per_s: float) -> int:
        return max(1, math.ceil(gigabytes / drive_gb), math.ceil(gb_per_s / per_drive))

    nodes = platform.nodes
    data = Range(
        count(size.low, read.low / nodes),
        count(size.typical, read.typical / nodes),
        count(size.high, read.high / nodes),
    )
    checkpoints = (
        saved.map(lambda gigabytes: _CHECKPOINT_DRIVES * max(1, math.ceil(gigabytes / drive_gb)))
        if saved
        else Range.exact(_CHECKPOINT_DRIVES)
    )
    return {
        "dataset": data.as_dict(),
        "checkpoints": checkpoints.as_dict(),
        "drive_gb": drive_gb,
        "bays": bays,
        "verdict": verdict(data + checkpoints, bays),
    }
