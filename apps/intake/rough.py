"""What a draft gives the engine before anybody has chosen hardware: its task on one bare GPU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from apps.catalog.releases import present_catalog
from apps.estimation.inputs import context_of
from apps.intake.selectors import Draft
from apps.questionnaire.to_task import to_task
from apps.sizing.errors import TaskError
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun, measured_catalog, runs_from
from apps.sizing.task import Placement, Task
from apps.sizing.task_reader import parse_task


@dataclass(frozen=True)
class RoughInput:
    """`place` is one GPU of the catalog with the most memory, so that the card limits nothing;
    `runs` are the client's own measured ones."""

    task: Task
    release: Catalog
    runs: tuple[MeasuredRun, ...]
    place: Placement

    @property
    def catalog(self) -> Catalog:
        """The catalog with the runs in it."""
        return measured_catalog(self.release, self.task, self.runs)


def rough_input(draft: Draft) -> RoughInput | None:
    """The answers as they stand; None when they make no task."""
    catalog = present_catalog()
    try:
        task = parse_task(to_task(draft.evaluated))
        runs = runs_from(context_of(draft.evaluated, {})["measured"])
        return RoughInput(task, catalog, tuple(runs), _one_gpu(catalog))
    except TaskError:
        return None


@lru_cache(maxsize=2)
def _one_gpu(catalog: Catalog) -> Placement:
    largest = max(catalog.accelerators.values(), key=lambda card: card.usable_memory_gib)
    return Placement(accelerator=largest.id, gpus=1, nodes=1, data_parallel="none")
