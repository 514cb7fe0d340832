"""Full training, LoRA and QLoRA of the same model on the same data, before any hardware.

What is trained decides more than which card is bought: the comparison comes first. A method that
does not apply to the task says why instead of having figures made up for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from apps.sizing.estimators.checkpoints import checkpoint_sizes
from apps.sizing.estimators.trained import trained_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.platforms import sold_together
from apps.sizing.settling import method_of
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Placement, Task
from apps.sizing.trials import Trial, first_that_holds, tried, tried_as_it_is

METHODS: Final = ("full", "lora", "qlora")
_ADAPTED: Final = frozenset({"lora", "qlora", "dora"})
_QUANTISED: Final = frozenset({"nf4", "nf4-double", "gptq-int4", "awq-int4", "int8", "fp8"})
_IMAGES: Final = frozenset({"vision", "diffusion"})


def compare_methods(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any]:
    """Every method on the GPUs of `platform`, and on the fewest of its card that hold it.

    Shape: `{"platform", "accelerator", "gpus", "nodes", "named", "assumed", "rows"}`; `named` is
    the task's own method, `assumed` says that nobody stated it. A row has `method`, `named`,
    `reason` (a message where the method does not apply; then nothing else is there),
    `trained_params` (Range), `trained_ratio`, `here` (memory and time on the platform),
    `fewest` (the same on the fewest GPUs that hold it, with `sold_gpus`; None when none does),
    `checkpoint` (`resume_gb`, `final_gb`: Ranges), `costs` and `checks` (messages).
    """
    named = method_of(task)
    methods = METHODS if named in METHODS else (named, *METHODS)
    return {
        "platform": platform.key,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "named": named,
        "assumed": task.method is None,
        "rows": [_row(method, named, task, catalog, platform) for method in methods],
    }


def with_method(task: Task, method: str) -> Task:
    """The same task by another method; what is said of the named one's adapters is kept."""
    recipe = task.recipe
    quantization = recipe.quantization
    if method == "qlora":
        quantization = quantization if quantization in _QUANTISED else "nf4"
    elif method in METHODS:
        quantization = "none"
    stated = recipe.trainable_params_million if method == method_of(task) else None
    changed = replace(recipe, quantization=quantization, trainable_params_million=stated)
    return replace(task, method=method, recipe=changed)


def _row(
    method: str, named: str, task: Task, catalog: Catalog, platform: Platform
) -> dict[str, Any]:
    row: dict[str, Any] = {"method": method, "named": method == named, "reason": None}
    # What the task names is taken at its word: the figures then say how it comes out.
    reason = does_not_apply(method, task, catalog) if method != named else None
    if reason is not None:
        return {**row, "reason": reason.as_dict()}
    mine = task if method == named and task.method else with_method(task, method)
    trained = trained_of(mine, catalog)
    here = _here(mine, platform, catalog)
    assert trained is not None  # there is a platform, so there is a size
    saved = checkpoint_sizes(trained, mine.recipe, catalog.constants)
    return {
        **row,
        "trained_params": trained.trained_params.as_dict(),
        "trained_ratio": trained.trained_params.typical / trained.total_params,
        "here": _block(here) if here else None,
        "fewest": _fewest(mine, platform, catalog),
        "checkpoint": {"resume_gb": saved.full_gb.as_dict(), "final_gb": saved.final_gb.as_dict()},
        "costs": [m.as_dict() for m in _costs(method, mine)],
        "checks": [m.as_dict() for m in _checks(method, mine)],
    }


def does_not_apply(method: str, task: Task, catalog: Catalog) -> Message | None:
    """Why there is no such training of this task."""
    if method not in _ADAPTED:
        return None
    if task.strategy == "from-scratch" or task.recipe.stage == "pretrain":
        return Message("methods.reason.from-scratch")
    shape = resolve_shape(task.model, catalog)
    if shape is None or shape.sample is None:
        return None
    if shape.kind == "vision" and {"layers", "hidden"} & set(shape.assumed):
        return Message("methods.reason.no-linear-layers")
    if method == "qlora" and shape.kind in _IMAGES:
        return Message("methods.reason.quantised-images")
    return None


def _here(task: Task, platform: Platform, catalog: Catalog) -> Trial | None:
    """On the platform that is compared on: in the layout the task names, or in the simplest."""
    place = task.placement
    if place is not None and place.accelerator is not None:
        return tried_as_it_is(task, platform, catalog)
    wanted = place.data_parallel if place is not None else None
    free = replace(platform.placement, data_parallel=wanted, shard_degree=None)
    return tried(task, replace(platform, placement=free), catalog)


def _fewest(task: Task, platform: Platform, catalog: Catalog) -> dict[str, Any] | None:
    card = catalog.accelerators[platform.accelerator or ""]
    free = replace(task, placement=_layout_wish(task.placement))
    found = first_that_holds(card, free, catalog)
    if found is None:
        return None
    return {**_block(found), "sold_gpus": sold_together(card, found.platform.gpus, catalog)}


def _layout_wish(place: Placement | None) -> Placement | None:
    """Which GPUs and how many is the question here; how the model is split stays as wished."""
    if place is None:
        return None
    return replace(place, accelerator=None, gpus=None, nodes=None, data_parallel=None)


def _block(trial: Trial) -> dict[str, Any]:
    """Memory, and time where the memory holds it: what runs out of memory has no pace."""
    time = trial.time if trial.holds else None
    cycle = time.cycle if time else None
    return {
        **trial.where(),
        **trial.figures(),
        "step_s": time.step_s.as_dict() if time else None,
        "hours": cycle.hours.as_dict() if cycle else None,
        "scope": cycle.scope if cycle else None,
    }


def _costs(method: str, task: Task) -> Iterator[Message]:
    """What a method gives up, and what follows from it for the hardware."""
    if method in _ADAPTED:
        if method == "qlora":
            yield Message("methods.cost.quantised-base")
        else:
            yield Message("methods.cost.adapters")
        yield Message("methods.cost.base-stays")
    elif task.strategy == "from-scratch" or task.recipe.stage == "pretrain":
        yield Message("methods.cost.from-scratch")
    elif method == "freeze":
        yield Message("methods.cost.part")
    else:
        yield Message("methods.cost.all-weights")


def _checks(method: str, task: Task) -> Iterator[Message]:
    """What to settle before hardware is bought for this method."""
    if method in _ADAPTED:
        yield Message("methods.check.targets")
        yield Message("methods.check.activations")
        if method == "qlora":
            yield Message("methods.check.quantisation")
    elif task.strategy == "from-scratch" or task.recipe.stage == "pretrain":
        yield Message("methods.check.scratch")
    else:
        yield Message("methods.check.states")
    if task.model.kind in _IMAGES:
        yield Message("methods.check.images")
