"""Inverse questions: how long, how much at a time and on how few GPUs the task may be.

Each is searched by asking the memory estimator itself: no formula is turned round, so that an
answer here never disagrees with the estimate of the same recipe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platform import Platform
from apps.sizing.platforms import sold_together
from apps.sizing.task import Placement, Task
from apps.sizing.trials import Trial, first_that_holds, tried_as_it_is
from apps.sizing.verdicts import MEMORY_RESERVE_RATIO

# Nobody asks for more; the search stops there and says so.
_MOST_TOKENS: Final = 1_048_576
_TOKENS_STEP: Final = 128
_MOST_SAMPLES: Final = 1024
# Steps of the answer: to one part in so many, a finer one pretends to know.
_PRECISION: Final = 32

Try = Callable[[int], Trial | None]


def limits_of(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any]:
    """The largest recipe on `platform`, and the fewest GPUs of its card for the recipe as it is.

    Shape: `{"platform", "accelerator", "gpus", "reserve_ratio", "sequence_length", "micro_batch",
    "fewest_gpus"}`. Each of the last three is `{"value", "stated", "at_least", "reserve_ratio",
    "device_gib", "capacity_gib", "verdict", "gpus", "nodes", "layout"}`, or `{"reason": message}`.
    Length and batch keep the reserve of the verdicts free (`reserve_ratio` of the block); the GPUs
    may use it. `at_least`: the search stopped there. `stated` is what the recipe says.
    """
    return {
        "platform": platform.key,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "reserve_ratio": MEMORY_RESERVE_RATIO,
        "sequence_length": _longest(task, catalog, platform),
        "micro_batch": _largest_batch(task, catalog, platform),
        "fewest_gpus": _fewest(task, catalog, platform),
    }


def _longest(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any]:
    current = tried_as_it_is(task, platform, catalog)
    if current is None:
        return _reason(Message("limits.reason.size-unknown"))
    if current.case.shape.sample is not None:
        return _reason(Message("limits.reason.images"))
    if task.recipe.micro_batch is None and task.recipe.global_batch is None:
        return _reason(Message("limits.reason.batch-unknown"))

    def at(tokens: int) -> Trial | None:
        recipe = replace(task.recipe, sequence_length=tokens)
        return tried_as_it_is(replace(task, recipe=recipe), platform, catalog)

    stated = task.recipe.sequence_length
    return _search(at, stated, step=_TOKENS_STEP, most=_MOST_TOKENS)


def _largest_batch(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any]:
    current = tried_as_it_is(task, platform, catalog)
    if current is None:
        return _reason(Message("limits.reason.size-unknown"))
    images = current.case.shape.sample is not None
    if not images and task.recipe.sequence_length is None:
        return _reason(Message("limits.reason.length-unknown"))
    if images and task.model.image_size is None:
        return _reason(Message("limits.reason.image-size-unknown"))

    def at(samples: int) -> Trial | None:
        recipe = replace(task.recipe, micro_batch=float(samples))
        return tried_as_it_is(replace(task, recipe=recipe), platform, catalog)

    stated = task.recipe.micro_batch
    return _search(at, int(stated) if stated else None, step=1, most=_MOST_SAMPLES)


def _search(at: Try, stated: int | None, *, step: int, most: int) -> dict[str, Any]:
    """The largest multiple of `step` that fits with the reserve kept: doubled, then halved.

    Memory grows with length and with batch, so what lies between a fit and a miss has one edge.
    The doubling starts from what the recipe says: it is mostly near.
    """
    low, best = _start(at, max(step, _floor_to(stated or step, step)), step)
    if best is None:
        return _reason(Message("limits.reason.not-even-the-least", {"least": step}))
    high = low * 2
    while high <= most and (trial := _fitting(at, high)):
        low, best, high = high, trial, high * 2
    while high <= most and high - low > max(step, _floor_to(low // _PRECISION, step)):
        middle = _floor_to((low + high) // 2, step)
        if trial := _fitting(at, middle):
            low, best = middle, trial
        else:
            high = middle
    return _found(low, stated, best, at_least=high > most)


def _start(at: Try, first: int, step: int) -> tuple[int, Trial | None]:
    """The first that fits on the way down by halves; None when not even `step` does."""
    value = first
    while True:
        trial = _fitting(at, value)
        if trial is not None or value <= step:
            return value, trial
        value = max(step, _floor_to(value // 2, step))


def _fitting(at: Try, value: int) -> Trial | None:
    trial = at(value)
    return trial if trial is not None and trial.memory.verdict == "fits" else None


def _floor_to(value: int, step: int) -> int:
    return value // step * step


def _fewest(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any]:
    card = catalog.accelerators[platform.accelerator or ""]
    wish = task.placement or Placement()
    free = replace(wish, accelerator=None, gpus=None, nodes=None, data_parallel=None)
    found = first_that_holds(card, replace(task, placement=free), catalog)
    if found is None:
        return _reason(Message("limits.reason.no-count", {"accelerator": card.id}))
    stated = wish.gpus if wish.accelerator is not None else None
    sold = sold_together(card, found.platform.gpus, catalog)
    return {**_found(found.platform.gpus, stated, found, at_least=False), "sold_gpus": sold}


def _found(value: int, stated: int | None, trial: Trial, *, at_least: bool) -> dict[str, Any]:
    return {
        "value": value,
        "stated": stated,
        "at_least": at_least,
        **trial.where(),
        **trial.figures(),
    }


def _reason(message: Message) -> dict[str, Any]:
    return {"reason": message.as_dict()}
