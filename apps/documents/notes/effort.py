"""What a pilot takes and how busy a server would be, as figures without a name of any hardware."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.ranges import Range
from apps.sizing.task_reader import parse_task

logger = logging.getLogger(__name__)

# A pilot as the document describes it: this many tries on this share of the data, and time on one
# GPU to prepare the machine and to measure. Assumptions of ours; the document prints them.
TRIES_COUNT: Final = 3
DATA_SHARE_RATIO: Final = 0.1
SETUP_GPU_HOURS: Final = 8.0

_LOAD_ROW: Final = ("gpus", "run_gpu_hours", "used_gpu_hours", "owned_gpu_hours")


def result_of_task(task: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
    """The engine's result for answers that were never sent; None when they say too little."""
    acquisition = context.get("acquisition") or {}
    around = {
        "acquisition": acquisition.get("acquisition"),
        "own_rack": acquisition.get("own_rack"),
    }
    catalog = fixture_catalog()
    try:
        parsed = parse_task(dict(task))
    except TaskError as problem:
        logger.info("no figures for the note: %s", problem.code)
        return None
    platforms = candidate_platforms(parsed, catalog)
    outputs = estimate_all(parsed, catalog, platforms)
    return assemble(parsed, catalog, platforms, outputs, around)


def effort_of(result: Mapping[str, Any] | None, task: Mapping[str, Any]) -> dict[str, Any] | None:
    """What to rent for a pilot: `gpus`, `device_gib`, `run_gpu_hours`, `pilot_gpu_hours` (Ranges).

    A figure that the result does not hold is None; all of it is None without a variant.
    """
    variants = (result or {}).get("variants") or ()
    chosen = next((v for v in variants if v.get("rented")), None) or next(iter(variants), None)
    if chosen is None:
        return None
    memory = (chosen.get("memory") or {}).get("device_gib")
    run = _run_gpu_hours(chosen, task)
    pilot = run * (TRIES_COUNT * DATA_SHARE_RATIO) + Range.exact(SETUP_GPU_HOURS) if run else None
    return {
        "gpus": chosen["gpus"],
        "device_gib": memory,
        "run_gpu_hours": run.as_dict() if run else None,
        "pilot_gpu_hours": pilot.as_dict() if pilot else None,
    }


def _run_gpu_hours(variant: Mapping[str, Any], task: Mapping[str, Any]) -> Range | None:
    """One whole run; the time of the result may be that of an epoch of several."""
    cycle = (variant.get("time") or {}).get("cycle")
    if not cycle:
        return None
    epochs = (task.get("recipe") or {}).get("epochs") or 1
    times = epochs if cycle.get("scope") == "epoch" else 1
    return Range.from_dict(cycle["hours"]) * float(times * variant["gpus"])


def load_of(result: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The comparison of owning and renting without its hardware; None where there is none."""
    block = (result or {}).get("own_or_rent")
    if not block:
        return None
    rows = [{key: row.get(key) for key in _LOAD_ROW} for row in block.get("rows") or ()]
    return {
        "runs_per_quarter": block.get("runs_per_quarter"),
        "rows": rows,
        "missing": list(block.get("missing") or ()),
    }
