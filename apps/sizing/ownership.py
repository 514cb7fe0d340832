"""Own, rent or cloud, in GPU-hours: how busy a server of one's own would be, and from when it pays.

There are no prices here. Owning pays from the share of its hours at which its whole cost equals
the price of the same GPU-hours rented: both are the client's to put in. What can be calculated is
the use that stands against that share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from apps.sizing.joined import HOURS_PER_YEAR
from apps.sizing.messages import Message
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.variants import Variant

UNDECIDED: Final = "undecided"
# Period -> its calendar hours; a node may run through all of them.
PERIODS_HOURS: Final[Mapping[str, float]] = {
    "month": HOURS_PER_YEAR / 12,
    "quarter": HOURS_PER_YEAR / 4,
    "year": HOURS_PER_YEAR,
}
_HORIZON_YEARS: Final[Mapping[str, Range]] = {
    "1-2y": Range(1.0, 1.5, 2.0),
    "3-5y": Range(3.0, 4.0, 5.0),
}
# Full quarters of measured use before a trigger is believed: one may be the start-up rush.
_TRIGGER_QUARTERS: Final = 2


def own_or_rent(
    task: Task, variants: Sequence[Variant], context: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The comparison of owning and renting; None unless the client has not decided.

    Shape: `{"runs_per_quarter", "busy_ratio", "horizon": {"use", "years": Range} | None,
    "rows": [...], "messages": [...], "trigger": message, "missing": [task field, ...]}`.

    A row stands for a variant: `variant`, `platform`, `accelerator`, `gpus`, `nodes`,
    `rented`, `run_gpu_hours` (Range, of one run), `used_gpu_hours` and `owned_gpu_hours` by period (`month`,
    `quarter`, `year`, and `horizon` where one is stated; Ranges), `utilisation_ratio` (Range of
    used to owned over a year; above 1 the runs do not fit into the time). Whatever needs an
    unknown is None, and `missing` names the unknown.
    """
    if context.get("acquisition") != UNDECIDED or not variants:
        return None
    years = _HORIZON_YEARS.get(task.horizon.use or "")
    rows = [_row(v, task, years) for v in _shown(variants)]
    return {
        "runs_per_quarter": task.cycle.runs_per_quarter,
        "busy_ratio": context.get("busy_ratio"),
        "horizon": {"use": task.horizon.use, "years": years.as_dict()} if years else None,
        "rows": rows,
        "messages": [m.as_dict() for m in _messages(task, rows, context)],
        "trigger": Message("own.trigger", {"quarters_count": _TRIGGER_QUARTERS}).as_dict(),
        "missing": list(_missing(task, rows)),
    }


def _shown(variants: Sequence[Variant]) -> Iterator[Variant]:
    """Each platform once, an own one before the same rented: the hours are the same."""
    seen: set[str] = set()
    for variant in sorted(variants, key=lambda v: (v.rented, v.key)):
        if variant.candidate.platform.key not in seen:
            seen.add(variant.candidate.platform.key)
            yield variant


def _row(variant: Variant, task: Task, years: Range | None) -> dict[str, Any]:
    platform = variant.candidate.platform
    run = _run_gpu_hours(variant, task)
    periods = {name: Range.exact(hours) for name, hours in PERIODS_HOURS.items()}
    if years is not None:
        periods["horizon"] = years * HOURS_PER_YEAR
    owned = {name: hours * platform.gpus for name, hours in periods.items()}
    used = _used(run, task.cycle.runs_per_quarter, periods) if run else None
    ratio = used["year"] / owned["year"].typical if used else None
    return {
        "variant": variant.key,
        "platform": platform.key,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "rented": variant.rented,
        "run_gpu_hours": run.as_dict() if run else None,
        "used_gpu_hours": {k: r.as_dict() for k, r in used.items()} if used else None,
        "owned_gpu_hours": {k: r.as_dict() for k, r in owned.items()},
        "utilisation_ratio": ratio.as_dict() if ratio else None,
    }


def _run_gpu_hours(variant: Variant, task: Task) -> Range | None:
    """GPU-hours of one whole run; the deadline may be for an epoch of several."""
    cycle = (variant.candidate.blocks.get("time") or {}).get("cycle")
    if cycle is None:
        return None
    epochs = (task.recipe.epochs or 1.0) if cycle["scope"] == "epoch" else 1.0
    return Range.from_dict(cycle["hours"]) * (epochs * variant.candidate.platform.gpus)


def _used(
    run: Range, runs_per_quarter: float | None, periods: Mapping[str, Range]
) -> dict[str, Range] | None:
    if runs_per_quarter is None:
        return None
    hourly = run * (runs_per_quarter / PERIODS_HOURS["quarter"])
    return {name: hourly * hours for name, hours in periods.items()}


def _messages(
    task: Task, rows: Sequence[Mapping[str, Any]], context: Mapping[str, Any]
) -> Iterator[Message]:
    """What the figures say: the formula, how idle or overloaded an own server would be."""
    yield Message("own.formula")
    if task.horizon.use == "one-off":
        yield Message("own.one-off")
    first = next((r for r in rows if r["utilisation_ratio"] and not r["rented"]), None)
    if first is not None:
        yield from _burden(first)
    expected = context.get("busy_ratio")
    if expected is not None:
        yield Message("own.expected-use", {"busy_ratio": expected})
    yield Message("own.repeats")


def _burden(row: Mapping[str, Any]) -> Iterator[Message]:
    """Whether the stated runs leave the smallest own server idle or do not fit into its time."""
    ratio = row["utilisation_ratio"]
    if ratio["low"] > 1:
        yield Message("own.too-small", {"variant": row["variant"]})
    elif ratio["high"] < 1:
        idle = row["owned_gpu_hours"]["year"]["typical"] - row["used_gpu_hours"]["year"]["typical"]
        yield Message("own.idle", {"variant": row["variant"], "idle_gpu_hours": idle})


def _missing(task: Task, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Task fields without which a figure is not there."""
    if all(row["run_gpu_hours"] is None for row in rows):
        yield "data.samples" if task.model.kind in ("vision", "diffusion") else "data.tokens"
    if task.cycle.runs_per_quarter is None:
        yield "cycle.runs_per_quarter"
    if task.horizon.use is None:
        yield "horizon.use"
