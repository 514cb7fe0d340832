"""Records of pilots for tests, of the requisitions of `tests.review.samples`."""

from typing import Any

from apps.accounts.models import User
from apps.pilots.models import PilotRun
from apps.pilots.selectors import facts_of
from apps.pilots.services import pilot_save
from apps.pilots.table import step_path
from apps.requisitions.models import Revision


def whole_values(facts: dict[str, Any]) -> dict[str, Any]:
    """A complete record of the protocol's own workload, every figure as expected."""
    workload, place, estimates = facts["workload"], facts["place"], facts["estimates"]
    values: dict[str, Any] = {
        "model": workload["model"],
        "versions.framework": "torch 2.8.0",
        "time.run_s": 900.0,
        "memory.allocated_gib": estimates["allocated_gib"]["typical"],
        "feed.samples_per_s": 500.0,
        "feed.wait_ratio": 0.01,
        "exchange.share": 0.1,
        "exchange.spread": 0.02,
        "exchange.topology": True,
        "checkpoint.save_s": 30.0,
        "checkpoint.restore_s": 40.0,
        "checkpoint.restored": True,
        "checkpoint.step_goes_on": True,
        "checkpoint.optimizer_goes_on": True,
        "stability.utilisation": 0.9,
        "stability.hours": 4,
        "stability.losses_finite": True,
        "stability.no_throttling": True,
    }
    parameters = {k: v for k, v in workload["parameters"].items() if v is not None and k != "stage"}
    values |= {f"parameters.{k}": v for k, v in parameters.items()}
    values |= {f"steps.{k}": v for k, v in workload["steps"].items()}
    values |= {f"place.{k}": place[k] for k in ("accelerator", "gpus", "nodes", "layout")}
    for row in facts["by_gpus"]:
        values[step_path(row["gpus"])] = row["step_s"]["typical"]
    return values


QUALITY = {
    "quality.metric": "accuracy",
    "quality.baseline": 0.61,
    "quality.result": 0.86,
    "quality.better": "higher",
}


def make_run(revision: Revision, actor: User, **changes: Any) -> PilotRun:
    """Written down as complete; `changes` by path with `__` for the dot, None leaves a figure out."""
    facts = facts_of(revision)
    assert facts is not None
    values = whole_values(facts) | {k.replace("__", "."): v for k, v in changes.items()}
    values = {k: v for k, v in values.items() if v is not None}
    return pilot_save(revision=revision, facts=facts, values=values, origin="form", actor=actor)
