"""Exchange between GPUs and how long a cycle takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import Variant, picked, range_of
from apps.estimation.presenters.cells import deadline_word as in_time
from apps.estimation.presenters.detail_tables import Table, scaling_table
from apps.estimation.presenters.scaling import scaling_drawing
from apps.estimation.texts import code_word, sentence, sentences
from apps.sizing.ranges import Range

_DRAWN_FROM: Final = 3


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
class MeasuredRow:
    """What a pilot measured on some GPUs, and what the whole cycle comes to at that step."""

    name: str
    place: str
    step: str
    hours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceSheet:
    conclusion: str
    profile: str
    profile_reason: str
    rows: tuple[PaceRow, ...]
    measured: tuple[MeasuredRow, ...] = ()
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
        measured=tuple(_measured(p) for p in reading.snapshot.pilot.get("points") or ()),
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


def _measured(point: Mapping[str, Any]) -> MeasuredRow:
    return MeasuredRow(
        name=point["name"],
        place=f"{formatting.number(point['gpus'])}×{formatting.NBSP}{point['card']}",
        step=formatting.duration(point["step_s"]),
        hours=formatting.estimate(point["hours"], "h"),
    )


def _share_text(share: float | None) -> str:
    """Exchange that computing does not hide, as a share of the step."""
    return formatting.not_given() if share is None else formatting.percent(share)
