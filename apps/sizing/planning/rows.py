"""At most seven rows of the front, and why each of them is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from apps.sizing.messages import Message
from apps.sizing.planning.judging import MEASURED_KIND, Judged
from apps.sizing.planning.search import AMPLE_FREE_RATIO, comparable

MOST_ROWS: Final = 7


def shown_rows(front: Sequence[Judged], wanted: Sequence[int]) -> list[Judged]:
    """The whole front when it is short. Otherwise its ends, the `wanted`, and of the rest those
    that differ most from what is shown already, in power and time."""
    if len(front) <= MOST_ROWS:
        return list(front)
    ends = [0, _fastest(front), *wanted, _first_measured(front), _roomiest(front)]
    kept = list(dict.fromkeys(i for i in ends if i is not None))[:MOST_ROWS]
    while len(kept) < MOST_ROWS:
        rest = [i for i in range(len(front)) if i not in kept]
        kept.append(max(rest, key=lambda i: (_apart(front, i, kept), -i)))
    return [front[i] for i in sorted(kept)]


def _apart(front: Sequence[Judged], index: int, kept: Sequence[int]) -> float:
    """How far a row is from the nearest of those kept."""
    return min(_distance(front[index], front[other]) for other in kept)


def _distance(one: Judged, other: Judged) -> float:
    pace = abs(math.log(one.pace.high / other.pace.high))
    mine, its = (row.way.hardware.size for row in (one, other))
    return pace + abs(math.log(max(mine[1], 1.0) / max(its[1], 1.0)))


def _fastest(front: Sequence[Judged]) -> int:
    return min(range(len(front)), key=lambda i: (front[i].pace.high, i))


def _roomiest(front: Sequence[Judged]) -> int:
    """The smallest that leaves ample memory free, else the one that leaves most."""
    ample = 1.0 - AMPLE_FREE_RATIO
    return min(range(len(front)), key=lambda i: (max(front[i].share.high, ample), i))


def _first_measured(front: Sequence[Judged]) -> int | None:
    return next((i for i, row in enumerate(front) if row.way.evidence == MEASURED_KIND), None)


def reason_of(index: int, rows: Sequence[Judged]) -> Message:
    """By what the rule of the sweep keeps a row, in one sentence; rows are numbered from one."""
    row = rows[index]
    if len(rows) == 1:
        return Message("plan.why.only")
    if index == 0:
        return _smallest(row)
    if index == _fastest(rows) and all(_faster(row, other) for other in rows[:index]):
        return _fastest_of_all(index, rows)
    measured = [i for i, r in enumerate(rows) if r.way.evidence == MEASURED_KIND]
    if measured and measured[0] == index:
        return Message("plan.why.only-measured" if len(measured) == 1 else "plan.why.measured")
    return _against_smaller(index, rows)


def _smallest(row: Judged) -> Message:
    cycle = row.time.cycle if row.time else None
    kw = {"gpu_rating_kw": row.way.hardware.size[1] / 1000}
    if cycle is None or cycle.target_hours is None:
        return Message("plan.why.smallest", kw)
    return Message("plan.why.smallest-in-time", {**kw, "target_hours": cycle.target_hours})


def _faster(row: Judged, other: Judged) -> bool:
    """By its high end faster than another typically is."""
    return row.pace.high < other.pace.typical


def _times(row: Judged, others: Sequence[int], rows: Sequence[Judged]) -> dict[str, float]:
    """How many times faster than the fastest of others, both by their high ends."""
    fastest = min(others, key=lambda i: (rows[i].pace.high, i))
    return {"row": fastest + 1, "times": rows[fastest].pace.high / row.pace.high}


def _free(row: Judged, other: Judged) -> dict[str, float]:
    return {"free_ratio": 1.0 - row.share.high, "other_free_ratio": 1.0 - other.share.high}


def _fastest_of_all(index: int, rows: Sequence[Judged]) -> Message:
    row = rows[index]
    params = _times(row, range(index), rows)
    if row.time is not None and row.time.cycle is not None:
        return Message("plan.why.fastest", params)
    return Message("plan.why.fastest-step", params)


def _against_smaller(index: int, rows: Sequence[Judged]) -> Message:
    """What it has that the smaller rows have not: each of them fails to stand for it somehow."""
    row, smaller = rows[index], rows[:index]
    rivals = [i for i, other in enumerate(smaller) if comparable(other, row.way, row.share.high)]
    apart = [i for i, other in enumerate(smaller) if i not in rivals and _same_gpus(row, other)]
    if apart:
        return _of_another_kind(row, apart[-1], rows)
    others = rivals or list(range(index))
    slower = [i for i in others if _faster(row, rows[i])]
    fuller = [i for i in others if i not in slower]
    if fuller and not rivals:
        return _of_another_kind(row, fuller[-1], rows)
    if not fuller:
        return Message("plan.why.faster", _times(row, slower, rows))
    roomiest = min(fuller, key=lambda i: (rows[i].share.high, i))
    free = _free(row, rows[roomiest])
    if not slower:
        return Message("plan.why.more-reserve", {"row": roomiest + 1, **free})
    faster = _times(row, slower, rows)
    than = {"roomier_than": roomiest + 1, "faster_than": faster["row"], "times": faster["times"]}
    return Message("plan.why.compromise", {**than, **free})


def _same_gpus(one: Judged, other: Judged) -> bool:
    mine, its = one.way.hardware, other.way.hardware
    return (mine.card.id, mine.gpus) == (its.card.id, its.gpus)


def _of_another_kind(row: Judged, other: int, rows: Sequence[Judged]) -> Message:
    """Why a smaller row cannot stand for it, whatever its figures."""
    params = {"row": other + 1}
    if rows[other].way.splits and not row.way.splits:
        return Message("plan.why.whole", params)
    if rows[other].memory.verdict != "fits":
        return Message("plan.why.keeps-reserve", {**params, **_free(row, rows[other])})
    return Message("plan.why.better-known", params)
