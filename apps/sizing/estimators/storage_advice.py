"""What to say beside the figures of storage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.sizing.estimators.checkpoints import WEIGHTS_ONLY
from apps.sizing.estimators.datasets import dataset_bytes, sample_bytes
from apps.sizing.estimators.trained import Trained
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message, Parameter
from apps.sizing.platform import Platform
from apps.sizing.ranges import Range
from apps.sizing.task import Task

_SHARED_LOCATIONS: Final = frozenset({"nfs", "san", "object"})


def assumptions(task: Task, trained: Trained | None) -> list[Message]:
    """What was taken for granted for the whole task."""
    found = [Message("storage.assumption.copies"), Message("storage.assumption.separate-volumes")]
    if task.recipe.saves_kept is None:
        found.append(Message("storage.assumption.saves-kept"))
    if task.recipe.save_every_steps is None:
        found.append(Message("storage.assumption.save-interval"))
    if task.data.kind is None:
        found.append(Message("storage.assumption.data-kind"))
    if trained is not None and trained.adapters:
        found.append(Message("storage.assumption.adapter-checkpoint"))
    if task.recipe.save_kind == WEIGHTS_ONLY:
        params: dict[str, Parameter] = {"field": "recipe.save_kind", "value": WEIGHTS_ONLY}
        found.append(Message("storage.assumption.weights-only", params))
    return found


def open_questions(task: Task, trained: Trained | None) -> list[dict[str, Any]]:
    """Unknowns of data and saving with their influence."""
    data, recipe = task.data, task.recipe
    sized = any(v is not None for v in (data.bytes, data.tokens)) or (
        data.samples is not None and data.bytes_per_sample is not None
    )
    rows = (
        ("data.bytes", sized, 0.7),
        ("data.kind", data.kind, 0.5),
        ("data.location", data.location, 0.3),
        ("recipe.saves_kept", recipe.saves_kept, 0.2),
        ("recipe.save_every_steps", recipe.save_every_steps, 0.2),
    )
    found: list[dict[str, Any]] = [
        {"field": field, "influence": influence}
        for field, value, influence in rows
        if value is None or value is False
    ]
    if data.files is None and data.bytes_per_sample is None and data.kind != "text":
        found.append({"field": "data.files", "influence": 0.3})
    if trained is not None:
        found += [{"field": field, "influence": 0.4} for field in trained.assumed]
    return found


def advice(
    task: Task,
    platform: Platform,
    read: Range,
    iops: Range | None,
    io_class: str,
    catalog: Catalog,
) -> list[Message]:
    """Notes on one platform's storage, the most important first."""
    found = [Message(f"storage.advice.io-{io_class}", {"read_gb_per_s": read.typical})]
    constants = catalog.constants
    if platform.nodes > 1:
        found.append(Message("storage.advice.outside-the-server", {"nodes": platform.nodes}))
    sample = sample_bytes(task.data, constants)
    if iops is not None and sample is not None and sample < constants["storage.small_file"].typical:
        found.append(
            Message("storage.advice.pack-small-files", {"samples_per_s": round(iops.typical)})
        )
    if task.data.location in _SHARED_LOCATIONS:
        found += _shared(task.data.location, platform, read, iops, constants)
    if dataset_bytes(task.data, constants) is None:
        found.append(Message("storage.warning.dataset-unknown"))
    return found


def _shared(
    location: str,
    platform: Platform,
    read: Range,
    iops: Range | None,
    constants: Mapping[str, Range],
) -> Iterator[Message]:
    """Whether a store that others use too keeps up: by bytes of a line, by operations on files."""
    line = constants["storage.nic_storage_100g"].typical
    usable = line * constants["storage.parallel_fs_reliable_capacity"].typical
    params: dict[str, Parameter] = {
        "field": "data.location",
        "value": location,
        "read_gb_per_s": read.high,
        "line_gb_per_s": usable,
    }
    name = "too-slow" if read.high / platform.nodes > usable else "check"
    yield Message(f"storage.warning.shared-location-{name}", params)
    if iops is None:
        return
    operations = iops.typical * (1 + constants["storage.metadata_ops"].typical)
    carried = constants["storage.shared_volume_ops"].typical
    if operations > carried:
        yield Message(
            "storage.warning.shared-operations",
            {
                "field": "data.location",
                "value": location,
                "operations_count": round(operations),
                "carried_count": round(carried),
            },
        )


def volume_advice(drives: Mapping[str, Any], save: Mapping[str, Any] | None) -> Iterator[Message]:
    """What the drives cannot hold, and how much the saves wear them."""
    if drives["verdict"] == "does-not-fit":
        drive_count = drives["dataset"]["typical"] + drives["checkpoints"]["typical"]
        yield Message(
            "storage.advice.beyond-the-bays",
            {"drive_count": drive_count, "bay_count": drives["bays"]},
        )
    if save is not None and save["endurance"] != "any":
        yield Message(
            f"storage.advice.endurance-{save['endurance']}",
            {"writes_count": save["drive_writes_per_day"]},
        )
