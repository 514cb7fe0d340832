"""How many parameters the model has and how many of them are trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.sizing.adapters import resolve_adapters
from apps.sizing.facts import Catalog
from apps.sizing.ranges import Range
from apps.sizing.settling import ADAPTER_METHODS, adapters_of, dialect_of
from apps.sizing.shapes import Shape, resolve_shape
from apps.sizing.task import Placement, Task

_EVERY: Final = "all-linear"
# Ranks in use when nobody says: 8 to 64 are common beside the usual 16.
_RANK_LOW_RATIO: Final = 0.5
_RANK_HIGH_RATIO: Final = 4.0
# A frozen backbone leaves the head and a few blocks: nobody knows until it is said.
_FROZEN_SHARE: Final = Range(0.02, 0.2, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """Counts of parameters. `assumed` names the task fields that were guessed."""

    total_params: float
    trained_params: Range
    adapters: bool
    shape: Shape
    assumed: tuple[str, ...] = ()


def trained_of(task: Task, catalog: Catalog) -> Trained | None:
    """None when the model's size is not known."""
    shape = resolve_shape(task.model, catalog)
    if shape is None:
        return None
    total = shape.total_params
    stated = task.recipe.trainable_params_million
    assumed: tuple[str, ...] = ()
    adapters = task.method in ADAPTER_METHODS
    if stated is not None:
        counted = Range.exact(min(stated * 1e6, total))
    elif adapters:
        return _adapters(task, shape, catalog)
    elif task.method == "freeze":
        counted, assumed = _FROZEN_SHARE * total, ("recipe.trainable_params_million",)
    else:
        counted = Range.exact(total)
        assumed = () if task.method else ("method",)
    return Trained(
        total_params=total,
        trained_params=counted,
        adapters=adapters,
        shape=shape,
        assumed=assumed,
    )


def _adapters(task: Task, shape: Shape, catalog: Catalog) -> Trained:
    """Adapters as the memory has them; what is not stated may be any rank, on every linear."""
    recipe = task.recipe
    dialect = dialect_of(recipe, task.placement or Placement(), catalog.calibration)
    found = adapters_of(recipe, shape, dialect)
    most = found.trained_params
    if recipe.lora_targets is None:
        most = max(most, resolve_adapters(shape, _EVERY, found.rank, None, ()).trained_params)
    low, high = (1.0, 1.0) if recipe.lora_rank else (_RANK_LOW_RATIO, _RANK_HIGH_RATIO)
    counted = Range(low * found.trained_params, found.trained_params, high * most)
    fields = (("recipe.lora_rank", recipe.lora_rank), ("recipe.lora_targets", recipe.lora_targets))
    return Trained(
        total_params=shape.total_params,
        trained_params=counted + found.trained_modules_params,
        adapters=True,
        shape=shape,
        assumed=tuple(name for name, value in fields if value is None),
    )
