"""Exchange between GPUs and how long a cycle takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext as _

from apps.charts import BandPoint, CycleLabels, CycleMark, CyclePlot, LinkBand, cycle_chart
from apps.charts.cycle import LinkKind
from apps.core import formatting
from apps.core.palette import state_of
from apps.core.verdict_words import verdict_word
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant, picked, range_of
from apps.estimation.presenters.cells import deadline_word as in_time
from apps.estimation.presenters.detail_tables import Table, scaling_table
from apps.estimation.presenters.scaling import scaling_drawing
from apps.estimation.texts import code_word, sentence, sentences
from apps.sizing.ranges import Range

# Links that pass through a switch or a mesh of NVLink; a bridge joins pairs on PCIe.
_KINDS: Final[tuple[LinkKind, ...]] = ("pcie", "nvlink", "network")
_DRAWN_FROM: Final = 3
_SWITCHED: Final = frozenset({"nvswitch", "xgmi"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceRow:
    """One variant: how its GPUs work together and what a step costs."""

    key: str
    link: str
    profile: str
    step: Range | None
    rate: Range | None
    exchange: str
    hours: Range | None
    verdict: str | None
    word: str
    bound_by: str
    reason: str
    recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceSheet:
    conclusion: str
    profile: str
    profile_reason: str
    rows: tuple[PaceRow, ...]
    curve: tuple[str, ...] = ()
    curve_caption: str = ""
    curve_drawing: str = ""
    curve_table: Table | None = None


def pace_of(reading: Reading, variants: tuple[Variant, ...]) -> PaceSheet:
    variant = picked(variants)
    link = (variant.block("interconnect") if variant else None) or {}
    return PaceSheet(
        conclusion=_conclusion(reading, variant),
        profile=code_word("profile", link["profile"]) if link.get("profile") else "",
        profile_reason=sentence(link.get("reason")),
        rows=tuple(_row(v) for v in variants),
        **_curve(reading.result.get("scaling")),
    )


def _curve(curve: Mapping[str, Any] | None) -> dict[str, Any]:
    """How much of a GPU is left as their number grows, and from where more do not pay."""
    if curve is None:
        return {}
    table, drawing = scaling_table(curve), scaling_drawing(curve)
    return {
        "curve": tuple(sentences(curve["messages"])),
        "curve_caption": table.caption,
        # Two points are read faster from the table than from a picture of them.
        "curve_drawing": drawing.wide if drawing and len(table.rows) >= _DRAWN_FROM else "",
        "curve_table": table,
    }


def deadline_hours(reading: Reading) -> float | None:
    hours = (reading.snapshot.task.get("cycle") or {}).get("target_hours")
    return float(hours) if hours else None


def _conclusion(reading: Reading, variant: Variant | None) -> str:
    if variant is None:
        return ""
    if variant.hours is None:
        return not_calculated(variant, "time")
    said = {
        "variant": variant.key,
        "hours": formatting.span_text(variant.hours, "h"),
    }
    deadline = deadline_hours(reading)
    if deadline is None:
        return _("%(variant)s: a cycle takes %(hours)s; no deadline is stated.") % said
    said |= {
        "deadline": formatting.quantity(deadline, "h"),
        "verdict": deadline_word(variant.verdict("time")),
    }
    return _("%(variant)s: a cycle takes %(hours)s of %(deadline)s, %(verdict)s.") % said


def deadline_word(verdict_code: str | None) -> str:
    """A verdict in the terms of a deadline; the mark beside it stays the same."""
    return in_time(verdict_code or "") or verdict_word(verdict_code)


def _row(variant: Variant) -> PaceRow:
    time, link = variant.block("time") or {}, variant.block("interconnect") or {}
    return PaceRow(
        key=variant.key,
        link=variant.link_text,
        profile=str(link.get("profile") or ""),
        step=range_of(time, "step_s"),
        rate=range_of(time, "tokens_per_s_per_gpu"),
        exchange=_share_text(time.get("communication_share")),
        hours=variant.hours,
        verdict=variant.verdict("time"),
        bound_by=code_word("bound_by", time["bound_by"]) if time.get("bound_by") else "",
        word=deadline_word(variant.verdict("time")),
        reason="" if variant.hours else not_calculated(variant, "time"),
        recommended=variant.recommended,
    )


def _share_text(share: float | None) -> str:
    """Exchange that computing does not hide, as a share of the step."""
    return formatting.not_given() if share is None else formatting.percent(share)


def cycle_drawing(reading: Reading, variants: tuple[Variant, ...]) -> str:
    """Hours against GPUs, a band for each kind of link; empty when there is nothing to compare."""
    timed = [v for v in variants if v.hours is not None]
    bands = [band for kind in _KINDS if (band := _band(kind, reading, timed))]
    if len({point.gpu_count for band in bands for point in band.points}) < 2:
        return ""
    plot = CyclePlot(
        bands=bands,
        marks=[_mark(v) for v in timed],
        deadline_hours=deadline_hours(reading),
        feed_floor_hours=None,
        too_small_gpu_count=None,
    )
    labels = CycleLabels().translated(gettext)
    return cycle_chart(plot, labels=labels, number=formatting.approximate).wide


def _link_kind(nodes: int, link: str | None) -> LinkKind:
    if nodes > 1:
        return "network"
    return "nvlink" if link in _SWITCHED else "pcie"


def _band(kind: LinkKind, reading: Reading, timed: list[Variant]) -> LinkBand | None:
    """Every count of one card: that of the recommended variant of this kind, else of the first."""
    members = [v for v in timed if _link_kind(v.nodes, v.intra_node_link) == kind]
    chosen = picked(tuple(members))
    if chosen is None:
        return None
    hours = {
        row["gpus"]: Range.from_dict(row["hours"])
        for row in reading.result.get("candidates") or ()
        if row["accelerator"] == chosen.accelerator
        and row["hours"]
        and (_link_kind(row["nodes"], row["intra_node_link"]) == kind or row["gpus"] == 1)
    }
    hours |= {v.gpus: v.hours for v in members if v.hours and v.accelerator == chosen.accelerator}
    points = [BandPoint(count, hours[count]) for count in sorted(hours)]
    return LinkBand(kind=kind, name=_kind_name(kind), detail=chosen.card, points=points)


def _kind_name(kind: LinkKind) -> str:
    return {
        "pcie": pgettext("link", "PCIe or bridge"),
        "nvlink": pgettext("link", "NVLink, switch"),
        "network": pgettext("link", "several nodes"),
    }[kind]


def _mark(variant: Variant) -> CycleMark:
    hours = variant.hours
    return CycleMark(
        key=variant.key,
        gpu_count=variant.gpus,
        hours=hours.typical if hours else 0.0,
        status=state_of(variant.verdict("time")),
    )
