"""The three estimators of training itself, by platform: memory, interconnect, time.

Each is a pure function with a JSON answer, so that each can be a job of its own:
`{"version", "status", "missing", "platforms": {key: block}, "assumptions", "open_questions",
"not_counted", "evidence"}`. Without a model size `platforms` is empty and `status` says
`insufficient`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.interconnect import interconnect_of
from apps.sizing.estimators.memory import MemoryEstimate, memory_of
from apps.sizing.estimators.remarks import (
    evidence_of,
    interconnect_assumptions,
    interconnect_not_counted,
    memory_assumptions,
    memory_not_counted,
    time_assumptions,
    time_not_counted,
)
from apps.sizing.estimators.time import TimeEstimate, time_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.readiness import missing_recipe
from apps.sizing.settling_kinds import GENERATION_FACTS, ONLINE_STAGES, is_timed
from apps.sizing.task import Placement, Task
from apps.sizing.unknowns import SIZE_FIELDS

VERSION: Final = 3
# A relative swing below which a question is not worth a client's time.
_WORTH_ASKING: Final = 0.02

Remarks = Callable[[Task, Case], list[Message]]


def memory_estimator(
    task: Task, catalog: Catalog, platforms: tuple[Platform, ...]
) -> dict[str, Any]:
    """Memory of one GPU on every platform."""
    cases = _cases(task, catalog, platforms)
    blocks, swings = _estimated(memory_of, cases, task, catalog, platforms)
    return _answer(task, cases, blocks, swings, memory_assumptions, memory_not_counted)


def interconnect_estimator(
    task: Task, catalog: Catalog, platforms: tuple[Platform, ...]
) -> dict[str, Any]:
    """Exchange between GPUs on every platform."""
    cases = _cases(task, catalog, platforms)
    blocks = {
        key: interconnect_of(case, catalog.constants).as_dict() for key, case in cases.items()
    }
    swings: dict[str, float] = {}
    for platform in platforms:
        if platform.nodes > 1 and platform.placement.inter_node_link is None:
            # Half or twice the network: what the range of the estimate spans.
            block = blocks.get(platform.key)
            share = block["communication_share"] if block else None
            _keep_largest(
                swings,
                {"placement.inter_node_link": share["high"] if share else 0.0},
            )
    return _answer(task, cases, blocks, swings, interconnect_assumptions, interconnect_not_counted)


def time_estimator(task: Task, catalog: Catalog, platforms: tuple[Platform, ...]) -> dict[str, Any]:
    """Step and cycle time on every platform; none of reinforcement, whose pace no task tells."""
    cases = _cases(task, catalog, platforms)
    if not is_timed(task):
        answer = _answer(task, cases, {}, {}, time_assumptions, time_not_counted)
        if not cases:
            return answer
        asked = [{"field": field, "influence": 1.0} for field in GENERATION_FACTS]
        missing = list(GENERATION_FACTS)
        return {**answer, "status": "insufficient", "missing": missing, "open_questions": asked}
    blocks, swings = _estimated(time_of, cases, task, catalog, platforms)
    return _answer(task, cases, blocks, swings, time_assumptions, time_not_counted)


def _estimated(
    estimate: Callable[[Case, Task, Placement, Catalog], MemoryEstimate | TimeEstimate],
    cases: Mapping[str, Case],
    task: Task,
    catalog: Catalog,
    platforms: tuple[Platform, ...],
) -> tuple[dict[str, Any], dict[str, float]]:
    """Block by platform, and by how much each unknown moves the worst of them."""
    blocks: dict[str, Any] = {}
    swings: dict[str, float] = {}
    for platform in platforms:
        case = cases.get(platform.key)
        if case is not None:
            found = estimate(case, task, platform.placement, catalog)
            blocks[platform.key] = found.as_dict()
            _keep_largest(swings, found.influences)
    return blocks, swings


def _cases(task: Task, catalog: Catalog, platforms: tuple[Platform, ...]) -> dict[str, Case]:
    """The case of every platform that names an accelerator."""
    found = {}
    for platform in platforms:
        if platform.accelerator is not None:
            case = resolve_case(task, platform.placement, catalog)
            if case is not None:
                found[platform.key] = case
    return found


def _keep_largest(swings: dict[str, float], more: Mapping[str, float]) -> None:
    for field, swing in more.items():
        swings[field] = max(swing, swings.get(field, 0.0))


def _answer(
    task: Task,
    cases: Mapping[str, Case],
    blocks: Mapping[str, Any],
    swings: Mapping[str, float],
    assumptions: Remarks,
    not_counted: Remarks,
) -> dict[str, Any]:
    case = next(iter(cases.values()), None)
    # What any estimate rests on is asked however little it moves this one, and says how little.
    needed = missing_recipe(task)
    asked = [
        {"field": field, "influence": round(swing, 3)}
        for field, swing in sorted(swings.items(), key=lambda pair: -pair[1])
        if swing >= _WORTH_ASKING or field in needed
    ]
    if case is None:
        asked = [{"field": field, "influence": 1.0} for field in SIZE_FIELDS]
    return {
        "version": VERSION,
        "status": status_of(task, case),
        "missing": list(SIZE_FIELDS) if case is None else [],
        "platforms": dict(blocks),
        "assumptions": [m.as_dict() for m in assumptions(task, case)] if case else [],
        "open_questions": asked,
        "not_counted": [m.as_dict() for m in not_counted(task, case)] if case else [],
        "evidence": evidence_of(task, case) if case else {"nearest": [], "validated": False},
    }


def status_of(task: Task, case: Case | None) -> str:
    """`ok`; `magnitude` when layers and widths are guessed from a size, or what is beside the model
    is not known (reinforcement); `insufficient` without a size."""
    if case is None:
        return "insufficient"
    guessed = {"layers", "hidden"} & set(case.shape.assumed)
    sample = case.shape.sample
    rough = (sample is not None and sample.width > 0.5) or case.stage in ONLINE_STAGES
    rough = rough or (sample is not None and task.data.kind == "video")
    return "magnitude" if rough or (guessed and sample is None) else "ok"
