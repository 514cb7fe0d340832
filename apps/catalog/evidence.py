"""What the engine says of the measured runs nearest to a task, and how like they are to it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from apps.catalog.calibration_reader import EVIDENCE
from apps.sizing.cases import Case, placed_case
from apps.sizing.estimators.memory import memory_of
from apps.sizing.estimators.time import time_of
from apps.sizing.facts import Catalog
from apps.sizing.likeness import differences, likeness
from apps.sizing.nearest import nearest_runs
from apps.sizing.platform import Platform
from apps.sizing.task import Task
from apps.sizing.task_reader import parse_task


@lru_cache(maxsize=1)
def _runs() -> Mapping[str, dict[str, Any]]:
    """Published runs by id, with their recipes. Read once a process."""
    document: dict[str, Any] = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    return {run["id"]: run for run in document["runs"]}


def with_comparison(
    result: Mapping[str, Any], task: Task, platforms: Sequence[Platform], catalog: Catalog
) -> dict[str, Any]:
    """`result` with the runs nearest to the task on its recommended platform, each compared.

    Each of `evidence.nearest` gets `engine` (`memory_gib`, `step_s`: Ranges of what was measured,
    None otherwise; `figure`: which memory), `likeness` (like, partly, unlike) and `differs`
    (messages).
    """
    platform = _recommended(result, platforms)
    found = placed_case(task, catalog, platform.placement) if platform else None
    if found is None:
        return dict(result)
    case, evidence = found[0], result["evidence"]
    nearest = nearest_runs(case, task.recipe.framework)
    compared = [_compared(row, case, task, catalog) for row in nearest]
    return {**result, "evidence": {**evidence, "nearest": compared}}


def _recommended(result: Mapping[str, Any], platforms: Sequence[Platform]) -> Platform | None:
    """The platform of the recommended variant, else the first: what the evidence is chosen for."""
    keys = [v["platform"] for v in result["variants"] if v["recommended"]]
    return next((p for p in platforms if p.key in keys), next(iter(platforms), None))


def _compared(row: Mapping[str, Any], case: Case, task: Task, catalog: Catalog) -> dict[str, Any]:
    run = _runs().get(row["id"])
    theirs = parse_task(run["task"]) if run else None
    placed = placed_case(theirs, catalog, None) if theirs else None
    if run is None or theirs is None or placed is None:
        return dict(row)
    other, place = placed
    measured, figure = run["measured"], run["measured"].get("figure")
    memory = memory_of(other, theirs, place, catalog) if figure else None
    time = time_of(other, theirs, place, catalog) if "step_s" in measured else None
    found = list(differences(case, task.recipe.framework, other, theirs))
    return {
        **row,
        "engine": {
            "figure": figure,
            "memory_gib": getattr(memory, figure).as_dict() if memory else None,
            "step_s": time.step_s.as_dict() if time else None,
        },
        "likeness": likeness(found),
        "differs": [message.as_dict() for message in found],
    }
