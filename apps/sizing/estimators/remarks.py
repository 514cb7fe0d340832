"""What to say beside the figures of training: taken for granted, left out, measured or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from apps.sizing.cases import Case
from apps.sizing.evidence import gaps_of
from apps.sizing.messages import Message, Parameter
from apps.sizing.nearest import nearest_runs
from apps.sizing.task import Task
from apps.sizing.timing.links import links_of

# The dialect of a framework that nobody stated or measured.
_NO_DIALECT: Final = "unknown"


def memory_assumptions(task: Task, case: Case) -> list[Message]:
    """What the memory figure rests on."""
    found = [Message("memory.assumption.worst-rank")]
    found += _filled_in(task, case)
    if case.adapters is not None and case.quantization != "none":
        found.append(
            Message("memory.assumption.quantised-base", {"bytes_per_parameter": case.base_bytes})
        )
    if case.layout.kind == "zero1" and case.megatron:
        found.append(Message("memory.assumption.distributed-optimizer"))
    if case.shape.assumed:
        found.append(Message("memory.assumption.shape", {"fields": ", ".join(case.shape.assumed)}))
    if case.shape.sample is None and task.recipe.packing is not True:
        found.append(Message("memory.assumption.longest-sample", {"tokens": case.sequence}))
    if case.frozen_copies:
        found.append(Message("memory.assumption.reference-model", {"count": case.frozen_copies}))
    return found


def _filled_in(task: Task, case: Case) -> Iterator[Message]:
    """One message for every recipe field that was empty and matters."""
    recipe = task.recipe
    values: tuple[tuple[str, object, Parameter], ...] = (
        ("method", task.method, case.method),
        ("recipe.framework", recipe.framework, case.dialect.key),
        ("recipe.precision", recipe.precision, case.precision),
        ("recipe.optimizer", recipe.optimizer, "adamw"),
        ("recipe.optimizer_step", recipe.optimizer_step, case.step),
        ("recipe.sequence_length", recipe.sequence_length, case.sequence),
        ("recipe.micro_batch", recipe.micro_batch, case.micro_batch),
        ("recipe.activation_checkpointing", recipe.activation_checkpointing, case.checkpointing),
        ("recipe.attention", recipe.attention, "flash"),
    )
    for field, stated, used in values:
        if stated is None and used == _NO_DIALECT:
            yield Message("memory.assumption.framework-unknown")
        elif stated is None:
            yield Message("memory.assumption.typical-value", {"field": field, "value": used})
    counted = recipe.lora_rank is None and recipe.trainable_params_million is None
    if case.adapters is not None and counted:
        params: dict[str, Parameter] = {"field": "recipe.lora_rank", "value": case.adapters.rank}
        yield Message("memory.assumption.typical-value", params)


def memory_not_counted(task: Task, case: Case) -> list[Message]:
    """What may take memory beside training itself."""
    found = [
        Message("memory.not-counted.evaluation"),
        Message("memory.not-counted.other-processes"),
    ]
    if case.stage in ("ppo", "grpo"):
        found.append(Message("memory.not-counted.generation"))
    if case.shape.kind == "diffusion":
        found.append(Message("memory.not-counted.encoders"))
        found.append(Message("memory.not-counted.moving-average"))
    if case.shape.kind == "vlm":
        found.append(Message("memory.not-counted.vision-tower"))
    return found


def interconnect_assumptions(task: Task, case: Case) -> list[Message]:
    """What the exchange figures rest on."""
    links = links_of(case)
    found = [Message("interconnect.assumption.ring-volumes")]
    if case.layout.gpus > 1:
        params: dict[str, Parameter] = {"link": links.kind, "link_gb_per_s": links.intra / 1e9}
        found.append(Message("interconnect.assumption.link", params))
    place = task.placement
    if case.layout.nodes > 1 and (place is None or place.inter_node_link is None):
        found.append(Message("interconnect.assumption.network"))
    if "data_parallel" in case.layout.assumed:
        found.append(Message("interconnect.assumption.scheme", {"scheme": case.layout.kind}))
    return found


def interconnect_not_counted(task: Task, case: Case) -> list[Message]:
    found = [Message("interconnect.not-counted.topology")]
    if case.layout.nodes > 1:
        found.append(Message("interconnect.not-counted.shared-network"))
    return found


def time_assumptions(task: Task, case: Case) -> list[Message]:
    """What the durations rest on."""
    found = [Message("time.assumption.sustained-clock")]
    if case.shape.sample is None:
        found.append(Message("time.assumption.utilisation-convention"))
        if task.recipe.average_length is None and task.recipe.packing is not True:
            found.append(Message("time.assumption.full-length", {"tokens": case.sequence}))
    if task.data.location is None:
        found.append(Message("time.assumption.local-data"))
    if task.recipe.epochs is None and task.recipe.steps is None:
        found.append(Message("time.assumption.one-epoch"))
    return found


def time_not_counted(task: Task, case: Case) -> list[Message]:
    found = [Message("time.not-counted.queue"), Message("time.not-counted.failed-experiments")]
    if case.stage in ("ppo", "grpo"):
        found.append(Message("time.not-counted.generation"))
    return found


def evidence_of(task: Task, case: Case) -> dict[str, Any]:
    """Whether runs of this kind were measured, what was not, and the nearest that were."""
    gaps = gaps_of(case)
    return {
        "nearest": nearest_runs(case, task.recipe.framework),
        "validated": not gaps,
        "gaps": [Message(f"evidence.gap.{gap.reason}").as_dict() for gap in gaps],
    }
