"""The client's own measured runs in the result document: what was measured, what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from apps.sizing.cases import Case, resolve_case
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.facts import Catalog
from apps.sizing.measured import Finding, OwnRun
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.task import Task
from apps.sizing.transfer import STAYS, Quantity, Transfer, correlation

FIELD: Final = "measured"
"""The open question about a run that contradicts the estimate."""

_ESTIMATORS: Final[Mapping[Quantity, str]] = {"memory": "memory", "step": "time"}
# Below this change of the typical figure the two agree.
_AGREES: Final = 0.01
_LEAST_INFLUENCE: Final = 0.2


def own_block(task: Task, catalog: Catalog, best: Platform | None) -> list[dict[str, Any]]:
    """The runs in order, each beside the engine's figures before any measurement.

    `near` says of memory and of the step whether the run is really near the recommended platform.
    """
    transfer = catalog.measured
    if transfer is None:
        return []
    case = _case(task, catalog, best)
    return [_row(own, case) for own in transfer.runs]


def _case(task: Task, catalog: Catalog, platform: Platform | None) -> Case | None:
    if platform is None or platform.accelerator is None:
        return None
    return resolve_case(task, platform.placement, catalog)


def _row(own: OwnRun, case: Case | None) -> dict[str, Any]:
    run, place = own.run, own.place
    return {
        "origin": run.origin,
        "source": run.source,
        "counted": run.counted,
        "accelerator": run.accelerator,
        "gpus": place.gpus if place else run.gpus,
        "nodes": place.nodes if place else run.nodes,
        "data_parallel": place.data_parallel if place else run.data_parallel,
        "micro_batch": own.case.micro_batch if own.case else run.micro_batch,
        "sequence_length": own.case.sequence if own.case else run.sequence_length,
        "figures": [_figure(finding) for finding in own.findings],
        "states_ratio": own.states,
        "live_ratio": own.live,
        "closeness": {
            quantity: correlation(quantity, own.case, case) if own.case and case else None
            for quantity in _ESTIMATORS
        },
    }


def _figure(finding: Finding) -> dict[str, Any]:
    return {
        "figure": finding.figure,
        "measured": finding.measured,
        "at_least": finding.at_least,
        "said": finding.said.as_dict(),
        "standing": finding.standing,
        "used": finding.used,
    }


def nearness(task: Task, catalog: Catalog, best: Platform | None) -> tuple[bool, bool]:
    """Whether memory, and whether the step, was measured on what is almost the recommended one."""
    case = _case(task, catalog, best)
    transfer = catalog.measured
    if transfer is None or case is None:
        return False, False
    return transfer.near("memory", case), transfer.near("step", case)


def own_questions(catalog: Catalog) -> list[dict[str, Any]]:
    """One open question when something measured does not go together with the estimate: it moves
    the result as far as the two are apart."""
    runs = catalog.measured.runs if catalog.measured else ()
    apart = [abs(f.ratio - 1) for f in _doubted(runs)]
    apart += [_LEAST_INFLUENCE for own in runs if own.parts_contradict]
    if not apart:
        return []
    return [{"field": FIELD, "influence": min(1.0, max(_LEAST_INFLUENCE, *apart))}]


def _doubted(runs: tuple[OwnRun, ...]) -> Iterator[Finding]:
    for own in runs:
        for finding in own.findings if own.run.counted else ():
            if finding.standing in ("contradicts", "impossible"):
                yield finding


def own_remarks(task: Task, catalog: Catalog, best: Platform | None) -> list[dict[str, Any]]:
    """What was counted of the runs and what not: lines among the assumptions."""
    transfer = catalog.measured
    if transfer is None:
        return []
    found: list[tuple[str, Message]] = []
    for own in transfer.runs:
        found += run_remarks(own)
    if best is not None:
        found += _effects(transfer, task, catalog, best)
    return [{**message.as_dict(), "estimator": estimator} for estimator, message in found]


def run_remarks(own: OwnRun) -> Iterator[tuple[str, Message]]:
    """(the estimator it concerns, what was counted of the run or why not)."""
    if not own.run.counted:
        yield "memory", Message("measured.set-aside", _where(own))
        return
    if own.case is None:
        yield "memory", Message("measured.not-understood")
        return
    for finding in own.findings:
        if finding.used or finding.standing in ("contradicts", "impossible", "silent"):
            yield _remark(own, finding)
    if own.states is not None and own.live is not None:
        params = {"states_ratio": own.states, "live_ratio": own.live}
        if own.stays == STAYS:
            yield "memory", Message("measured.parts", params)
        else:
            yield "memory", Message("measured.parts-at-rest", params)
    if own.parts_contradict:
        yield "memory", Message("measured.parts-contradict", _where(own))
    if own.run.data_wait_ratio and own.waits is not None:
        waits = {"measured_ratio": own.run.data_wait_ratio, "said_ratio": own.waits}
        yield "time", Message("measured.data-wait", waits)


def _remark(own: OwnRun, finding: Finding) -> tuple[str, Message]:
    said = finding.standing
    key: str = said if said in ("contradicts", "impossible", "silent") else "counted"
    if finding.figure == "step_s":
        figures: Mapping[str, Any] = {
            "measured_s": finding.measured,
            "said_s": finding.said.typical,
        }
        return "time", Message(f"measured.step.{key}", {**_where(own), **figures})
    figures = {
        "memory_figure": finding.figure,
        "measured_gib": finding.measured,
        "said_gib": finding.said.typical,
    }
    if finding.at_least and key == "counted":
        key = "at-least"
    return "memory", Message(f"measured.memory.{key}", {**_where(own), **figures})


def _where(own: OwnRun) -> dict[str, Any]:
    gpus = own.place.gpus if own.place else own.run.gpus
    return {"accelerator": own.run.accelerator, "gpus": gpus or 1}


def _effects(
    transfer: Transfer, task: Task, catalog: Catalog, best: Platform
) -> Iterator[tuple[str, Message]]:
    """What the runs did to the recommended platform, or that they say nothing of it."""
    case = _case(task, catalog, best)
    if case is None:
        return
    before, after = (
        _typical(task, known, best) for known in (replace(catalog, measured=None), catalog)
    )
    for quantity, estimator in _ESTIMATORS.items():
        if not transfer.about(quantity):
            continue
        found = transfer.nearest(quantity, case)
        if found is None:
            yield estimator, Message(f"measured.{quantity}.too-far")
        elif not found[0].contradicts(quantity):
            yield estimator, _effect(quantity, after[quantity] / before[quantity] - 1)


def _typical(task: Task, catalog: Catalog, best: Platform) -> dict[Quantity, float]:
    memory = estimate_memory(task, catalog, best.placement)
    time = estimate_time(task, catalog, best.placement)
    assert memory is not None  # there is a case
    assert time is not None
    return {"memory": memory.device_gib.typical, "step": time.step_s.typical}


def _effect(quantity: Quantity, change: float) -> Message:
    if abs(change) < _AGREES:
        return Message(f"measured.{quantity}.agrees")
    key = "raised" if change > 0 else "lowered"
    return Message(f"measured.{quantity}.{key}", {"change_ratio": abs(change)})
