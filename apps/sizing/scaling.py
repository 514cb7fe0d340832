"""From one GPU to several nodes of one card: how much faster, and from where more do not pay.

Every count is asked of the estimators themselves, in the simplest layout that holds the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from apps.sizing.estimators.interconnect import InterconnectEstimate, interconnect_of
from apps.sizing.estimators.time import TimeEstimate
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.platforms import growing
from apps.sizing.ranges import Range
from apps.sizing.settling_kinds import is_timed
from apps.sizing.task import Task
from apps.sizing.trials import Trial, tried

_MOST_NODES: Final = 8
# Waiting for data above this share: more GPUs wait together.
_DATA_BOUND: Final = 0.2
WORTHWHILE: Final = "network.worthwhile_gain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One count of GPUs. `efficiency` is of one GPU against the fewest that hold the task, with
    the range of the links; `pcie_efficiency` the same over PCIe inside the node.

    `gain` is the share that the step from the count before gives of what it could.
    """

    trial: Trial
    time: TimeEstimate
    links: InterconnectEstimate
    efficiency: Range
    pcie_efficiency: float
    gain: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.trial.where(),
            "samples_per_s": self.time.samples_per_s.as_dict(),
            "efficiency": self.efficiency.as_dict(),
            "pcie_efficiency": self.pcie_efficiency,
            "speedup": self.efficiency.typical * self.trial.platform.gpus,
            "gain": self.gain,
            "communication_share": self.links.communication_share.as_dict(),
            "data_share": self.time.data_share,
            "memory_verdict": self.trial.memory.verdict,
        }


def scaling_of(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any] | None:
    """The curve of the platform's card; None where the pace is not known or one count holds it.

    Shape: `{"accelerator", "rows": [...], "pays_until", "messages"}`; `pays_until` is the last
    count that is worth its GPUs, None where all that were tried are. A row's efficiency never
    rises with the count: what freed memory gains is not the GPUs' doing.
    """
    if not is_timed(task) or platform.accelerator is None:
        return None
    card = catalog.accelerators[platform.accelerator]
    trials = [
        found
        for where in growing(card, task, catalog)
        if where.nodes <= _MOST_NODES and (found := tried(task, where, catalog)) and found.holds
    ]
    if len(trials) < 2:
        return None
    steps = _steps(trials)
    until = _pays_until(steps, catalog.constants[WORTHWHILE].typical)
    return {
        "accelerator": card.id,
        "rows": [step.as_dict() for step in steps],
        "pays_until": until,
        "messages": [m.as_dict() for m in _messages(steps, until)],
    }


def _steps(trials: Sequence[Trial]) -> list[Step]:
    found: list[Step] = []
    for trial in trials:
        time = trial.time
        assert time is not None  # the task is timed
        found.append(_step(trial, time, found))
    return found


def _step(trial: Trial, time: TimeEstimate, before: Sequence[Step]) -> Step:
    links = interconnect_of(trial.case, trial.catalog.constants)
    each = time.samples_per_s.typical / trial.platform.gpus
    if not before:
        typical, gain = 1.0, None
        first = each
    else:
        start, last = before[0], before[-1]
        first = start.time.samples_per_s.typical / start.trial.platform.gpus
        typical = min(last.efficiency.typical, each / first)
        more = trial.platform.gpus / last.trial.platform.gpus
        gain = (more * typical / last.efficiency.typical - 1.0) / (more - 1.0)
    share = links.communication_share
    ends = [typical * (1 - end) / (1 - share.typical) for end in (share.low, share.high)]
    over_pcie = typical / max(1.0, links.step_pcie_ratio)
    return Step(
        trial=trial,
        time=time,
        links=links,
        efficiency=Range.spanning(typical, (min(1.0, end) for end in ends)),
        pcie_efficiency=min([over_pcie, *(step.pcie_efficiency for step in before)]),
        gain=gain,
    )


def _pays_until(steps: Sequence[Step], worthwhile: float) -> int | None:
    for before, step in pairwise(steps):
        waits = before.time.data_share > _DATA_BOUND
        if waits or (step.gain is not None and step.gain < worthwhile):
            return before.trial.platform.gpus
    return None


def _messages(steps: Sequence[Step], until: int | None) -> list[Message]:
    same_batch = Message("scaling.same-batch-a-gpu")
    if until is None:
        most = steps[-1].trial.platform.gpus
        return [Message("scaling.pays-to-the-end", {"gpus": most}), same_batch]
    last = next(step for step in steps if step.trial.platform.gpus == until)
    if last.time.data_share > _DATA_BOUND:
        return [Message("scaling.data-first", {"gpus": until}), same_batch]
    return [Message("scaling.pays-until", {"gpus": until}), same_batch]
