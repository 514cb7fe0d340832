"""What the engine is given for a revision: the client's answers with the engineer's values in them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from apps.catalog.card_names import accelerator_named
from apps.catalog.published import published_model
from apps.questionnaire.answers import Evaluated, evaluate
from apps.questionnaire.answers import raw_answers as read_raw
from apps.questionnaire.to_task import to_context, to_task
from apps.requisitions.models import Revision
from apps.requisitions.selectors import active_overrides, raw_answers

COUNTED: Final = "measured.counted"
"""The engineer's word on the client's measured runs, set as a value of the task is."""


def evaluated_of(revision: Revision) -> Evaluated:
    """The answers of a revision, understood."""
    return evaluate(read_raw(raw_answers(revision)), published=published_model)


def task_of_answers(revision: Revision, evaluated: Evaluated) -> dict[str, Any]:
    """The task document that the client's answers make."""
    number = f"{revision.requisition.display_number} {revision.letter}"
    return to_task(evaluated, task_id=number)


def engine_input(revision: Revision) -> tuple[dict[str, Any], dict[str, Any]]:
    """The task document with the engineer's values in it, and the context beside it."""
    evaluated, overrides = evaluated_of(revision), active_overrides(revision)
    task = with_values(task_of_answers(revision, evaluated), overrides)
    return task, context_of(evaluated, overrides)


def context_of(evaluated: Evaluated, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """What lies around the task; the cards of measured runs are named as the catalog names them,
    and an engineer may have set the runs aside."""
    context = to_context(evaluated)
    counted = overrides.get(COUNTED) is not False
    context["measured"] = [_placed(run, counted=counted) for run in context["measured"]]
    return context


def _placed(run: Mapping[str, Any], *, counted: bool) -> dict[str, Any]:
    card = accelerator_named(run["card"]) if run.get("card") else None
    return {**run, "accelerator": card.id if card else None, "counted": counted}


def value_in(task: Mapping[str, Any], path: str) -> Any:
    """The value that a task document holds under `path`; None when it has none. Measured runs lie
    beside it and are counted."""
    if path == COUNTED:
        return True
    part, _dot, name = path.rpartition(".")
    holder = task.get(part) if part else task
    return holder.get(name) if isinstance(holder, Mapping) else None


def with_values(task: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the task document with `values` by path set in it; what an engineer says of the
    measured runs lies beside the task."""
    document = deepcopy(dict(task))
    for path, value in values.items():
        if path == COUNTED:
            continue
        part, _dot, name = path.rpartition(".")
        if part and document.get(part) is None:
            document[part] = {}
        holder = document[part] if part else document
        holder[name] = value
    return document
