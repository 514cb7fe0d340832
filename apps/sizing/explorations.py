"""What a reader asks after the variants: another method, what makes it fit, how far it goes, which
unknown matters, and what else there is.

Worked out once for an assessment, all but the last on the recommended platform; a long batch of
placed tasks does without.
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
from apps.sizing.planner import is_placed, plan
from apps.sizing.sensitivity import sensitivity_of
from apps.sizing.settling_kinds import is_timed
from apps.sizing.task import Task
from apps.sizing.variants import Variant, recommended_of, with_savings

_OF_A_PLATFORM: Final = ("methods", "ladder", "limits", "sensitivity")
EXPLORATIONS: Final = (*_OF_A_PLATFORM, "plan")
# Nothing is calculated in the stead of an estimator that failed.
_NEEDED: Final = ("memory", "time", "rack")


def explorations_of(
    task: Task,
    catalog: Catalog,
    candidates: Sequence[Candidate],
    variants: Sequence[Variant],
    context: Mapping[str, Any],
    failed: Sequence[str] = (),
) -> dict[str, dict[str, Any] | None]:
    """Four blocks for the recommended platform, else for the smallest that does not hold it; the
    plan across the catalog when the caller asks to explore (a batch does without).

    The ladder starts from the recipe as it is; the others take it with the savings that the
    recommended variant rests on.
    """
    asked = bool(context.get("explore")) and not {*_NEEDED} & {*failed}
    best = recommended_of(variants, context)
    planned = plan(task, catalog, context, variants) if asked and is_timed(task) else None
    found = _of_platform(task, catalog, best, candidates)
    if {*_NEEDED} & {*failed}:
        found["sensitivity"] = None
    return {**found, "plan": planned}


def _of_platform(
    task: Task, catalog: Catalog, best: Variant | None, candidates: Sequence[Candidate]
) -> dict[str, dict[str, Any] | None]:
    chosen = best.candidate if best else min(candidates, key=lambda c: c.size, default=None)
    if chosen is None or chosen.platform.accelerator is None:
        return dict.fromkeys(_OF_A_PLATFORM)
    thrifty = with_savings(task)[0] if best is not None and best.savings else task
    platform = chosen.platform
    return {
        "methods": compare_methods(thrifty, catalog, platform),
        "ladder": what_makes_it_fit(task, catalog, platform),
        "limits": limits_of(thrifty, catalog, platform),
        "sensitivity": sensitivity_of(thrifty, catalog, platform),
    }


def wants_exploring(task: Task, context: Mapping[str, Any]) -> bool:
    """As the caller says; otherwise for a task whose hardware is open."""
    asked = context.get("explore")
    return not is_placed(task) if asked is None else bool(asked)


def why_not_explored(
    task: Task, status: str, failed: Sequence[str], *, asked: bool
) -> dict[str, Message]:
    """Why the blocks are not there, by block."""
    reason = _why_not(status, failed, asked=asked)
    found = {**dict.fromkeys(_OF_A_PLATFORM, reason), "plan": _why_no_plan(task, failed, reason)}
    lost = _lost(failed)
    return {**found, "sensitivity": lost} if asked and lost else found


def _why_not(status: str, failed: Sequence[str], *, asked: bool) -> Message:
    if not asked:
        return Message("explore.reason.not-asked")
    if "memory" in failed:
        return Message("result.reason.estimator-failed", {"estimator": "memory"})
    if status == "insufficient":
        return Message("explore.reason.not-enough-known")
    return Message("result.reason.nothing-fits")


def _why_no_plan(task: Task, failed: Sequence[str], reason: Message) -> Message:
    """The plan needs three estimators, and no platform."""
    if is_placed(task):
        return Message("plan.reason.placed")
    if not is_timed(task):
        return Message("plan.reason.no-time")
    lost = _lost(failed)
    if lost is not None:
        return lost
    if reason.key == "explore.reason.not-enough-known":
        return reason
    return Message("plan.reason.not-asked")


def _lost(failed: Sequence[str]) -> Message | None:
    """The estimator without which nothing is tried anew, of those that failed."""
    lost = next((key for key in _NEEDED if key in failed), None)
    return Message("result.reason.estimator-failed", {"estimator": lost}) if lost else None
