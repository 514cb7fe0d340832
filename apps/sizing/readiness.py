"""How much can be said of a task, and whether it is time to buy.

Judged by what the task says, not by what came out: a card count out of a model's name alone is no
estimate, whatever the arithmetic gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from apps.sizing.facts import Catalog
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Task

Status: TypeAlias = Literal["ok", "magnitude", "insufficient"]
Readiness: TypeAlias = Literal["early", "after-pilot", "agreement", "specification"]
Headline: TypeAlias = Literal["train", "pilot-first", "rent", "do-not-buy-yet", "insufficient"]

# Nothing is bought before a question this strong: the power of the site, the size of the data, a
# field of the recipe that was guessed.
CRITICAL_INFLUENCE: Final = 0.65
_DEFAULTS_FOR_SURE: Final = 2
_DEFAULTS_FOR_MAGNITUDE: Final = 4
_IMAGE_KINDS: Final = frozenset({"vision", "diffusion"})


def missing_recipe(task: Task) -> tuple[str, ...]:
    """Fields of the training recipe that are unknown and that any estimate rests on."""
    recipe = task.recipe
    batch = recipe.micro_batch or recipe.global_batch
    images = task.model.kind in _IMAGE_KINDS
    size: tuple[str, object] = ("recipe.sequence_length", recipe.sequence_length)
    if images:
        size = ("model.image_size", task.model.image_size)
    rows: tuple[tuple[str, object], ...] = (
        ("method", task.method or task.strategy),
        size,
        ("recipe.micro_batch", batch),
        ("recipe.precision", recipe.precision or recipe.quantization),
        ("recipe.optimizer", recipe.optimizer),
        ("recipe.activation_checkpointing", recipe.activation_checkpointing),
        ("recipe.framework", recipe.framework),
    )
    return tuple(field for field, value in rows if value is None)


# Parameters below which a model is of a class, with the GPUs people usually name for it without
# any optimisation: the start of a conversation, never an estimate.
_SIZE_CLASSES: Final = (
    ("small", 10e9, 1, 2),
    ("medium", 100e9, 2, 8),
    ("large", float("inf"), 8, None),
)


def size_class(task: Task, catalog: Catalog) -> dict[str, Any] | None:
    """The model's class and its usual order of GPU counts; `high_gpus` None: several nodes.

    Shown beside the computed counts so that a difference can be explained.
    """
    shape = resolve_shape(task.model, catalog)
    if shape is None:
        return None
    key, _, low, high = next(c for c in _SIZE_CLASSES if shape.total_params < c[1])
    return {
        "class": key,
        "params_billion": shape.total_params / 1e9,
        "low_gpus": low,
        "high_gpus": high,
    }


def status_of(task: Task, catalog: Catalog) -> Status:
    """`ok`, `magnitude` (several defaults were used) or `insufficient` (no count can be named)."""
    if resolve_shape(task.model, catalog) is None:
        return "insufficient"
    missing = len(missing_recipe(task))
    if missing <= _DEFAULTS_FOR_SURE:
        return "ok"
    placed = task.placement is not None and task.placement.accelerator is not None
    return "magnitude" if missing <= _DEFAULTS_FOR_MAGNITUDE or placed else "insufficient"


def confidence_of(task: Task, catalog: Catalog, *, piloted: bool, measured: bool = False) -> str:
    """A: memory and step measured in a pilot, B: the main facts of the recipe known, or one of the
    two `measured` on what is almost the recommended platform, C: up to two defaults, D: less."""
    if status_of(task, catalog) != "ok":
        return "D"
    if piloted:
        return "A"
    return "B" if measured or not missing_recipe(task) else "C"


def critical_questions(questions: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Fields of the questions without whose answers nothing should be bought."""
    return tuple(q["field"] for q in questions if q["influence"] >= CRITICAL_INFLUENCE)


def readiness_of(
    status: Status,
    questions: Sequence[Mapping[str, Any]],
    verdict: str,
    *,
    piloted: bool,
    agreed: bool,
) -> Readiness:
    """`early`: the recipe or the site is not known; `after-pilot`: nobody has measured a step;
    `agreement`: measured, and the recommended platform passes, but the site has not agreed to
    everything; `specification`: it has."""
    if status != "ok" or critical_questions(questions):
        return "early"
    if not piloted or verdict not in ("fits", "tight"):
        return "after-pilot"
    return "specification" if agreed else "agreement"


def headline_of(
    status: Status,
    readiness: Readiness,
    *,
    rented: bool,
    wants_to_buy: bool,
    validated: bool,
    verdict: str,
    piloted: bool,
) -> Headline:
    """The conclusion in one word; the layer above makes the sentence.

    Buying on a result that rests on guesses is what this product is there to prevent: without
    measurements behind the kind of run, or with a verdict that is not a clear yes, a pilot comes
    first. `rented`: the recommended variant is a rented one, wished for or because nothing else
    passes.
    """
    if status == "insufficient":
        return "insufficient"
    if rented and verdict != "does-not-fit":
        return "do-not-buy-yet" if wants_to_buy else "rent"
    if verdict == "does-not-fit" or readiness == "early":
        return "do-not-buy-yet"
    if piloted or (validated and verdict in ("fits", "tight")):
        return "train"
    return "pilot-first"
