"""The client's own measured runs beside the engine, and the transfer that they allow.

A run is what the client states or a log says: where it ran, in which batch, what was measured. The
recipe is the task's own, but for what the run says otherwise. Every figure is judged first: one
that the card or the recipe rules out is kept out of the estimate, one that lies far outside the
engine's range leaves the range wide (see `transfer`); both become an open question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeAlias

from apps.sizing.cases import Case, placed_case
from apps.sizing.estimators.memory import MemoryEstimate, memory_of
from apps.sizing.estimators.time import TimeEstimate, time_of
from apps.sizing.facts import Catalog
from apps.sizing.platforms import candidate_platforms
from apps.sizing.ranges import Range
from apps.sizing.task import Placement, Recipe, Task
from apps.sizing.timing.workload import tokens_per_step_per_gpu, utilisation
from apps.sizing.transfer import STAYS, Anchor, Deviation, Transfer

Standing: TypeAlias = Literal["inside", "outside", "contradicts", "impossible", "silent"]
Origin: TypeAlias = Literal["client", "file", "pilot"]

_MEMORY: Final = ("allocated_gib", "reserved_gib", "device_gib")
"""From the most to the least exact: what else is on the card grows from one to the next."""

# Weights are counted exactly, so that a peak below most of them is of another recipe.
_LEAST_OF_WEIGHTS: Final = 0.9
# Two runs tell the parts of the memory apart only where a part stays within such a factor.
_PART_RATIO: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One run. None: not said, which for the batch means the task's own.

    `at_least` names the figures that only bound theirs from below: the run stopped, or it was one
    moment. `rest_gib` is what tensors hold between two steps. `data_wait_ratio` is the share of a step in which the GPU waits for data. `source` is
    the file the figures stood in. `counted` is false where an engineer has set the run aside.
    """

    accelerator: str | None = None
    gpus: int | None = None
    nodes: int | None = None
    data_parallel: str | None = None
    micro_batch: float | None = None
    sequence_length: int | None = None
    grad_accumulation: int | None = None
    allocated_gib: float | None = None
    reserved_gib: float | None = None
    device_gib: float | None = None
    rest_gib: float | None = None
    at_least: tuple[str, ...] = ()
    step_s: float | None = None
    tokens_per_s_per_gpu: float | None = None
    data_wait_ratio: float | None = None
    origin: Origin = "client"
    source: str = ""
    counted: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON: what was said."""
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        said = {name: value for name, value in found.items() if value not in (None, (), "")}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in said.items()}


_NAMES: Final = frozenset(f.name for f in fields(MeasuredRun))
_FIGURES: Final = (*_MEMORY, "step_s", "tokens_per_s_per_gpu")
_NUMBERS: Final = (*_FIGURES, "rest_gib")
# Between two steps gradients are gone: frameworks free them by default (torch 2.0 and later).
_AT_REST: Final = ("weights", "optimizer")


def runs_from(documents: Iterable[Mapping[str, Any]]) -> tuple[MeasuredRun, ...]:
    """The inverse of `as_dict`. What is no positive number is not a figure; a run without one is
    left out."""
    runs = []
    for document in documents:
        known = {name: value for name, value in document.items() if name in _NAMES}
        for name in _NUMBERS:
            value = known.get(name)
            if not (isinstance(value, int | float) and 0 < value < math.inf):
                known.pop(name, None)
        known["at_least"] = tuple(known.get("at_least", ()))
        run = MeasuredRun(**known)
        if any(getattr(run, name) is not None for name in _FIGURES):
            runs.append(run)
    return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One measured figure, GiB or s, beside the engine's before any measurement.

    `used`: the estimate is moved by this one. A rate of tokens is turned into the time of a step,
    and the wait for data is taken off it.
    """

    figure: str
    measured: float
    at_least: bool
    said: Range
    standing: Standing
    used: bool = False

    @property
    def ratio(self) -> float:
        """Measured over typical."""
        return self.measured / self.said.typical


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """A run as understood. `place` has what was filled in; `case` is None without a known card or
    model. `waits` is the engine's share of the step that waits for data."""

    run: MeasuredRun
    place: Placement | None = None
    case: Case | None = None
    findings: tuple[Finding, ...] = ()
    states: float | None = None
    live: float | None = None
    stays: tuple[str, ...] = STAYS
    parts_contradict: bool = False
    waits: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Estimated:
    """A run with what the engine says of it."""

    run: MeasuredRun
    place: Placement
    case: Case
    memory: MemoryEstimate
    time: TimeEstimate


def own_runs(task: Task, runs: Iterable[MeasuredRun], catalog: Catalog) -> tuple[OwnRun, ...]:
    """Every run beside the engine, in the order given. `catalog` knows of no measurement."""
    estimated = [(run, _estimated(task, run, catalog)) for run in runs]
    pairs = [e for run, e in estimated if e is not None and run.counted]
    return tuple(
        OwnRun(run=run) if found is None else _beside(found, pairs) for run, found in estimated
    )


def _anchor(own: OwnRun) -> Anchor | None:
    used = {f.figure: f for f in own.findings if f.used}
    if own.case is None or not used:
        return None
    memory = next((used[name] for name in _MEMORY if name in used), None)
    step = used.get("step_s")
    return Anchor(
        case=own.case,
        memory=_deviation(memory) if memory else None,
        step=_deviation(step) if step else None,
        states=own.states,
        live=own.live,
        stays=own.stays,
    )


def _deviation(finding: Finding) -> Deviation:
    return Deviation.between(finding.measured, finding.said, at_least=finding.at_least)


def measured_catalog(catalog: Catalog, task: Task, runs: Sequence[MeasuredRun]) -> Catalog:
    """The catalog from which estimates of `task` follow its runs; the same one without any."""
    if not runs:
        return catalog
    own = own_runs(task, runs, catalog)
    anchors = [a for a in (_anchor(one) for one in own if one.run.counted) if a is not None]
    return replace(catalog, measured=Transfer(anchors=tuple(anchors), runs=own))


def _estimated(task: Task, run: MeasuredRun, catalog: Catalog) -> _Estimated | None:
    if run.accelerator not in catalog.accelerators:
        return None
    whole = replace(task, placement=_place(task, run), recipe=_recipe(task, run))
    (platform,) = candidate_platforms(whole, catalog)
    placed = placed_case(whole, catalog, platform.placement)
    if placed is None:
        return None
    case, place = placed
    return _Estimated(
        run=run,
        place=place,
        case=case,
        memory=memory_of(case, whole, place, catalog),
        time=time_of(case, whole, place, catalog),
    )


def _place(task: Task, run: MeasuredRun) -> Placement:
    """Where it ran: one GPU unless said; the layout of the task counts only on as many."""
    gpus = run.gpus or 1
    wished = task.placement or Placement()
    base = wished if wished.gpus in (None, gpus) else Placement()
    kind = "none" if gpus == 1 else run.data_parallel or base.data_parallel
    return replace(
        base,
        accelerator=run.accelerator,
        gpus=gpus,
        nodes=run.nodes,
        data_parallel=kind,
        shard_degree=base.shard_degree if kind == base.data_parallel else None,
    )


def _recipe(task: Task, run: MeasuredRun) -> Recipe:
    said: dict[str, Any] = {
        "micro_batch": run.micro_batch,
        "sequence_length": run.sequence_length,
        "grad_accumulation": run.grad_accumulation,
    }
    changed = {name: value for name, value in said.items() if value is not None}
    if run.grad_accumulation is not None:
        changed["global_batch"] = None  # it follows from what the run says
    return replace(task.recipe, **changed)


def _beside(found: _Estimated, others: Sequence[_Estimated]) -> OwnRun:
    findings = [*_memory_findings(found), *_step_findings(found)]
    parts = _parts(found, others) or _parts_at_rest(found) or _Parts()
    return OwnRun(
        run=found.run,
        place=found.place,
        case=found.case,
        findings=tuple(_with_used(findings, counted=found.run.counted)),
        states=parts.states,
        live=parts.live,
        stays=parts.stays,
        parts_contradict=parts.contradict,
        waits=found.time.data_share,
    )


def _with_used(findings: Sequence[Finding], *, counted: bool) -> Iterator[Finding]:
    """Of memory the most exact figure is used, an exact one before a bound; of the step the only."""
    possible = [f for f in findings if counted and f.standing not in ("impossible", "silent")]
    memory = [f for f in possible if f.figure in _MEMORY]
    first = min(memory, key=lambda f: (f.at_least, _MEMORY.index(f.figure)), default=None)
    for finding in findings:
        used = finding is first or (finding in possible and finding.figure == "step_s")
        yield replace(finding, used=used)


def _memory_findings(found: _Estimated) -> Iterator[Finding]:
    """The memory of the run; more than the card has, or less than the weights, cannot be."""
    memory, run = found.memory, found.run
    for figure in _MEMORY:
        measured = getattr(run, figure)
        if measured is None:
            continue
        at_least = figure in run.at_least
        said: Range = getattr(memory, figure)
        weights = memory.components_gib["weights"] * _LEAST_OF_WEIGHTS
        impossible = measured > found.case.card.usable_memory_gib and not at_least
        impossible |= measured < weights and not at_least and found.case.offload == "none"
        yield Finding(
            figure=figure,
            measured=measured,
            at_least=at_least,
            said=said,
            standing="impossible" if impossible else _standing(measured, said, at_least=at_least),
        )


def _step_findings(found: _Estimated) -> Iterator[Finding]:
    """The step without its wait for data; faster than the card's peak cannot be."""
    run, case = found.run, found.case
    step_s = run.step_s
    if step_s is None and run.tokens_per_s_per_gpu is not None and case.shape.sample is None:
        step_s = tokens_per_step_per_gpu(case) / run.tokens_per_s_per_gpu
    if step_s is None:
        return
    step_s *= 1.0 - (run.data_wait_ratio or 0.0)
    impossible = step_s <= 0 or utilisation(case, step_s) > 1
    said = found.time.step_s
    standing: Standing = "impossible" if impossible else _standing(step_s, said, at_least=False)
    yield Finding(figure="step_s", measured=step_s, at_least=False, said=said, standing=standing)


def _standing(measured: float, said: Range, *, at_least: bool) -> Standing:
    deviation = Deviation.between(measured, said, at_least=at_least)
    if deviation.silent:
        return "silent"
    if deviation.contradicts:
        return "contradicts"
    return "inside" if said.low <= measured <= said.high else "outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Measured over estimated, of the components that stay and of the rest."""

    states: float | None = None
    live: float | None = None
    stays: tuple[str, ...] = STAYS
    contradict: bool = False


def _told_apart(states: float, live: float, stays: tuple[str, ...] = STAYS) -> _Parts:
    if all(1 / _PART_RATIO <= ratio <= _PART_RATIO for ratio in (states, live)):
        return _Parts(states=states, live=live, stays=stays)
    return _Parts(contradict=True)


def _parts(found: _Estimated, others: Sequence[_Estimated]) -> _Parts | None:
    """What stays and what grows with the micro-batch, from another run that differs in the batch
    only."""
    for other in others:
        figure = _comparable(found, other)
        if figure is None:
            continue
        one, two = (_point(e, figure) for e in (found, other))
        said_growth, growth = one.said - two.said, one.measured - two.measured
        said_rest = one.said - said_growth / (one.tokens - two.tokens) * one.tokens
        rest = one.measured - growth / (one.tokens - two.tokens) * one.tokens
        if said_growth and said_rest > 0:
            return _told_apart(rest / said_rest, growth / said_growth)
    return None


def _parts_at_rest(found: _Estimated) -> _Parts | None:
    """What stays between two steps and what comes and goes, of one run to its end.

    Not where weights are cut over GPUs: how many layers are whole at the peak is another matter.
    """
    run, peak, memory = found.run, found.run.allocated_gib, found.memory
    exact = peak is not None and "allocated_gib" not in run.at_least
    if run.rest_gib is None or peak is None or not exact or found.case.layout.gathers_weights:
        return None
    said = sum(memory.components_gib[name] for name in _AT_REST)
    passing = memory.allocated_gib.typical - said
    if said <= 0 or passing <= 0:
        return None
    return _told_apart(run.rest_gib / said, (peak - run.rest_gib) / passing, _AT_REST)


def _comparable(one: _Estimated, other: _Estimated) -> str | None:
    """The exact figure that both runs have, if only their batch differs."""
    same = one.case.layout == other.case.layout and one.case.card.id == other.case.card.id
    if one is other or not same or one.case.tokens == other.case.tokens:
        return None
    exact = (f for f in _MEMORY if f not in (*one.run.at_least, *other.run.at_least))
    return next((f for f in exact if getattr(one.run, f) and getattr(other.run, f)), None)


@dataclass(frozen=True, slots=True)
class _Point:
    tokens: float
    said: float
    measured: float


def _point(found: _Estimated, figure: str) -> _Point:
    said: Range = getattr(found.memory, figure)
    return _Point(found.case.tokens, said.typical, getattr(found.run, figure))
