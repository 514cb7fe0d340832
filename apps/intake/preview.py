"""What comes out so far: memory of one GPU from the answers given, while they are being given.

A rough range before anybody has checked it, on a single GPU of any make: it shows which answers
matter, not which hardware is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.intake.rough import rough_input
from apps.intake.selectors import Draft
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import headline
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing.errors import TaskError
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.ranges import Range

_MOST_MOVERS: Final = 3
_LEAST_INFLUENCE_RATIO: Final = 0.02


@dataclass(frozen=True, slots=True)
class Preview:
    """`rests_on` is what was answered, in one line; `movers` are the questions whose answer would
    narrow the range most."""

    memory_gib: Range
    rests_on: str
    movers: tuple[Text, ...]


def preview_of(draft: Draft) -> Preview | None:
    """The range as the answers stand; None while the model has no size."""
    given = rough_input(draft)
    try:
        estimate = estimate_memory(given.task, given.catalog, given.place) if given else None
    except TaskError:
        return None
    if estimate is None:
        return None
    ranked = sorted(estimate.influences.items(), key=lambda pair: -pair[1])
    asked = draft.evaluated.answers
    movers = [
        QUESTIONS[TASK_FIELDS[field]].name
        for field, ratio in ranked
        if TASK_FIELDS.get(field) in asked and ratio >= _LEAST_INFLUENCE_RATIO
    ]
    return Preview(estimate.device_gib, headline(draft.evaluated), tuple(movers[:_MOST_MOVERS]))
