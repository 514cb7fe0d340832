"""What makes it fit: from one GPU up, one change at a time, until the high end stays on the card.

The usual order: precision, recomputation, micro-batch, sharding, more GPUs. The first that leave
what is trained alone come before those that cost hardware.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.facts import Accelerator, Catalog
from apps.sizing.platform import Platform
from apps.sizing.platforms import growing, sold_together
from apps.sizing.settling import micro_batch_of
from apps.sizing.task import Placement, Task
from apps.sizing.trials import Trial, first_that_holds, tried, tried_as_it_is
from apps.sizing.verdicts import VERDICTS

# Effects of a lever on memory, computing and exchange of one GPU: less, same or more.
_EFFECTS: Final = {
    "precision": ("less", "less", "less"),
    "checkpointing": ("less", "more", "same"),
    "micro-batch": ("less", "same", "same"),
    "fused-loss": ("less", "same", "same"),
    "sharding": ("less", "same", "more"),
    "more-gpus": ("less", "same", "more"),
}
# A change of numbers' precision changes rounding; the rest gives the same training.
_CHANGES_TRAINING: Final = frozenset({"precision"})
# A smaller change of the memory is none.
_NOTHING_RATIO: Final = 0.005
_KEPT: Final = frozenset({"applied", "no-effect"})
_SHARDED: Final = frozenset({"fsdp", "hsdp", "zero1", "zero2", "zero3"})


@dataclass(frozen=True, slots=True)
class _Rung:
    """One change. `to` is what the changed field becomes; `stated`: the recipe says so itself."""

    lever: str
    to: str | int | float | None
    trial: Trial | None
    stated: bool = True


def what_makes_it_fit(task: Task, catalog: Catalog, platform: Platform) -> dict[str, Any] | None:
    """The ladder for the card of `platform`; None without a model size.

    Shape: `{"accelerator", "start": {gpus, nodes, layout, device_gib, capacity_gib, verdict,
    reserve_ratio}, "rungs": [...], "fits_at"}`. A rung has the same figures after it, `lever`,
    `to`, `state`, `before_gib` (Range), `time_ratio` (seconds a sample against the rung before; None unless both
    can be timed), `effects` on memory, compute and exchange, `changes_training` and `stops`.
    States: `applied`; `already` (the recipe has it); `assumed` (so does the usual value taken
    for what the recipe does not say); `no-effect` (something else holds the peak
    now: kept, it may count later); `worse` (shown with what it would give, and not kept).
    `fits_at` is the lever of the rung that stops it, `start` when nothing is needed, None when
    nothing helps. The ladder ends with the first rung that fits.
    """
    card = catalog.accelerators[platform.accelerator or ""]
    trial = _start(task, platform, card, catalog)
    if trial is None:
        return None
    start, rungs = trial, []
    fits_at = "start" if trial.holds else None
    for step in () if trial.holds else _steps(trial):
        rung = step(trial)
        state = _state(rung, trial)
        rungs.append(_rung_block(rung, trial, state))
        if state in _KEPT and rung.trial is not None:
            trial = rung.trial
        if trial.holds:
            fits_at = rung.lever
            break
    return {
        "accelerator": card.id,
        "start": {**start.where(), **start.figures()},
        "rungs": rungs,
        "fits_at": fits_at,
    }


def _start(task: Task, platform: Platform, card: Accelerator, catalog: Catalog) -> Trial | None:
    """The recipe as it is: on the placement the task names, else on a single GPU."""
    place = task.placement
    if place is not None and place.accelerator is not None:
        return tried_as_it_is(task, platform, catalog)
    # A model that is split by wish may need more GPUs than any node of the card has.
    return tried(task, next(growing(card, task, catalog), platform), catalog)


def _steps(trial: Trial) -> tuple[Callable[[Trial], _Rung], ...]:
    """The rungs in order; a fused loss where one is known not to be used."""
    loss = (_fused_loss,) if trial.task.recipe.fused_cross_entropy is False else ()
    return (_precision, _checkpointing, _micro_batch, *loss, _sharding, _more_gpus)


def _changed(trial: Trial, **changes: Any) -> Trial | None:
    task = replace(trial.task, recipe=replace(trial.task.recipe, **changes))
    return tried_as_it_is(task, trial.platform, trial.catalog)


def _precision(trial: Trial) -> _Rung:
    precision = trial.case.precision
    if precision != "fp32":
        return _Rung("precision", precision, None, trial.task.recipe.precision is not None)
    return _Rung("precision", "bf16-mixed", _changed(trial, precision="bf16-mixed"))


def _checkpointing(trial: Trial) -> _Rung:
    if trial.case.checkpointing == "full":
        stated = trial.task.recipe.activation_checkpointing is not None
        return _Rung("checkpointing", "full", None, stated)
    return _Rung("checkpointing", "full", _changed(trial, activation_checkpointing="full"))


def _micro_batch(trial: Trial) -> _Rung:
    """One sample a pass, as many more passes: the batch of a step stays."""
    samples = _samples(trial)
    if samples <= 1:
        return _Rung("micro-batch", 1, None, trial.task.recipe.micro_batch is not None)
    passes = max(1, round(samples * trial.case.accumulation))
    smaller = _changed(trial, micro_batch=1.0, grad_accumulation=passes)
    return _Rung("micro-batch", 1, smaller)


def _samples(trial: Trial) -> float:
    """Samples of a pass as the recipe has them, without the pair of a preference."""
    return micro_batch_of(trial.task.recipe, trial.case.layout, trial.case.shape)


def _fused_loss(trial: Trial) -> _Rung:
    return _Rung("fused-loss", None, _changed(trial, fused_cross_entropy=True))


def _sharding(trial: Trial) -> _Rung:
    """The states cut over the GPUs there are, or over the first number of several."""
    place, layout = trial.platform.placement, trial.case.layout
    if trial.platform.gpus == 1:
        least = sold_together(trial.case.card, 2, trial.catalog)
        every = growing(trial.case.card, trial.task, trial.catalog)
        several = next((p for p in every if p.gpus >= least), trial.platform)
        found = _sharded(several, trial)
        return _Rung("sharding", several.gpus, found)
    if place.data_parallel in _SHARDED or layout.replicas == 1:
        return _Rung("sharding", layout.shard, None)
    return _Rung("sharding", layout.replicas, _sharded(trial.platform, trial))


def _sharded(platform: Platform, before: Trial) -> Trial | None:
    """FSDP, or ZeRO-3 where that holds what FSDP does not: the better verdict, the first of two."""
    every = (
        tried_as_it_is(
            before.task,
            replace(
                platform,
                placement=replace(platform.placement, data_parallel=kind, shard_degree=None),
            ),
            before.catalog,
        )
        for kind in ("fsdp", "zero3")
    )
    found = (trial for trial in every if trial is not None)
    return min(found, key=lambda t: VERDICTS.index(t.memory.verdict), default=None)


def _more_gpus(trial: Trial) -> _Rung:
    """The first larger number of the same GPUs that holds it, else the largest there is."""
    card, task = trial.case.card, _unplaced(trial.task)
    found = first_that_holds(card, task, trial.catalog, above=trial.platform.gpus)
    if found is None:
        every = [*growing(card, task, trial.catalog), trial.platform]
        found = tried(task, max(every, key=lambda p: p.gpus), trial.catalog)
    if found is None or found.platform.gpus <= trial.platform.gpus:
        return _Rung("more-gpus", trial.platform.gpus, None)
    return _Rung("more-gpus", found.platform.gpus, found)


def _unplaced(task: Task) -> Task:
    place = task.placement or Placement()
    return replace(task, placement=replace(place, gpus=None, nodes=None, data_parallel=None))


def _rung_block(rung: _Rung, before: Trial, state: str) -> dict[str, Any]:
    """A change that does not help is shown with what it would give, and not kept."""
    after = rung.trial or before
    memory, compute, exchange = _EFFECTS[rung.lever]
    return {
        "lever": rung.lever,
        "to": rung.to,
        "state": state,
        "before_gib": before.memory.device_gib.as_dict(),
        **after.where(),
        **after.figures(),
        "time_ratio": _time_ratio(before, rung.trial) if rung.trial else None,
        "effects": {"memory": memory, "compute": compute, "exchange": exchange},
        "changes_training": rung.lever in _CHANGES_TRAINING and rung.trial is not None,
        "stops": state in _KEPT and after.holds,
    }


def _state(rung: _Rung, before: Trial) -> str:
    if rung.trial is None:
        return "already" if rung.stated else "assumed"
    was, now = before.memory.device_gib.high, rung.trial.memory.device_gib.high
    if now > was * (1 + _NOTHING_RATIO):
        return "worse"
    return "applied" if now < was * (1 - _NOTHING_RATIO) else "no-effect"


def _time_ratio(before: Trial, after: Trial) -> float | None:
    """Seconds a sample after over those before, typical: what the change costs in time."""
    was, now = before.time, after.time
    if was is None or now is None:
        return None
    return was.samples_per_s.typical / now.samples_per_s.typical
