"""Fields nobody filled in: what else they could be, and how much that would change.

The typical value stands in `settling` and `shapes`; here are the ends. A field whose value decides
what is trained widens the range; one that a framework usually decides for the better (attention),
or that describes the data only (packing), is asked about and leaves the range alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.cases import Case
from apps.sizing.settling_kinds import TOTAL_BATCHES
from apps.sizing.task import Placement, Task

# Of these at least one is needed before anything can be said.
SIZE_FIELDS: Final = ("model.name", "model.params_billion", "model.layers", "model.hidden")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A field without a value and the tasks it could have meant, one for each of `values`, which
    are those of `sets`; `asked_only` widens nothing."""

    field: str
    sets: str
    values: tuple[Any, ...]
    tasks: tuple[Task, ...]
    asked_only: bool = False


def unknown_fields(
    task: Task, place: Placement, case: Case, *, of_memory: bool
) -> Iterator[Unknown]:
    """The unknowns of `task` on `place` that matter for time, or for memory too."""
    whole = replace(task, placement=place)
    for row in _ROWS:
        if of_memory and row.time_only:
            continue
        if _value(whole, row.field) is None and row.applies(whole, case):
            values = row.values(case) if callable(row.values) else row.values
            yield Unknown(
                field=row.field,
                sets=row.sets or row.field,
                values=values,
                tasks=tuple(_with(whole, row.sets or row.field, value) for value in values),
                asked_only=row.asked_only,
            )


def alternatives(task: Task, ends: Iterable[tuple[str, tuple[Any, ...]]]) -> Iterator[Unknown]:
    """The fields among `ends` that have no value, each with the tasks of its ends."""
    for field, values in ends:
        if _value(task, field) is None:
            tasks = tuple(_with(task, field, value) for value in values)
            yield Unknown(field=field, sets=field, values=values, tasks=tasks, asked_only=True)


def _value(task: Task, field: str) -> Any:
    part, _, name = field.rpartition(".")
    return getattr(getattr(task, part) if part else task, name)


def _with(task: Task, field: str, value: object) -> Task:
    part, _, name = field.rpartition(".")
    changed: dict[str, Any] = {name: value}
    if part:
        changed = {part: replace(getattr(task, part), **changed)}
    return replace(task, **changed)


def _always(task: Task, case: Case) -> bool:
    return True


def _trained_whole(task: Task, case: Case) -> bool:
    return case.adapters is None


def _adapted(task: Task, case: Case) -> bool:
    return case.adapters is not None


def _text(task: Task, case: Case) -> bool:
    return case.shape.sample is None


def _images(task: Task, case: Case) -> bool:
    return case.shape.sample is not None or case.shape.tower is not None


def _vision(task: Task, case: Case) -> bool:
    return case.shape.sample is not None and case.shape.kind != "diffusion"


def _diffusion(task: Task, case: Case) -> bool:
    return case.shape.sample is not None and case.shape.kind == "diffusion"


def _kind_guessed(task: Task, case: Case) -> bool:
    """The size of an image was all that said what kind of model it is."""
    sample = case.shape.sample
    return sample is not None and sample.basis in ("widths", "size")


def _text_model(task: Task, case: Case) -> bool:
    return case.shape.sample is None and not case.megatron


def _vocabulary_guessed(task: Task, case: Case) -> bool:
    return "vocab" in case.shape.assumed and case.shape.sample is None


def _grouping_guessed(task: Task, case: Case) -> bool:
    return "kv_heads" in case.shape.assumed and case.shape.sample is None


def _rank_counts(task: Task, case: Case) -> bool:
    """The rank matters unless the trained parameters are stated."""
    return case.adapters is not None and task.recipe.trainable_params_million is None


def _batch_free(task: Task, case: Case) -> bool:
    if task.recipe.framework in TOTAL_BATCHES and task.recipe.global_batch is not None:
        return False  # the batch of a step is what all GPUs see at a time
    return task.recipe.global_batch is None or task.recipe.grad_accumulation is None


def _replicated(task: Task, case: Case) -> bool:
    return case.layout.replicas > 1 and not case.megatron


def _split(task: Task, case: Case) -> bool:
    return case.layout.tensor > 1


def _samples_vary(task: Task, case: Case) -> bool:
    recipe = task.recipe
    finetune = task.strategy != "from-scratch" and recipe.stage != "pretrain"
    return finetune and recipe.average_length is None and case.shape.sample is None


def _groupings(case: Case) -> tuple[int, ...]:
    return (max(1, case.shape.heads // 8), case.shape.heads)


def _micro_batches(case: Case) -> tuple[float, ...]:
    lower = 4.0 if case.shape.sample is not None else 1.0
    return (max(1.0, case.micro_batch / lower), case.micro_batch * 4.0)


def _image_sizes(case: Case) -> tuple[int, ...]:
    pictures = case.shape.sample or case.shape.tower
    assert pictures is not None
    side = pictures.image_size
    return (max(1, side // 2), side * 2)


def _third_of_length(case: Case) -> tuple[float, ...]:
    return (max(1.0, case.sequence / 3),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """`sets` is the field the values go to when it is not the one that is asked."""

    field: str
    values: tuple[Any, ...] | Callable[[Case], tuple[Any, ...]]
    applies: Callable[[Task, Case], bool]
    asked_only: bool = False
    time_only: bool = False
    sets: str | None = None


_ROWS: Final = (
    _Row(field="method", values=("qlora", "full"), applies=_always),
    _Row(field="recipe.sequence_length", values=(512, 8192), applies=_text),
    _Row(field="recipe.micro_batch", values=_micro_batches, applies=_batch_free),
    _Row(field="model.kind", values=("diffusion",), applies=_kind_guessed),
    _Row(field="model.image_size", values=_image_sizes, applies=_images),
    _Row(field="recipe.activation_checkpointing", values=("none", "full"), applies=_always),
    _Row(field="recipe.precision", values=("bf16-pure", "bf16-mixed"), applies=_trained_whole),
    _Row(field="recipe.optimizer", values=("adamw-8bit", "adamw"), applies=_trained_whole),
    # Of adapters both move little: no range is wider for them, and the question says how little.
    _Row(
        field="recipe.precision",
        values=("bf16-pure", "bf16-mixed"),
        applies=_adapted,
        asked_only=True,
    ),
    _Row(
        field="recipe.optimizer",
        values=("adamw-8bit", "adamw"),
        applies=_adapted,
        asked_only=True,
    ),
    _Row(field="placement.data_parallel", values=("ddp", "fsdp"), applies=_replicated),
    _Row(field="placement.sequence_parallel", values=(True, False), applies=_split),
    _Row(field="model.vocab", values=(32_000, 256_000), applies=_vocabulary_guessed),
    _Row(field="model.kv_heads", values=_groupings, applies=_grouping_guessed),
    _Row(field="recipe.lora_rank", values=(8, 64), applies=_rank_counts),
    _Row(
        field="recipe.lora_targets",
        values=(("q_proj", "v_proj"), "all-linear"),
        applies=_rank_counts,
    ),
    _Row(field="recipe.fused_cross_entropy", values=(True, False), applies=_text_model),
    _Row(field="recipe.fused_kernels", values=(True, False), applies=_text_model),
    _Row(field="recipe.attention", values=("flash", "eager"), applies=_text, asked_only=True),
    _Row(
        field="recipe.packing",
        sets="recipe.average_length",
        values=_third_of_length,
        applies=_samples_vary,
        asked_only=True,
        time_only=True,
    ),
    _Row(
        field="recipe.framework",
        values=("hf-trainer", "megatron"),
        applies=_text,
        asked_only=True,
    ),
    _Row(
        field="recipe.framework",
        values=("timm", "ultralytics"),
        applies=_vision,
        asked_only=True,
    ),
    _Row(
        field="recipe.framework",
        values=("accelerate", "diffusers"),
        applies=_diffusion,
        asked_only=True,
    ),
)
