"""Storage: two volumes, what lies on them, and how fast each must be.

The dataset and the checkpoints lie apart: a volume that fits the data only fails at the first
save. Parallel file systems and object stores are a subject of their own and not laid out here.
"""

from __future__ import annotations

from typing import Any, Final

from apps.sizing.estimators.checkpoints import CheckpointSizes, checkpoint_sizes
from apps.sizing.estimators.datasets import dataset_bytes, dataset_volume, reserve_gb
from apps.sizing.estimators.storage_advice import assumptions, open_questions
from apps.sizing.estimators.storage_rates import interval_hours, platform_rates, save_class
from apps.sizing.estimators.trained import trained_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Task
from apps.sizing.units import GB, SECONDS_PER_HOUR

VERSION: Final = 4
_NOT_COUNTED: Final = (
    Message("storage.not-counted.parallel-file-system"),
    Message("storage.not-counted.backup"),
    Message("storage.not-counted.logs"),
)


def storage_estimator(
    task: Task, catalog: Catalog, platforms: tuple[Platform, ...]
) -> dict[str, Any]:
    """Volumes of the task, and for every platform the rates it asks of them.

    The volumes do not depend on the platform; `platforms` repeats them so that each block stands
    alone as the contract's `storage`.
    """
    trained = trained_of(task, catalog)
    sizes = checkpoint_sizes(trained, task.recipe, catalog.constants) if trained else None
    volumes = _volumes(task, catalog, sizes)
    shared = {
        **volumes,
        "checkpoint": _checkpoint_block(task, catalog, sizes),
        "backup": _backup_block(task, catalog, sizes),
    }
    return {
        "version": VERSION,
        **shared,
        "platforms": {
            p.key: {**shared, **platform_rates(task, p, catalog, sizes, _capacities(volumes))}
            for p in platforms
        },
        "assumptions": [m.as_dict() for m in assumptions(task, trained)],
        "open_questions": open_questions(task, trained),
        "not_counted": [m.as_dict() for m in _NOT_COUNTED],
    }


def _volumes(task: Task, catalog: Catalog, sizes: CheckpointSizes | None) -> dict[str, Any]:
    dataset = _dataset_volume(task, catalog)
    checkpoints = _checkpoint_volume(task, catalog, sizes)
    known = [v for v in (dataset, checkpoints) if v is not None]
    total = None
    if len(known) == 2:
        total = Range.exact(0)
        for volume in known:
            total = total + Range.from_dict(volume["capacity_gb"])
    return {"volumes": known, "total_gb": total.as_dict() if total else None}


def _dataset_volume(task: Task, catalog: Catalog) -> dict[str, Any] | None:
    shape = resolve_shape(task.model, catalog)
    volume = dataset_volume(task.data, shape.vocab if shape else None, catalog.constants)
    if volume is None:
        return None
    parts = {
        "raw": volume.raw_gb,
        "unpacked": volume.unpacked_gb,
        "copy": volume.copy_gb,
        "intermediate": volume.intermediate_gb,
        "tokens": volume.tokens_gb,
        "reserve": volume.reserve_gb,
    }
    return _volume("dataset", parts, volume.total_gb)


def _checkpoint_volume(
    task: Task, catalog: Catalog, sizes: CheckpointSizes | None
) -> dict[str, Any] | None:
    """The last few saves, the finished weights, and the save that is being written."""
    if sizes is None:
        return None
    constants = catalog.constants
    runs = task.cycle.parallel_runs or 1
    kept = kept_intermediate(task, catalog)
    parts = {
        "intermediate-states": sizes.saved_gb * kept * runs,
        "final": sizes.final_gb * constants["storage.checkpoints_kept_final"] * runs,
        "in-flight": sizes.saved_gb * runs,
    }
    held = parts["intermediate-states"] + parts["final"] + parts["in-flight"]
    parts["reserve"] = reserve_gb(held, constants)
    return _volume("checkpoints", parts, held + parts["reserve"])


def kept_intermediate(task: Task, catalog: Catalog) -> Range:
    """Saves kept at a time: as stated, else a few."""
    if task.recipe.saves_kept is not None:
        return Range.exact(task.recipe.saves_kept)
    return catalog.constants["storage.checkpoints_kept_intermediate"]


def _volume(key: str, parts: dict[str, Range], capacity: Range) -> dict[str, Any]:
    return {
        "key": key,
        "capacity_gb": capacity.as_dict(),
        "parts_gb": {name: part.as_dict() for name, part in parts.items()},
    }


def _capacities(volumes: dict[str, Any]) -> dict[str, Range]:
    return {v["key"]: Range.from_dict(v["capacity_gb"]) for v in volumes["volumes"]}


def _backup_block(
    task: Task, catalog: Catalog, sizes: CheckpointSizes | None
) -> dict[str, Any] | None:
    """A copy elsewhere of what cannot be made again, and how long it takes to bring it back.

    The raw set, the finished models and the last save; over a line of 10 to 100 Gbit/s.
    """
    constants = catalog.constants
    size = dataset_bytes(task.data, constants)
    if size is None or sizes is None:
        return None
    finished = sizes.final_gb * constants["storage.checkpoints_kept_final"]
    kept = size / GB + finished + sizes.saved_gb
    line = constants["storage.recovery_line"]
    hours = (
        Range(kept.low / line.high, kept.typical / line.typical, kept.high / line.low)
        / SECONDS_PER_HOUR
    )
    return {
        "volume_gb": (kept * constants["storage.backup_copies"]).as_dict(),
        "recovery_hours": hours.as_dict(),
    }


def _checkpoint_block(
    task: Task, catalog: Catalog, sizes: CheckpointSizes | None
) -> dict[str, Any] | None:
    if sizes is None:
        return None
    constants = catalog.constants
    return {
        "kind": sizes.kind,
        "full_gb": sizes.full_gb.as_dict(),
        "final_gb": sizes.final_gb.as_dict(),
        "saved_gb": sizes.saved_gb.as_dict(),
        "kept_intermediate": kept_intermediate(task, catalog).as_dict(),
        "kept_final": constants["storage.checkpoints_kept_final"].as_dict(),
        "interval_hours": interval_hours(constants).as_dict(),
        "save_class": save_class(sizes, constants),
    }
