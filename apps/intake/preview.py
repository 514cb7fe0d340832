"""What comes out so far: memory of one GPU from the answers given, while they are being given.

A rough range before anybody has checked it, on a single GPU of any make: it shows which answers
matter, not which hardware is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.catalog.releases import present_catalog
from apps.estimation.inputs import context_of
from apps.intake.selectors import Draft
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.to_task import TASK_FIELDS, to_task
from apps.sizing.errors import TaskError
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.facts import Catalog
from apps.sizing.measured import measured_catalog, runs_from
from apps.sizing.ranges import Range
from apps.sizing.task import Placement
from apps.sizing.task_reader import parse_task

_MOST_MOVERS: Final = 3
_LEAST_INFLUENCE_RATIO: Final = 0.02


@dataclass(frozen=True, slots=True)
class Preview:
    """`movers` are the questions whose answer would narrow the range most."""

    memory_gib: Range
    movers: tuple[Text, ...]


def preview_of(draft: Draft) -> Preview | None:
    """The range as the answers stand; None while the model has no size."""
    try:
        task = parse_task(to_task(draft.evaluated))
        runs = runs_from(context_of(draft.evaluated, {})["measured"])
        place = _one_gpu(present_catalog())
        estimate = estimate_memory(task, measured_catalog(present_catalog(), task, runs), place)
    except TaskError:
        return None
    if estimate is None:
        return None
    ranked = sorted(estimate.influences.items(), key=lambda pair: -pair[1])
    movers = [
        QUESTIONS[TASK_FIELDS[field]].name
        for field, ratio in ranked
        if field in TASK_FIELDS and ratio >= _LEAST_INFLUENCE_RATIO
    ]
    return Preview(estimate.device_gib, tuple(movers[:_MOST_MOVERS]))


@lru_cache(maxsize=2)
def _one_gpu(catalog: Catalog) -> Placement:
    """One GPU of the catalog with the most memory, so that the card limits nothing."""
    cards = catalog.accelerators.values()
    largest = max(cards, key=lambda card: card.usable_memory_gib)
    return Placement(accelerator=largest.id, gpus=1, nodes=1, data_parallel="none")
