"""Choose the variants a reader compares.

V0: rent or pilot first. V1: the least that trains it, with savings where they are needed.
V2: a comfortable node. V3: the fastest that makes sense. Each stands for a different decision;
one that would repeat another is left out, with a reason when fewer than two remain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from apps.sizing.candidates import Candidate, candidates_of, size_of
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task import Recipe, Task
from apps.sizing.verdicts import HOLDS, VERDICTS

PILOT: Final = "V0"
MINIMAL: Final = "V1"
COMFORTABLE: Final = "V2"
SCALE_OUT: Final = "V3"
GIVEN: Final = "given"
RENTING: Final = frozenset({"rent", "hybrid"})

# A comfortable node must be worth its place: a quarter faster than the minimal one.
_FASTER_RATIO: Final = 0.75
_IN_TIME: Final = frozenset({*HOLDS, "unknown"})
# A pilot on one or two cards of the minimal variant measures the same thing; beyond that, a node.
_PILOT_GPUS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One column of the comparison. `savings` are changes to the recipe that it rests on."""

    key: str
    candidate: Candidate
    rented: bool = False
    savings: tuple[Message, ...] = ()


def choose_variants(
    task: Task,
    catalog: Catalog,
    candidates: Sequence[Candidate],
    context: Mapping[str, Any],
    failed: Sequence[str] = (),
) -> tuple[Variant, ...]:
    """The variants in order; the task's own placement alone when it has one.

    `failed` names the estimators without an answer: nothing is calculated in their stead.
    """
    if task.placement is not None and task.placement.accelerator is not None:
        return tuple(Variant(key=GIVEN, candidate=c) for c in candidates)
    plain = _Pool(tuple(candidates), ())
    thrifty = _thrifty(task, catalog, failed, above=_smallest_in_time(candidates))
    # A recipe that no platform holds as it stands is compared with its savings everywhere.
    pool = plain if _holding(candidates) or thrifty is None else thrifty
    minimal = _minimal(pool, thrifty)
    comfortable = _comfortable(pool, minimal)
    largest = _scale_out(pool.candidates, comfortable or (minimal.candidate if minimal else None))
    renting = context.get("acquisition") in RENTING
    pilot = _smallest_in_time(pool.candidates) if renting else _pilot(pool, minimal)
    chosen = (
        _variant(PILOT, pilot, pool, rented=True),
        minimal,
        _variant(COMFORTABLE, comfortable, pool),
        _variant(SCALE_OUT, largest, pool),
    )
    return tuple(v for v in chosen if v is not None)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Candidates that share a recipe: the task's own, or one with `savings`."""

    candidates: tuple[Candidate, ...]
    savings: tuple[Message, ...]


def _variant(
    key: str, candidate: Candidate | None, pool: _Pool, *, rented: bool = False
) -> Variant | None:
    if candidate is None:
        return None
    return Variant(key=key, candidate=candidate, rented=rented, savings=pool.savings)


def _thrifty(
    task: Task, catalog: Catalog, failed: Sequence[str], *, above: Candidate | None
) -> _Pool | None:
    """Candidates smaller than `above` for the recipe with savings.

    None when there is nothing to save or to judge by.
    """
    thrifty_task, savings = with_savings(task)
    if not savings or "memory" in failed:
        return None
    platforms = candidate_platforms(thrifty_task, catalog)
    if above is not None:
        platforms = tuple(p for p in platforms if size_of(p, catalog)[:3] < above.size[:3])
    outputs = estimate_all(thrifty_task, catalog, platforms)
    answers = {key: None if key in failed else output for key, output in outputs.items()}
    return _Pool(candidates_of(thrifty_task, catalog, platforms, answers), savings)


def _smallest(candidates: Iterable[Candidate]) -> Candidate | None:
    """Of those of one size the fastest."""
    return min(candidates, key=_size_and_pace, default=None)


def _size_and_pace(candidate: Candidate) -> tuple[tuple[int, float, float], float, str]:
    pace = candidate.seconds_per_sample or math.inf
    return candidate.size[:3], pace, candidate.platform.key


def _holding(candidates: Iterable[Candidate]) -> list[Candidate]:
    return [c for c in candidates if c.memory_verdict in HOLDS]


def _minimal(pool: _Pool, thrifty: _Pool | None) -> Variant | None:
    """The smallest that holds the model and does not miss the deadline outright.

    With savings in the recipe a smaller one may do: it is taken when it is smaller.
    """
    plain = _smallest_in_time(pool.candidates)
    if thrifty is not None and thrifty is not pool:
        smaller = _smallest_in_time(thrifty.candidates)
        if smaller is not None and _saves(smaller, plain):
            return _variant(MINIMAL, smaller, thrifty)
    return _variant(MINIMAL, plain, pool)


def _saves(thrifty: Candidate, plain: Candidate | None) -> bool:
    """Smaller, and not later than the plain one against the deadline."""
    if plain is None:
        return True
    later = VERDICTS.index(thrifty.time_verdict) > VERDICTS.index(plain.time_verdict)
    return thrifty.size[:3] < plain.size[:3] and not later


def _smallest_in_time(candidates: Iterable[Candidate]) -> Candidate | None:
    holding = _holding(candidates)
    in_time = [c for c in holding if c.time_verdict in _IN_TIME]
    late = [c for c in holding if c.time_verdict == "risk"]
    return _smallest(in_time) or _smallest(late) or _smallest(holding)


def with_savings(task: Task) -> tuple[Task, tuple[Message, ...]]:
    """The same task with every memory saving that leaves the mathematics alone, and their names.

    In the usual order: recompute activations, one sample a pass with the batch accumulated, a
    fused loss. The optimizer and the precision stay: they change what is trained.
    """
    recipe, found = task.recipe, []
    changes: dict[str, Any] = {}
    if recipe.activation_checkpointing != "full":
        changes["activation_checkpointing"] = "full"
        found.append(Message("variant.saving.activation-checkpointing"))
    if recipe.micro_batch is not None and recipe.micro_batch > 1:
        passes = round(recipe.micro_batch * (recipe.grad_accumulation or 1))
        changes |= {"micro_batch": 1.0, "grad_accumulation": max(1, passes)}
        found.append(Message("variant.saving.accumulation", {"grad_accumulation": max(1, passes)}))
    if recipe.fused_cross_entropy is False:
        changes["fused_cross_entropy"] = True
        found.append(Message("variant.saving.fused-loss"))
    thrifty: Recipe = replace(recipe, **changes)
    return replace(task, recipe=thrifty), tuple(found)


def _comfortable(pool: _Pool, minimal: Variant | None) -> Candidate | None:
    """The smallest above the minimal that fits with reserve in everything that is known."""
    at_ease = [c for c in pool.candidates if c.memory_verdict == "fits" and c.platform.nodes == 1]
    if minimal is not None:
        at_ease = [c for c in at_ease if c.size > minimal.candidate.size]
        same_recipe = minimal.savings == pool.savings
        if same_recipe and minimal.candidate.overall(placed=True) == "fits":
            at_ease = [c for c in at_ease if _clearly_faster(c, minimal.candidate)]
    passing = [c for c in at_ease if c.overall(placed=True) in HOLDS]
    # Where nothing passes, the one that is in time shows what the site would have to give.
    in_time = [c for c in at_ease if c.time_verdict in _IN_TIME]
    for group in (passing, in_time, at_ease):
        if group:
            return _smallest(_best_known(group))
    return None


def _best_known(group: list[Candidate]) -> list[Candidate]:
    """Those on cards that somebody measured, where there are any."""
    return [c for c in group if c.measured] or [c for c in group if c.measured_card] or group


def _clearly_faster(candidate: Candidate, other: Candidate) -> bool:
    mine, its = candidate.seconds_per_sample, other.seconds_per_sample
    if mine is None or its is None:
        return candidate.platform.gpus > other.platform.gpus
    return mine <= _FASTER_RATIO * its


def _scale_out(candidates: Sequence[Candidate], floor: Candidate | None) -> Candidate | None:
    """A full node of boards, clearly faster than the comfortable one.

    A measured board first: it is what can be answered for. Several nodes only when no single one
    is in time.
    """
    holding = [c for c in _holding(candidates) if floor is None or c.size > floor.size]
    faster = [c for c in holding if floor is None or _clearly_faster(c, floor)]
    single = [c for c in faster if c.platform.nodes == 1]
    in_time = [c for c in single if c.time_verdict in _IN_TIME]
    boards = [c for c in in_time if c.module]
    several = [] if in_time else [c for c in faster if c.platform.nodes > 1]
    several_in_time = [c for c in several if c.time_verdict in _IN_TIME]
    for group in (boards, in_time, several_in_time, several, single):
        if group:
            known = _best_known(group)
            most = max(c.platform.gpus_per_node for c in known)
            return _smallest(c for c in known if c.platform.gpus_per_node == most)
    return None


def _pilot(pool: _Pool, minimal: Variant | None) -> Candidate | None:
    """What to rent for a pilot: the minimal cards when they are few, else a measured board."""
    few = minimal is not None and minimal.candidate.platform.gpus <= _PILOT_GPUS
    if minimal is not None and few and minimal.savings == pool.savings:
        return minimal.candidate
    holding = [c for c in _holding(pool.candidates) if c.platform.nodes == 1]
    boards = [c for c in holding if c.module]
    measured = [c for c in boards if c.measured]
    for group in (measured, boards, holding):
        if group:
            return group[0]
    return None


def recommended_of(variants: Sequence[Variant], context: Mapping[str, Any]) -> Variant | None:
    """The variant the top of the result speaks of.

    Renting: the pilot. Otherwise the comfortable node when it passes, else whatever passes, else
    the pilot: it needs no room of the client's.
    """
    by_key = {v.key: v for v in variants}
    if GIVEN in by_key:
        return by_key[GIVEN]
    if context.get("acquisition") in RENTING and PILOT in by_key:
        return by_key[PILOT]
    for key in (COMFORTABLE, MINIMAL, SCALE_OUT):
        variant = by_key.get(key)
        if variant and variant.candidate.overall(placed=True) in HOLDS:
            return variant
    return by_key.get(PILOT) or next(iter(variants), None)
