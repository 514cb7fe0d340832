"""What changed between two revisions as rows to read: text and figures, no HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from apps.estimation.texts import accelerator_name, estimator_name, field_label, sentences
from apps.questionnaire.answers import AnswerValue
from apps.questionnaire.changes import AnswerChange
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.questionnaire.summary import display_value
from apps.sizing.changes import FIGURES

_STATES: Final[Mapping[str, Promise]] = {
    "changed": pgettext_lazy("answer", "changed"),
    "learned": pgettext_lazy("answer", "now known"),
    "forgotten": pgettext_lazy("answer", "now unknown"),
    "asked": pgettext_lazy("answer", "now asked"),
    "dropped": pgettext_lazy("answer", "not asked any more"),
}
_FIGURES: Final[Mapping[str, Promise]] = {
    "memory.device_gib": _("Memory of one GPU"),
    "time.cycle.hours": _("Time of the cycle"),
    "time.step_s": _("Time of a step"),
    "rack.power.load_kw": _("Load of the rack"),
    "storage.total_gb": _("Storage"),
    "host.ram_gb": _("RAM of a node"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChangeRow:
    """One answer. `old` and `new` are as shown everywhere; `who` typed the new one."""

    key: str
    label: str
    old: str
    new: str
    state: str
    state_word: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChangeGroup:
    title: str
    rows: tuple[AnswerChangeRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """A range then and now, in `unit`; None where there was none. `apart`: they do not meet.

    Both are drawn on a scale up to `top`.
    """

    label: str
    unit: str
    top: float
    old: Mapping[str, float] | None
    new: Mapping[str, float] | None
    apart: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantChange:
    """`hardware` is what it is built of now, `was` what it was built of if that was another."""

    key: str
    state: str
    hardware: str
    was: str
    figures: tuple[FigureChange, ...]
    verdicts: tuple[VerdictChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChange:
    """`closed` and `opened` are the fields that are no question any more, and new questions."""

    conclusions: tuple[str, ...]
    variants: tuple[VariantChange, ...]
    closed: tuple[str, ...]
    opened: tuple[str, ...]


def answer_groups(
    changes: Iterable[AnswerChange], who: Mapping[str, str]
) -> tuple[AnswerChangeGroup, ...]:
    """By section, in the order of the questionnaire."""
    groups: dict[str, list[AnswerChangeRow]] = {}
    for change in changes:
        section = str(SECTION_OF[change.key].name)
        groups.setdefault(section, []).append(_answer_row(change, who))
    return tuple(AnswerChangeGroup(title=title, rows=tuple(rows)) for title, rows in groups.items())


def _answer_row(change: AnswerChange, who: Mapping[str, str]) -> AnswerChangeRow:
    old, new = change.values()
    return AnswerChangeRow(
        key=change.key,
        label=str(QUESTIONS[change.key].name),
        old=_said(old),
        new=_said(new),
        state=change.state,
        state_word=str(_STATES[change.state]),
        who="" if change.state == "dropped" else who.get(change.key, ""),
    )


def _said(answer: AnswerValue | None) -> str:
    if answer is None:
        return pgettext("answer", "not asked")
    if answer.unknown:
        return pgettext("answer", "unknown")
    return display_value(answer) or pgettext("answer", "not specified")


def result_change(changes: Mapping[str, Any]) -> ResultChange:
    """What `apps.sizing.changes.changes_between` found, in words of the active language."""
    return ResultChange(
        conclusions=tuple(sentences(changes["conclusions"])),
        variants=tuple(_variant(variant) for variant in changes["variants"]),
        closed=_labels(changes["closed"]),
        opened=_labels(changes["opened"]),
    )


def _labels(fields: Sequence[str]) -> tuple[str, ...]:
    return tuple(field_label(field) for field in fields)


def _variant(change: Mapping[str, Any]) -> VariantChange:
    old, new = change["hardware"]["old"], change["hardware"]["new"]
    return VariantChange(
        key=change["key"],
        state=change["state"],
        hardware=_hardware(new or old),
        was=_hardware(old) if change["state"] == "changed" else "",
        figures=tuple(_figure(figure) for figure in change["figures"]),
        verdicts=tuple(_verdict(verdict) for verdict in change["verdicts"]),
    )


def _hardware(hardware: Mapping[str, Any]) -> str:
    cards = f"{hardware['gpus']}× {accelerator_name(hardware['accelerator'])}"
    return f"{cards}, {hardware['server']}" if hardware.get("server") else cards


def _figure(figure: Mapping[str, Any]) -> FigureChange:
    ends = [found["high"] for found in (figure["old"], figure["new"]) if found]
    return FigureChange(
        label=str(_FIGURES[figure["path"]]),
        top=max(ends),
        unit=FIGURES[figure["path"]],
        old=figure["old"],
        new=figure["new"],
        apart=figure["apart"],
    )


def _verdict(verdict: Mapping[str, Any]) -> VerdictChange:
    part = verdict["part"]
    label = pgettext("verdict", "In all") if part == "overall" else estimator_name(part)
    return VerdictChange(label=label, old=verdict["old"], new=verdict["new"])
