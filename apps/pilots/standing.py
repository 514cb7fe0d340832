"""What the pilots of a requisition mean for the variants of a revision, as plain JSON.

A document freezes it; pages read it anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.catalog.card_names import accelerator_named
from apps.charts import MeasuredPoint
from apps.core import formatting
from apps.pilots.judging import (
    SCALED,
    counts_for_calibration,
    facts_of_run,
    hours_on,
    no_gain,
    values_of,
)
from apps.pilots.models import PilotRun
from apps.pilots.selectors import facts_of
from apps.pilots.table import step_path
from apps.requisitions.models import Revision

Block = Mapping[str, Any]


def pilot_of(revision: Revision) -> dict[str, Any]:
    """`protocol`: the facts of the protocol; `confirmed`: places where its workload was measured;
    `points`: what a cycle comes to at each step that was measured; `stop`: the closed pilot that
    showed no gain. What is empty is left out."""
    facts = facts_of(revision)
    if facts is None:
        return {}
    runs = list(_runs(revision).filter(workload_sha256=facts["workload_sha256"]))
    stopped = no_gain(runs)
    counted = [run for run in runs if counts_for_calibration(run)]
    found = {
        "protocol": facts,
        "confirmed": [_place(run) for run in counted],
        "points": [point for run in counted for point in _points(facts, run)],
        "stop": _stop(stopped) if stopped else None,
    }
    return {name: value for name, value in found.items() if value}


def stop_of(revision: Revision) -> dict[str, Any]:
    """`pilot_of` with nothing but its `stop`: the protocol is worked out only where a pilot is
    closed."""
    if not _runs(revision).filter(state=PilotRun.State.CLOSED).exists():
        return {}
    return {name: value for name, value in pilot_of(revision).items() if name == "stop"}


def _runs(revision: Revision) -> QuerySet[PilotRun]:
    """Those of this letter and of earlier ones."""
    return PilotRun.objects.filter(
        revision__requisition=revision.requisition_id, revision__index__lte=revision.index
    ).select_related("revision")


def held_back(result: Block, pilot: Block) -> Block:
    """A result in which nothing bigger is recommended, and nothing ready to be bought, while a
    pilot speaks against scaling."""
    if not pilot.get("stop"):
        return result
    variants = [
        {**v, "recommended": v["recommended"] and v["key"] not in SCALED}
        for v in result.get("variants") or ()
    ]
    return {**result, "variants": variants, "verdict": "do-not-buy-yet", "readiness": "early"}


def _place(run: PilotRun) -> dict[str, Any]:
    values = values_of(run)
    card = accelerator_named(str(values.get("place.accelerator") or ""))
    return {
        "name": f"{run.revision.letter}{run.number}",
        "server": values.get("place.server"),
        "accelerator": card.id if card else None,
        "gpus": values.get("place.gpus"),
        "nodes": values.get("place.nodes"),
        "layout": values.get("place.layout"),
    }


def _points(facts: Block, run: PilotRun) -> Iterator[dict[str, Any]]:
    """One for each count of GPUs on which a step was timed."""
    values, place = values_of(run), _place(run)
    typed = str(values.get("place.accelerator") or "")
    card = accelerator_named(typed)
    for row in facts_of_run(run)["by_gpus"]:
        hours = hours_on(facts, values, row)
        if hours is not None:
            yield {
                "name": place["name"],
                "card": card.name if card else typed,
                "accelerator": place["accelerator"],
                "gpus": row["gpus"],
                "step_s": values[step_path(row["gpus"])],
                "hours": hours,
            }


def _stop(run: PilotRun) -> dict[str, Any]:
    values = values_of(run)
    said = {name: values[f"quality.{name}"] for name in ("metric", "baseline", "result")}
    return {"name": f"{run.revision.letter}{run.number}", **said}


def confirms(pilot: Block, variant: Block) -> bool:
    """Was the variant itself measured: its card, count and layout, and of one that is bought its
    part number where the record names one?"""
    return any(_same(place, variant) for place in pilot.get("confirmed") or ())


def _same(place: Block, variant: Block) -> bool:
    layout = (variant.get("layout") or {}).get("data_parallel") or "none"
    same = place["accelerator"] is not None and place["accelerator"] == variant.get("accelerator")
    same &= (place["gpus"], place["nodes"]) == (variant["gpus"], variant["nodes"])
    same &= place["layout"] == (layout if variant["gpus"] > 1 else "none")
    if variant.get("rented"):
        return bool(same)
    return bool(same and place["server"] == variant.get("server"))


def status_words(pilot: Block, variant: Block) -> str:
    """How sure a variant is: calculated with assumptions, or confirmed by a pilot; and whether a
    pilot speaks against scaling to it."""
    words = (
        _("confirmed by a pilot") if confirms(pilot, variant) else _("calculated, with assumptions")
    )
    if pilot.get("stop") and variant["key"] in SCALED:
        return _("%(status)s; not recommended: the pilot showed no gain") % {"status": words}
    return words


def measured_points(pilot: Block) -> list[MeasuredPoint]:
    """For the drawing of the cycle."""
    return [
        MeasuredPoint(name=point["name"], gpu_count=point["gpus"], hours=point["hours"])
        for point in pilot.get("points") or ()
    ]


def stop_title(pilot: Block) -> str:
    """The same as a headline."""
    return _("Do not scale: the pilot showed no gain") if pilot.get("stop") else ""


def stop_steps() -> tuple[str, ...]:
    """What to do instead of buying more, in order."""
    return (
        _("Check the held-out set and the metric: do they show what the task is about?"),
        _("Look for the cause in the data and the method on the hardware of the pilot."),
        _("Repeat the pilot; scale when it shows a gain."),
    )


def stop_text(pilot: Block) -> str:
    """Why nothing is scaled; empty when nothing speaks against it."""
    stop = pilot.get("stop")
    if not stop:
        return ""
    return _(
        "Do not scale: pilot %(name)s showed no gain on held-out data (%(metric)s: %(before)s before, %(after)s after). %(variants)s are not recommended until a pilot shows one."
    ) % {
        "name": stop["name"],
        "metric": stop["metric"],
        "before": formatting.number(stop["baseline"]),
        "after": formatting.number(stop["result"]),
        "variants": ", ".join(SCALED),
    }
