"""The estimators, in the order in which a result shows them. Adding one is a file and a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from apps.sizing.estimators.host import VERSION as HOST_VERSION
from apps.sizing.estimators.host import host_estimator
from apps.sizing.estimators.rack import VERSION as RACK_VERSION
from apps.sizing.estimators.rack import rack_estimator
from apps.sizing.estimators.storage import VERSION as STORAGE_VERSION
from apps.sizing.estimators.storage import storage_estimator
from apps.sizing.estimators.training import VERSION as TRAINING_VERSION
from apps.sizing.estimators.training import (
    interconnect_estimator,
    memory_estimator,
    time_estimator,
)
from apps.sizing.facts import Catalog
from apps.sizing.platform import Platform
from apps.sizing.task import Task

EstimatorFunction: TypeAlias = Callable[[Task, Catalog, tuple[Platform, ...]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Estimator:
    """`key` is stored: never rename. `version` rises when the same input gives another answer."""

    key: str
    version: int
    run: EstimatorFunction


ESTIMATORS: Final = (
    Estimator("memory", TRAINING_VERSION, memory_estimator),
    Estimator("interconnect", TRAINING_VERSION, interconnect_estimator),
    Estimator("time", TRAINING_VERSION, time_estimator),
    Estimator("storage", STORAGE_VERSION, storage_estimator),
    Estimator("host", HOST_VERSION, host_estimator),
    Estimator("rack", RACK_VERSION, rack_estimator),
)


def estimate_all(
    task: Task, catalog: Catalog, platforms: tuple[Platform, ...]
) -> dict[str, dict[str, Any] | None]:
    """Every estimator's output, for a caller without a queue."""
    return {e.key: e.run(task, catalog, platforms) for e in ESTIMATORS}
