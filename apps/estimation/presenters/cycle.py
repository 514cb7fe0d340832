"""Hours of a cycle against the number of GPUs: the drawing of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext, pgettext

from apps.charts import (
    BandPoint,
    CycleLabels,
    CycleMark,
    CyclePlot,
    Drawing,
    LinkBand,
    MeasuredPoint,
    cycle_chart,
)
from apps.charts.cycle import LinkKind
from apps.core.formatting import approximate, quantity
from apps.core.palette import state_of
from apps.estimation.texts import accelerator_name
from apps.sizing.ranges import Range
from apps.sizing.variants import GIVEN

Block = Mapping[str, Any]

_KINDS: Final[tuple[LinkKind, ...]] = ("pcie", "nvlink", "network")
# Links that pass through a switch or a mesh of NVLink; a bridge joins pairs on PCIe.
_SWITCHED: Final = frozenset({"nvswitch", "xgmi"})


def cycle_drawing(
    result: Block,
    deadline_hours: float | None,
    measured: Sequence[MeasuredPoint] = (),
    named: Callable[[str], str] = accelerator_name,
) -> Drawing | None:
    """A band for each kind of link, what pilots measured as diamonds; `named` gives the name of a
    card. None when there is nothing to compare."""
    timed = _timed(result)
    bands = _bands(result, named)
    counts = {point.gpu_count for band in bands for point in band.points}
    if not bands or len(counts | {point.gpu_count for point in measured}) < 2:
        return None
    plot = CyclePlot(
        bands=bands,
        marks=[_mark(variant) for variant in timed],
        deadline_hours=deadline_hours,
        feed_floor_hours=None,
        too_small_gpu_count=None,
        measured=measured,
    )
    return cycle_chart(plot, labels=CycleLabels().translated(gettext), number=approximate)


def cycle_conclusion(result: Block, deadline_hours: float | None) -> str:
    """What the drawing says: the fewest GPUs whose typical cycle keeps the client's time; without
    one, what the most GPUs make of the cycle of the fewest. Empty when there is nothing to compare.
    """
    points = [point for band in _bands(result, accelerator_name) for point in band.points]
    if not points:
        return ""
    if deadline_hours is None:
        few, many = min(points, key=_by_count), max(points, key=_by_count)
        return gettext("%(few)s take %(long)s, %(many)s take %(short)s") % {
            "few": _gpus(few.gpu_count),
            "long": quantity(few.hours.typical, "h"),
            "many": _gpus(many.gpu_count),
            "short": quantity(many.hours.typical, "h"),
        }
    said = {"deadline": quantity(deadline_hours, "h")}
    kept = [point.gpu_count for point in points if point.hours.typical <= deadline_hours]
    if not kept:
        return gettext("No number of GPUs drawn here keeps %(deadline)s") % said
    said["gpus"] = _gpus(min(kept))
    return gettext("%(deadline)s is typically kept from %(gpus)s on") % said


def _by_count(point: BandPoint) -> int:
    return point.gpu_count


def _gpus(count: int) -> str:
    return quantity(count, "gpus")


def _timed(result: Block) -> list[Block]:
    return [variant for variant in result.get("variants") or () if _hours(variant)]


def _bands(result: Block, named: Callable[[str], str]) -> list[LinkBand]:
    timed = _timed(result)
    return [band for kind in _KINDS if (band := _band(kind, result, timed, named))]


def _hours(variant: Block) -> dict[str, Any] | None:
    cycle = (variant.get("time") or {}).get("cycle") or {}
    found: dict[str, Any] | None = cycle.get("hours")
    return found


def _link_kind(nodes: int, link: str | None) -> LinkKind:
    if nodes > 1:
        return "network"
    return "nvlink" if link in _SWITCHED else "pcie"


def _kind_of(variant: Block) -> LinkKind:
    return _link_kind(int(variant["nodes"]), (variant.get("link") or {}).get("intra_node"))


def _band(
    kind: LinkKind, result: Block, timed: Sequence[Block], named: Callable[[str], str]
) -> LinkBand | None:
    """Every count of one card: that of the recommended variant of this kind, else of the first that
    is not rented."""
    members = [variant for variant in timed if _kind_of(variant) == kind]
    chosen = min(
        members, key=lambda v: (not v.get("recommended"), bool(v.get("rented"))), default=None
    )
    if chosen is None:
        return None
    hours = {
        row["gpus"]: row["hours"]
        for row in result.get("candidates") or ()
        if row["accelerator"] == chosen.get("accelerator")
        and row["hours"]
        and (_link_kind(row["nodes"], row["intra_node_link"]) == kind or row["gpus"] == 1)
    }
    same = [v for v in members if v.get("accelerator") == chosen.get("accelerator")]
    hours |= {variant["gpus"]: _hours(variant) for variant in same}
    points = [BandPoint(count, Range.from_dict(hours[count])) for count in sorted(hours)]
    card = named(chosen.get("accelerator") or "")
    return LinkBand(kind=kind, name=_kind_name(kind), detail=card, points=points)


def _kind_name(kind: LinkKind) -> str:
    return {
        "pcie": pgettext("link", "PCIe or bridge"),
        "nvlink": pgettext("link", "NVLink, switch"),
        "network": pgettext("link", "several nodes"),
    }[kind]


def _mark(variant: Block) -> CycleMark:
    key = str(variant["key"])
    return CycleMark(
        key=pgettext("variant", "As given") if key == GIVEN else key,
        gpu_count=int(variant["gpus"]),
        hours=Range.from_dict(_hours(variant) or {}).typical,
        status=state_of((variant.get("verdicts") or {}).get("time")),
    )
