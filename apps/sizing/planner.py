"""What else there is: the few ways of the whole catalog between which a reader would choose.

Every accelerator on sale in every server that takes it, by counts, nodes and layouts; what does
not hold the model at the high end, is late or does not stand on the site is left out, and said
with what it lacks where it came near. Deterministic; no clock, no chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from apps.sizing.estimators.interconnect import scheme_of
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.planning.judging import MEASURED_KIND, Judged, Question, Way
from apps.sizing.planning.lacks import nearest_rejected
from apps.sizing.planning.rows import reason_of, shown_rows
from apps.sizing.planning.search import Search
from apps.sizing.planning.standing import Standing, mark_of, standing_of, way_of
from apps.sizing.shapes import resolve_shape
from apps.sizing.task import Task
from apps.sizing.variants import Variant, with_savings

RENT: Final = "rent"
# Sets that are named beside a row as no better than it.
_MOST_NEAR: Final = 3


def plan(
    task: Task,
    catalog: Catalog,
    context: Mapping[str, Any],
    variants: Sequence[Variant] = (),
) -> dict[str, Any] | None:
    """The block `plan`; None where the hardware is named or the model's size is not known.

    Shape: `{"target_hours", "site_known", "considered", "front", "rejected", "variants",
    "reason"}`. A row of the front has `platform`, `server`, `other_servers`, `accelerator`,
    `gpus`, `nodes`, `layout`, `gpu_rating_kw`, `load_kw`, `device_gib`, `capacity_gib`,
    `free_ratio` (of the card, by the high end), `hours` or `sample_s`, `verdicts`, `measured`,
    `savings`, `splits` (the model itself is split: the framework has to be able to), `near`
    (sets within its range that are no smaller), `why` (a message) and `variants` (keys of those
    that it is). A rejected one has `lacks` (messages) instead of the last three. `variants` says
    of each chosen variant how it stands to the front. `reason` is there when the front is empty.
    """
    shape = resolve_shape(task.model, catalog)
    if shape is None or is_placed(task):
        return None
    thrifty, savings = with_savings(task)
    question = Question(
        task=task,
        thrifty=thrifty,
        savings=savings,
        shape=shape,
        catalog=catalog,
        placed=context.get("acquisition") != RENT,
    )
    search = Search(question)
    search.sweep()
    ways = [(variant, way_of(variant, question)) for variant in variants]
    marks = {mark_of(way) for _, way in ways if way is not None}
    wanted = [i for i, row in enumerate(search.front) if mark_of(row.way) in marks]
    rows = shown_rows(search.front, wanted)
    standings = {
        variant.key: standing_of(way, rows, question, rented=variant.rented)
        for variant, way in ways
        if way is not None
    }
    rejected = nearest_rejected(search)
    return {
        "target_hours": question.target_hours,
        "site_known": question.placed and question.feed is not None,
        "considered": _considered(search, len(rows)),
        "front": [_front_row(i, rows, standings) for i in range(len(rows))],
        "rejected": [
            {**_row(found), "lacks": [m.as_dict() for m in lacks]} for found, lacks in rejected
        ],
        "variants": {key: standing.as_dict() for key, standing in standings.items()},
        "reason": None if rows else _reason(bool(rejected)).as_dict(),
    }


def _reason(near: bool) -> Message:
    return Message("plan.reason.nothing") if near else Message("plan.reason.nothing-near")


def is_placed(task: Task) -> bool:
    """Whether the task names its accelerator: then there is nothing to plan."""
    return task.placement is not None and task.placement.accelerator is not None


def _considered(search: Search, shown: int) -> dict[str, int]:
    counts = search.counts
    servers = {server.sku for hardware in search.hardware for server in hardware.servers}
    return {
        "accelerators": len({hardware.card.id for hardware in search.hardware}),
        "servers": len(servers),
        "ways": counts.ways,
        "by_states": counts.by_states,
        "by_memory": counts.by_memory,
        "by_time": counts.by_time,
        "by_site": counts.by_site,
        "worse": counts.worse,
        "not_shown": len(search.front) - shown,
    }


def _front_row(
    index: int, rows: Sequence[Judged], standings: Mapping[str, Standing]
) -> dict[str, Any]:
    found = rows[index]
    return {
        **_row(found),
        "splits": found.way.splits,
        "near": _near(found, rows),
        "why": reason_of(index, rows).as_dict(),
        "variants": [k for k, s in standings.items() if s.relation == "shown" and s.row == index],
    }


def _row(found: Judged) -> dict[str, Any]:
    """The figures of one way."""
    way, stand = found.way, found.stand
    hardware, time = way.hardware, found.time
    cycle = time.cycle if time else None
    sample_s = found.pace.as_dict() if time and cycle is None else None
    return {
        "platform": way.platform.key,
        "server": stand.server.sku if stand.server else None,
        "other_servers": list(stand.others),
        "accelerator": hardware.card.id,
        "gpus": hardware.gpus,
        "nodes": hardware.nodes,
        "layout": scheme_of(way.case),
        "gpu_rating_kw": hardware.size[1] / 1000,
        "load_kw": stand.fit.load_kw.as_dict() if stand.fit else None,
        "device_gib": found.memory.device_gib.as_dict(),
        "capacity_gib": found.memory.capacity_gib,
        "free_ratio": 1.0 - found.share.high,
        "hours": cycle.hours.as_dict() if cycle else None,
        "sample_s": sample_s,
        "verdicts": {
            "memory": found.memory.verdict,
            "time": cycle.verdict if cycle else "unknown",
            "rack": stand.fit.verdict if stand.fit else "unknown",
        },
        "measured": way.evidence == MEASURED_KIND,
        "savings": [message.as_dict() for message in way.savings],
    }


def _near(found: Judged, rows: Sequence[Judged]) -> list[dict[str, Any]]:
    """Sets of other GPUs that are no smaller and whose typical time lies within its range."""
    shown = {(row.way.hardware.card.id, row.way.hardware.gpus) for row in rows}
    near: dict[tuple[str, int], Way] = {}
    for way in sorted(found.alike, key=lambda w: (w.hardware.size, w.platform.key, w.order)):
        key = (way.hardware.card.id, way.hardware.gpus)
        alike = way.pace <= found.pace.high
        if alike and way.hardware.nodes == found.way.hardware.nodes and key not in shown:
            near.setdefault(key, way)
    return [
        {"accelerator": card, "gpus": gpus, "nodes": way.hardware.nodes}
        for (card, gpus), way in list(near.items())[:_MOST_NEAR]
    ]
