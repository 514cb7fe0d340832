"""What the figures of other kinds of training rest on: images, denoisers, towers, preferences."""

from __future__ import annotations

from collections.abc import Iterator

from apps.sizing.cases import Case
from apps.sizing.memory.beside import frozen_encoder_bytes
from apps.sizing.messages import Message
from apps.sizing.settling_kinds import ONLINE_STAGES
from apps.sizing.task import Task
from apps.sizing.units import GIB


def kind_assumptions(task: Task, case: Case) -> Iterator[Message]:
    """One message for every fact that no field of a task can say and that was taken."""
    shape = case.shape
    if shape.sample is not None:
        yield Message(
            f"memory.assumption.image-{shape.sample.basis}",
            {"side": shape.sample.image_size},
        )
        if shape.sample.frames > 1:
            yield Message("memory.assumption.clip", {"count": shape.sample.frames})
    if shape.companions is not None:
        yield _encoders(case)
    if shape.sample is not None and case.adapters is None and _may_average(task, case):
        kept = "kept" if case.averaged else "not-kept"
        yield Message(f"memory.assumption.average-{kept}")
    if shape.tower is not None:
        trained = "trained" if case.tower_trained else "frozen"
        yield Message(f"memory.assumption.tower-{trained}", {"count": shape.tower.image_tokens})
    if shape.kind == "encoder" and task.recipe.stage is None:
        head = "tokens" if case.predicts_tokens else "classes"
        yield Message(f"memory.assumption.predicts-{head}")
    if case.stage in ("dpo", "orpo", "rm"):
        yield Message("memory.assumption.pairs")
    if case.stage in ONLINE_STAGES:
        yield Message("memory.assumption.magnitude-only")


def _may_average(task: Task, case: Case) -> bool:
    return case.averaged or case.shape.kind == "diffusion" or task.strategy == "from-scratch"


def _encoders(case: Case) -> Message:
    """Frozen encoders on the card, or gone; the figure is what they take while they are there."""
    there = frozen_encoder_bytes(case.vary(cached=False)) / GIB
    key = "encoders-cached" if case.cached else "encoders-resident"
    return Message(f"memory.assumption.{key}", {"encoders_gib": there})
