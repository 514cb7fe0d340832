"""Why a measured run may, or may not, be held against a task: where the two differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from apps.sizing.cases import Case
from apps.sizing.messages import Message, Parameter
from apps.sizing.task import Task

Likeness: TypeAlias = Literal["like", "partly", "unlike"]

# Beyond these ratios a figure of the one says little about the other.
_SIZE_RATIO: Final = 2.0
_LENGTH_RATIO: Final = 1.5
_GPUS_RATIO: Final = 4.0
# A difference in one of these is another kind of run; in the rest another amount of the same.
_DECISIVE: Final = frozenset({"model.kind", "method", "model.params_billion"})


def differences(case: Case, framework: str | None, run: Case, of_run: Task) -> Iterator[Message]:
    """Where the measured `run` is unlike `case`, in the run's own values."""
    place = of_run.placement
    rows: tuple[tuple[str, bool, Parameter], ...] = (
        ("model.kind", run.shape.kind != case.shape.kind, run.shape.kind),
        ("method", run.method != case.method, run.method),
        (
            "model.params_billion",
            _apart(run.shape.total_params, case.shape.total_params) > _SIZE_RATIO,
            run.shape.total_params / 1e9,
        ),
        ("recipe.stage", _on_examples(run) != _on_examples(case), run.stage),
        (
            "recipe.framework",
            of_run.recipe.framework != (framework or case.dialect.key),
            of_run.recipe.framework,
        ),
        (
            "placement.accelerator",
            run.card.id != case.card.id,
            place.accelerator if place else None,
        ),
        (
            "placement.gpus",
            _apart(run.layout.gpus, case.layout.gpus) >= _GPUS_RATIO,
            run.layout.gpus,
        ),
        ("recipe.precision", run.precision != case.precision, run.precision),
        (
            "recipe.sequence_length",
            case.shape.sample is None and _apart(run.sequence, case.sequence) > _LENGTH_RATIO,
            round(run.sequence),
        ),
        (
            "recipe.activation_checkpointing",
            run.checkpointing != case.checkpointing,
            run.checkpointing,
        ),
    )
    for field, differs, value in rows:
        if differs:
            yield Message("evidence.differs", {"field": field, "value": value})


def _on_examples(case: Case) -> bool:
    """Pretraining and training on examples run alike; preferences bring models and passes."""
    return case.stage in ("sft", "pretrain")


def _apart(one: float, other: float) -> float:
    return max(one, other) / min(one, other)


def likeness(found: list[Message]) -> Likeness:
    """`like` without a difference, `unlike` with a decisive one, `partly` otherwise."""
    if not found:
        return "like"
    return "unlike" if _DECISIVE & {m.params["field"] for m in found} else "partly"
