"""What a pilot says beside the estimate, and whether to scale on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.catalog.card_names import accelerator_named
from apps.pilots.models import PilotRun
from apps.pilots.records import as_workload
from apps.pilots.table import step_path
from apps.pilots.workload import differences
from apps.sizing.units import SECONDS_PER_HOUR

Block = Mapping[str, Any]

# From this share of a step on, the data come before any more GPUs (as the engine's own advice).
WAIT_RATIO: Final = 0.1
# What a peak may take of a card, as in the verdicts: the rest is their margin.
PEAK_RATIO: Final = 0.9
# More GPUs pay while each keeps this share of the speed of one.
EFFICIENCY_RATIO: Final = 0.7
# Variants that only make sense once training has shown a gain.
SCALED: Final = ("V2", "V3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A measured figure beside the range of the calculation. `error` is measured over typical less
    one, None where nothing was estimated."""

    path: str
    said: Block | None
    measured: float

    @property
    def error(self) -> float | None:
        return self.measured / self.said["typical"] - 1 if self.said else None

    @property
    def inside(self) -> bool | None:
        if self.said is None:
            return None
        return bool(self.said["low"] <= self.measured <= self.said["high"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """One count of GPUs: how many times the work of the fewest is done in the same time, and which
    share of each GPU's speed is left. Batches of a GPU stay, so a step of N GPUs does N times."""

    gpus: int
    step_s: float
    speedup: float
    efficiency: float


def values_of(run: PilotRun) -> dict[str, Any]:
    found: dict[str, Any] = run.record.get("values") or {}
    return found


def facts_of_run(run: PilotRun) -> dict[str, Any]:
    """The protocol as it was when the record was written."""
    found: dict[str, Any] = run.record["facts"]
    return found


def differing(run: PilotRun) -> tuple[str, ...]:
    """Paths of the workload in which the run is not the protocol's."""
    expected = facts_of_run(run)["workload"]
    return differences(expected, as_workload(values_of(run), expected))


def counts_for_calibration(run: PilotRun) -> bool:
    """Complete, and of the very workload."""
    return run.state != PilotRun.State.DRAFT and not differing(run)


def compared(facts: Block, values: Block) -> Iterator[Compared]:
    """Every measured figure that the calculation has something beside."""
    estimates = facts["estimates"]
    if same_place(facts["place"], values):
        for row in facts["by_gpus"]:
            yield from _pair(step_path(row["gpus"]), row["step_s"], values)
        for name in ("allocated_gib", "reserved_gib", "device_gib"):
            yield from _pair(f"memory.{name}", estimates[name], values)
        yield from _pair("checkpoint.save_s", estimates["save_s"], values)
    else:
        for row in facts["by_gpus"]:
            yield from _pair(step_path(row["gpus"]), None, values)
        yield from _pair("memory.allocated_gib", None, values)


def _pair(path: str, said: Block | None, values: Block) -> Iterator[Compared]:
    measured = values.get(path)
    if measured is not None:
        yield Compared(path=path, said=said, measured=float(measured))


def same_place(place: Block, values: Block) -> bool:
    """The same card, count and layout: only then do the estimates speak of it. A rented server is
    the landlord's; of one that is bought the part number has to be the variant's."""
    card = accelerator_named(str(values.get("place.accelerator") or ""))
    same = card is not None and card.id == place["accelerator"]
    same &= values.get("place.gpus") == place["gpus"]
    same &= values.get("place.nodes") in (None, place["nodes"])
    return bool(same and values.get("place.layout") == place["layout"])


def scaling_of(values: Block, counts: list[int]) -> tuple[Scaling, ...]:
    """Speedup and efficiency against the fewest GPUs that were timed."""
    timed = [(n, values[step_path(n)]) for n in counts if values.get(step_path(n))]
    if len(timed) < 2:
        return ()
    first, first_s = timed[0]
    return tuple(
        Scaling(
            gpus=count,
            step_s=step_s,
            speedup=count / first * first_s / step_s,
            efficiency=first_s / step_s,
        )
        for count, step_s in timed
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One condition of going on; `met` is None while nobody has measured it."""

    key: str
    met: bool | None


def criteria_of(facts: Block, values: Block, quality: float | None) -> tuple[Criterion, ...]:
    """Quality first: without a gain the rest decides nothing."""
    return tuple(Criterion(key=key, met=met) for key, met in _criteria(facts, values, quality))


def _criteria(
    facts: Block, values: Block, quality: float | None
) -> Iterator[tuple[str, bool | None]]:
    yield "quality", None if quality is None else quality > 0
    capacity = facts["wanted"]["capacity_gib"]
    peak = next((values[f"memory.{n}_gib"] for n in _PEAKS if values.get(f"memory.{n}_gib")), None)
    if capacity is not None:
        yield "memory", None if peak is None else peak <= capacity * PEAK_RATIO
    target, hours = facts["wanted"]["target_hours"], run_hours(facts, values)
    if target is not None:
        yield "deadline", None if hours is None else hours <= target
    waiting = values.get("feed.wait_ratio")
    yield "feed", None if waiting is None else waiting < WAIT_RATIO
    yield (
        "restore",
        _all(values, ("restored", "step_goes_on"), "checkpoint", state=facts["keeps_state"]),
    )
    yield "stability", _all(values, ("losses_finite", "no_throttling"), "stability", state=False)
    scaled = scaling_of(values, [row["gpus"] for row in facts["by_gpus"]])
    if scaled:
        yield "efficiency", scaled[-1].efficiency >= EFFICIENCY_RATIO


_PEAKS: Final = ("device", "reserved", "allocated")


def _all(values: Block, names: tuple[str, ...], group: str, *, state: bool) -> bool | None:
    names = (*names, "optimizer_goes_on") if state else names
    said = [values.get(f"{group}.{name}") for name in names]
    return None if None in said else all(said)


def run_hours(facts: Block, values: Block) -> float | None:
    """Hours of the whole run: the measured step times the steps, and what is added to them."""
    base_s = _steps_s(facts, values)
    return None if base_s is None else _with_added(facts, values, base_s)


def reserve_s(facts: Block, values: Block) -> float:
    """Seconds of `run_hours` that are not steps."""
    base_s, hours = _steps_s(facts, values), run_hours(facts, values)
    return 0.0 if base_s is None or hours is None else hours * SECONDS_PER_HOUR - base_s


def _steps_s(facts: Block, values: Block) -> float | None:
    steps, step_s = facts["estimates"]["steps"], values.get(step_path(facts["place"]["gpus"]))
    return float(steps * step_s) if steps and step_s else None


def hours_on(facts: Block, values: Block, row: Block) -> float | None:
    """Hours of the whole run of `facts` on the GPUs of a row of `by_gpus` of the run's protocol:
    the same samples in other batches."""
    steps, step_s = facts["estimates"]["steps"], values.get(step_path(row["gpus"]))
    whole = next((r for r in facts["by_gpus"] if r["gpus"] == facts["place"]["gpus"]), None)
    if not steps or not step_s or whole is None or not row["global_batch"]:
        return None
    return _with_added(
        facts, values, steps * whole["global_batch"] / row["global_batch"] * float(step_s)
    )


def _with_added(facts: Block, values: Block, base_s: float) -> float:
    added = added_s(values, base_s, facts["estimates"].get("parts_hours") or {})
    return (base_s + sum(added.values())) / SECONDS_PER_HOUR


def added_s(values: Block, base_s: float, parts_hours: Block) -> dict[str, float]:
    """Seconds of loading, validation, saving and restarts beside the steps themselves.

    What nobody measured or counted is held in reserve: as the calculation has it, typically, in
    `parts_hours`. Validation and restarts grow with the steps, loading and saving do not.
    """
    share = base_s / parts_hours["steps"] if parts_hours.get("steps") else 0.0
    ratio = values.get("added.retries_ratio")
    measured = {
        "loading": values.get("added.loading_s"),
        "validation": _product(values, "added.validation_s", "added.validations"),
        "saving": _product(values, "checkpoint.save_s", "added.saves"),
        "retries": None if ratio is None else base_s * ratio,
    }
    reserve = {
        "loading": parts_hours.get("start", 0.0) * SECONDS_PER_HOUR,
        "validation": parts_hours.get("evaluation", 0.0) * share,
        "saving": parts_hours.get("saves", 0.0) * SECONDS_PER_HOUR,
        "retries": parts_hours.get("restarts", 0.0) * share,
    }
    return {name: reserve[name] if said is None else said for name, said in measured.items()}


def _product(values: Block, one: str, count: str) -> float | None:
    if values.get(one) is None or values.get(count) is None:
        return None
    return float(values[one] * values[count])


def no_gain(runs: list[PilotRun]) -> PilotRun | None:
    """The latest closed pilot of the protocol's own workload, when it showed no gain on held-out
    data: nothing is scaled."""
    closed = [r for r in runs if r.state == PilotRun.State.CLOSED and not differing(r)]
    last = max(closed, key=lambda run: (run.closed_at, run.number), default=None)
    return last if last is not None and (last.quality_delta or 0) <= 0 else None
