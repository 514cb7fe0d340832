"""The price of speed: what the smallest way costs in GPUs, link, storage and rack as time shrinks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.estimators.datasets import dataset_bytes, deadline_read_rate
from apps.sizing.facts import Catalog
from apps.sizing.task import Task
from apps.sizing.verdicts import HOLDS, deadline_verdict

# The time that was asked for, a half and a quarter of it.
_PARTS: Final = (1.0, 0.5, 0.25)


def price_of_speed(
    task: Task, catalog: Catalog, candidates: Sequence[Candidate], usual_hours: float
) -> list[dict[str, Any]]:
    """For the stated time (else `usual_hours`), its half and quarter, the smallest way in time.

    A row: `{"target_hours", "platform", "accelerator", "gpus", "nodes", "link", "load_kw",
    "read_gb_per_s", "effort"}`. `effort` is what people have to set up: one-gpu, node, cluster.
    Nothing in the catalog is fast enough: `platform` and the rest are None. A tighter time never
    takes a smaller way: what meets it meets the looser one too.
    """
    wanted = task.cycle.target_hours or usual_hours
    return [_row(task, catalog, candidates, wanted * part) for part in _PARTS]


def _row(
    task: Task, catalog: Catalog, candidates: Sequence[Candidate], target_hours: float
) -> dict[str, Any]:
    wished = task.cycle.hard is False
    fast = (
        c
        for c in candidates
        if c.memory_verdict in HOLDS
        and deadline_verdict(c.hours, target_hours, wished=wished) in HOLDS
    )
    found = min(fast, key=lambda c: c.size, default=None)
    if found is None:
        empty = ("platform", "accelerator", "gpus", "nodes", "link", "load_kw", "effort")
        return {"target_hours": target_hours, **dict.fromkeys(empty), "read_gb_per_s": None}
    platform = found.platform
    power = (found.blocks.get("rack") or {}).get("power") or {}
    return {
        "target_hours": target_hours,
        "platform": platform.key,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "link": platform.intra_node_link if platform.gpus > 1 else None,
        "load_kw": power.get("load_kw"),
        "read_gb_per_s": _read_gb_per_s(task, catalog, found, target_hours),
        "effort": "cluster" if platform.nodes > 1 else "node" if platform.gpus > 1 else "one-gpu",
    }


def _read_gb_per_s(
    task: Task, catalog: Catalog, found: Candidate, target_hours: float
) -> float | None:
    """What the volume has to give: the feed of the GPUs, or the whole set within the time."""
    read = (found.blocks.get("storage") or {}).get("read")
    feed = read["gb_per_s"]["typical"] if read else 0.0
    size = dataset_bytes(task.data, catalog.constants)
    epochs = 1.0 if task.cycle.scope == "epoch" else task.recipe.epochs or 1.0
    least = deadline_read_rate(size, epochs, target_hours).typical if size else 0.0
    return max(feed, least) or None
