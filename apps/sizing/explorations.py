"""What a reader asks after the variants: another method, what makes it fit, how far it goes.

Worked out once for an assessment, on the recommended platform; a long batch of placed tasks does
without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.facts import Catalog
from apps.sizing.ladder import what_makes_it_fit
from apps.sizing.limits import limits_of
from apps.sizing.messages import Message
from apps.sizing.methods import compare_methods
from apps.sizing.task import Task
from apps.sizing.variants import Variant, with_savings

EXPLORATIONS: Final = ("methods", "ladder", "limits")


def explorations_of(
    task: Task,
    catalog: Catalog,
    best: Variant | None,
    candidates: Sequence[Candidate],
) -> dict[str, dict[str, Any] | None]:
    """The three blocks for the recommended platform, else for the smallest that does not hold it.

    The ladder starts from the recipe as it is; the others take it with the savings that the
    recommended variant rests on.
    """
    chosen = best.candidate if best else min(candidates, key=lambda c: c.size, default=None)
    if chosen is None or chosen.platform.accelerator is None:
        return dict.fromkeys(EXPLORATIONS)
    thrifty = with_savings(task)[0] if best is not None and best.savings else task
    platform = chosen.platform
    return {
        "methods": compare_methods(thrifty, catalog, platform),
        "ladder": what_makes_it_fit(task, catalog, platform),
        "limits": limits_of(thrifty, catalog, platform),
    }


def wants_exploring(task: Task, context: Mapping[str, Any]) -> bool:
    """As the caller says; otherwise for a task whose hardware is open."""
    asked = context.get("explore")
    placed = task.placement is not None and task.placement.accelerator is not None
    return not placed if asked is None else bool(asked)


def why_not_explored(status: str, failed: Sequence[str], *, asked: bool) -> Message:
    """Why the blocks are not there."""
    if not asked:
        return Message("explore.reason.not-asked")
    if "memory" in failed:
        return Message("result.reason.estimator-failed", {"estimator": "memory"})
    if status == "insufficient":
        return Message("explore.reason.not-enough-known")
    return Message("result.reason.nothing-fits")
