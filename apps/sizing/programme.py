"""The whole programme of runs: the series before the final one, planned cycles, the price of speed.

One successful run is not a project. What is worked out here rests on the run that the time
estimator gave for the recommended variant; nothing of it is priced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.cases import resolve_case
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message, Parameter
from apps.sizing.ranges import Range
from apps.sizing.speed import price_of_speed
from apps.sizing.task import Task
from apps.sizing.timing.workload import model_flops_per_step_per_gpu
from apps.sizing.variants import Variant
from apps.sizing.verdicts import deadline_verdict

HOURS_PER_MONTH: Final = 730.5
# Experiments when nobody says how many: several, never one. Custom of the field, no source.
USUAL_EXPERIMENTS: Final = Range(3.0, 10.0, 30.0)
# An experiment as a share of the final run: from a tenth of the data to all of it. As above.
EXPERIMENT_RATIO: Final = Range(0.1, 0.5, 1.0)
# Runs that have to be done again, as a share of the series. As above.
REPEAT_RATIO: Final = Range(0.0, 0.1, 0.3)
# What is kept free of the time between two cycles, and added to the heaviest one. Design rule.
CYCLE_RESERVE_RATIO: Final = 0.2


def programme_of(
    task: Task,
    catalog: Catalog,
    best: Variant | None,
    candidates: Sequence[Candidate],
    context: Mapping[str, Any],
) -> dict[str, Any] | None:
    """The programme on the recommended variant; None where the time of its run is not known.

    Shape: `{"variant", "gpus", "parallel_runs", "gpus_at_once", "rows": [{"kind", "runs",
    "hours", "gpu_hours"}], "total_hours", "total_gpu_hours", "assumed_experiments",
    "cap_gpu_hours", "cap_verdict", "rent_hours", "rent_verdict", "stop_stated", "cycle", "speed",
    "run_flop", "idle_gpu_hours_per_month", "messages"}`. Hours are Ranges; those of a total are of the
    calendar, with `parallel_runs` at once. `cycle` and `speed` as `heaviest_cycle` and
    `price_of_speed` say.
    """
    hours = _run_hours(task, best)
    if best is None or hours is None:
        return None
    gpus, parallel = best.candidate.platform.gpus, task.cycle.parallel_runs or 1
    rows = series_rows(hours, gpus, context.get("experiments"))
    gpu_hours = _sum(row["gpu_hours"] for row in rows)
    calendar = gpu_hours / (gpus * parallel)
    block = {
        "variant": best.key,
        "gpus": gpus,
        "parallel_runs": parallel,
        "gpus_at_once": gpus * parallel,
        "rows": [_as_dicts(row) for row in rows],
        "total_hours": calendar.as_dict(),
        "total_gpu_hours": gpu_hours.as_dict(),
        "assumed_experiments": context.get("experiments") is None,
        "cap_gpu_hours": context.get("cap_gpu_hours"),
        "cap_verdict": deadline_verdict(gpu_hours, context.get("cap_gpu_hours")),
        "rent_hours": context.get("rent_hours"),
        "rent_verdict": deadline_verdict(calendar, context.get("rent_hours")),
        "stop_stated": bool(context.get("stop_stated")),
        "cycle": heaviest_cycle(hours, task, context),
        "speed": price_of_speed(task, catalog, candidates, hours.typical),
        "run_flop": _run_flop(task, catalog, best),
        "idle_gpu_hours_per_month": _idle(gpus, context.get("busy_ratio")),
    }
    said = _messages(block, hours, context, task.cycle.runs_per_quarter)
    return {**block, "messages": [message.as_dict() for message in said]}


def _run_hours(task: Task, best: Variant | None) -> Range | None:
    """One whole run; the deadline may be for an epoch of several."""
    cycle = (best.candidate.blocks.get("time") or {}).get("cycle") if best else None
    if cycle is None:
        return None
    epochs = (task.recipe.epochs or 1.0) if cycle["scope"] == "epoch" else 1.0
    return Range.from_dict(cycle["hours"]) * epochs


def _run_flop(task: Task, catalog: Catalog, best: Variant) -> float | None:
    """Operations of the model in one whole run, recomputation not counted."""
    platform = best.candidate.platform
    cycle = (best.candidate.blocks.get("time") or {}).get("cycle")
    case = resolve_case(task, platform.placement, catalog)
    if case is None or cycle is None:
        return None
    epochs = (task.recipe.epochs or 1.0) if cycle["scope"] == "epoch" else 1.0
    return model_flops_per_step_per_gpu(case) * platform.gpus * float(cycle["steps"]) * epochs


def series_rows(hours: Range, gpus: int, experiments: float | None) -> list[dict[str, Any]]:
    """Experiments with data and with settings, the final run, and what has to be repeated."""
    planned = USUAL_EXPERIMENTS if experiments is None else Range.exact(experiments)
    series = hours * planned * EXPERIMENT_RATIO
    final = hours
    repeats = (series + final) * REPEAT_RATIO
    return [
        {"kind": kind, "runs": runs, "hours": took, "gpu_hours": took * gpus}
        for kind, runs, took in (
            ("experiments", planned, series),
            ("final", Range.exact(1), final),
            ("repeats", None, repeats),
        )
    ]


def heaviest_cycle(hours: Range, task: Task, context: Mapping[str, Any]) -> dict[str, Any] | None:
    """The heaviest of the planned cycles with its reserve, against the time between two.

    `share_ratio` is the largest share of the data that a cycle trains on; None: all of it.
    """
    if task.strategy != "continual":
        return None
    share = context.get("cycle_share_ratio")
    reserved = hours * (1.0 if share is None else share) * (1 + CYCLE_RESERVE_RATIO)
    every = context.get("cycle_every_hours")
    return {
        "share_ratio": share,
        "reserve_ratio": CYCLE_RESERVE_RATIO,
        "hours": reserved.as_dict(),
        "every_hours": every,
        "verdict": deadline_verdict(reserved, every),
    }


def _idle(gpus: int, busy_ratio: float | None) -> float | None:
    """GPU-hours a month that a server of one's own stands without work."""
    return None if busy_ratio is None else gpus * HOURS_PER_MONTH * (1 - busy_ratio)


def _run_cost(gpu_hours: Range, runs_per_quarter: float | None) -> Message:
    """How one run is priced with the client's own rates; no rate is ours to name."""
    params: dict[str, Parameter] = {
        "least_gpu_hours": gpu_hours.low,
        "most_gpu_hours": gpu_hours.high,
    }
    if not runs_per_quarter:
        return Message("programme.run-cost-open", params)
    return Message("programme.run-cost", params | {"runs_count": runs_per_quarter})


def _messages(
    block: Mapping[str, Any],
    hours: Range,
    context: Mapping[str, Any],
    runs_per_quarter: float | None,
) -> Iterator[Message]:
    yield Message("programme.series")
    if block["run_flop"]:
        yield Message("programme.compute", {"run_flop": block["run_flop"]})
    if block["assumed_experiments"]:
        yield Message("programme.experiments-assumed")
    if not block["stop_stated"]:
        yield Message("programme.no-stop")
    yield from _against_limits(block)
    if block["parallel_runs"] > 1:
        params = {"runs_count": block["parallel_runs"], "gpus": block["gpus_at_once"]}
        yield Message("programme.parallel", params)
    if context.get("months_acceptable") is False and hours.high > HOURS_PER_MONTH:
        yield Message("programme.months")
    yield _run_cost(hours * block["gpus"], runs_per_quarter)
    idle = block["idle_gpu_hours_per_month"]
    if idle:
        yield Message("programme.idle", {"idle_gpu_hours": idle})


_WORDS: Final[Mapping[str, str]] = {"fits": "within", "risk": "risk", "does-not-fit": "over"}


def _against_limits(block: Mapping[str, Any]) -> Iterator[Message]:
    """How the series stands to the client's limits; nothing of one that is not stated."""
    cap, rent = _WORDS.get(block["cap_verdict"]), _WORDS.get(block["rent_verdict"])
    if cap is not None:
        yield Message(f"programme.cap-{cap}", {"cap_gpu_hours": block["cap_gpu_hours"]})
    if rent is not None:
        yield Message(f"programme.rent-{rent}", {"rent_hours": block["rent_hours"]})


def _sum(ranges: Iterator[Range]) -> Range:
    total = Range.exact(0)
    for one in ranges:
        total = total + one
    return total


def _as_dicts(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.as_dict() if isinstance(v, Range) else v for k, v in row.items()}
