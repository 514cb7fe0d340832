"""What to say beside the figures of training: taken for granted, left out, measured or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from apps.sizing.cases import Case
from apps.sizing.estimators.kind_remarks import kind_assumptions
from apps.sizing.evidence import gaps_of
from apps.sizing.messages import Message, Parameter
from apps.sizing.nearest import nearest_runs
from apps.sizing.settling_kinds import ONLINE_STAGES, is_timed
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
    if case.shape.assumed and case.shape.sample is None:
        found.append(Message("memory.assumption.shape", {"fields": ", ".join(case.shape.assumed)}))
    if case.shape.sample is None and task.recipe.packing is not True:
        found.append(Message("memory.assumption.longest-sample", {"tokens": case.sequence}))
    if case.frozen_copies:
        found.append(Message("memory.assumption.reference-model", {"count": case.frozen_copies}))
    found += kind_assumptions(task, case)
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
        ("recipe.micro_batch", recipe.micro_batch, case.micro_batch),
        ("recipe.activation_checkpointing", recipe.activation_checkpointing, case.checkpointing),
        *_of_length(task, case),
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


def _of_length(task: Task, case: Case) -> tuple[tuple[str, object, Parameter], ...]:
    """What a sample's size is: the length of a text, or the side of an image."""
    sample, tower = case.shape.sample, case.shape.tower
    if sample is not None:
        return (("model.image_size", task.model.image_size, sample.image_size),)
    rows: tuple[tuple[str, object, Parameter], ...] = (
        ("recipe.sequence_length", task.recipe.sequence_length, case.sequence),
        ("recipe.attention", task.recipe.attention, "flash"),
    )
    if tower is not None:
        rows += (("model.image_size", task.model.image_size, tower.image_size),)
    return rows


def memory_not_counted(task: Task, case: Case) -> list[Message]:
    """What may take memory beside training itself."""
    found = [
        Message("memory.not-counted.evaluation"),
        Message("memory.not-counted.other-processes"),
    ]
    if case.stage in ONLINE_STAGES:
        found.append(Message("memory.not-counted.generation"))
    if case.shape.kind == "vision":
        found.append(Message("memory.not-counted.task-losses"))
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
    """What the durations rest on; of reinforcement, why there are none."""
    if not is_timed(task):
        return [Message("time.assumption.generation-unknown")]
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
    return [Message("time.not-counted.queue"), Message("time.not-counted.failed-experiments")]


def evidence_of(task: Task, case: Case) -> dict[str, Any]:
    """Whether runs of this kind were measured, what was not, and the nearest that were."""
    gaps = gaps_of(case)
    return {
        "nearest": nearest_runs(case, task.recipe.framework),
        "validated": not gaps,
        "gaps": [Message(f"evidence.gap.{gap.reason}").as_dict() for gap in gaps],
    }
