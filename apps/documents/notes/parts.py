"""The figures and tables of a note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.core import formatting
from apps.documents.notes.effort import DATA_SHARE_RATIO, SETUP_GPU_HOURS, TRIES_COUNT
from apps.documents.notes.reading import NoteReading, answered
from apps.documents.notes.snapshot import Note
from apps.estimation.texts import field_label
from apps.questionnaire.answers import Evaluated
from apps.questionnaire.ways import Need, Way
from apps.requisitions.outcomes import OtherWay


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of what to rent; `rests_on` is what the figure is made of."""

    label: str
    value: str
    rests_on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedRow:
    """Something the next selection starts from; an empty `known` is still to be found out."""

    what: str
    known: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRow:
    gpus: str
    run: str
    used: str
    owned: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTable:
    """GPU-hours of a quarter; `missing` are the answers without which there are none."""

    rows: tuple[LoadRow, ...]
    missing: str


def needs_of(evaluated: Evaluated, way: Way) -> tuple[NeedRow, ...]:
    """What the answers already say of it comes first."""
    rows = [
        NeedRow(
            what=str(need.what),
            known="; ".join(_known(evaluated, need)),
            why=str(need.why),
        )
        for need in way.needs
    ]
    return tuple(sorted(rows, key=lambda row: not row.known))


def _known(evaluated: Evaluated, need: Need) -> tuple[str, ...]:
    """What the client knows; “I do not know” is still to be found out.

    Where several questions tell of one need, each answer stands beside the name of its question.
    """
    keys = [key for key in need.known_from if key in evaluated.effective]
    named = len(need.known_from) > 1
    found = answered(evaluated, keys)
    return tuple(f"{said.label}: {said.value}" if named else said.value for said in found)


def figures_of(reading: NoteReading) -> tuple[Figure, ...]:
    """What to rent for a pilot; nothing for another way."""
    if reading.note.category != OtherWay.PILOT:
        return ()
    return tuple(_figures(reading))


def _figures(reading: NoteReading) -> Iterator[Figure]:
    effort = reading.note.effort or {}
    yield from _hardware(effort)
    yield from _hours(effort, at_gate=reading.note.at_gate)
    yield from (
        Figure(label=said.label, value=said.value, rests_on=_("The client's words."))
        for said in answered(reading.evaluated, ("rent_period", "wanted_date"))
    )


def _hardware(effort: Mapping[str, Any]) -> Iterator[Figure]:
    memory, gpus = effort.get("device_gib"), effort.get("gpus", 1)
    yield Figure(
        label=_("Memory of one GPU"),
        value=formatting.range_text(memory, "GiB") if memory else _("not known yet"),
        rests_on=_("Rent by the upper figure.")
        if memory
        else _(
            "The answers name no model or no recipe: start with the smallest model that may do."
        ),
    )
    yield Figure(
        label=_("GPUs"),
        value=formatting.quantity(gpus, "gpus"),
        rests_on=_("More would measure the exchange between them, not the gain.")
        if gpus == 1
        else _(
            "The recipe as it stands needs them; adapters on a quantised base may do with fewer."
        ),
    )


def _hours(effort: Mapping[str, Any], *, at_gate: bool) -> Iterator[Figure]:
    run, pilot = effort.get("run_gpu_hours"), effort.get("pilot_gpu_hours")
    by_the_answers = (
        _("An estimate by the answers, not checked by an engineer.")
        if at_gate
        else _("An estimate by the answers.")
    )
    yield Figure(
        label=_("One run of your recipe"),
        value=formatting.range_text(run, "GPU_h") if run else _("not known yet"),
        rests_on=by_the_answers
        if run
        else _("It takes the model, the data in tokens and the passes over them."),
    )
    yield Figure(
        label=_("The pilot"),
        value=formatting.range_text(pilot, "GPU_h") if pilot else _("by the day"),
        rests_on=_pilot_rests_on() if pilot else _("Stop by the rule below, not by the calendar."),
    )


def _pilot_rests_on() -> str:
    return _("%(tries)s tries on %(share)s of the data, and %(hours)s to set up and measure.") % {
        "tries": formatting.number(TRIES_COUNT),
        "share": formatting.percent(DATA_SHARE_RATIO),
        "hours": formatting.quantity(SETUP_GPU_HOURS, "GPU_h"),
    }


def load_table(note: Note) -> LoadTable | None:
    """The load against the hours of an own server, as far as the answers give it."""
    if note.category != OtherWay.CLOUD:
        return None
    load = note.load or {}
    rows = tuple(
        LoadRow(
            gpus=formatting.quantity(row["gpus"], "gpus"),
            run=formatting.range_text(row["run_gpu_hours"], "GPU_h"),
            used=formatting.range_text((row["used_gpu_hours"] or {}).get("quarter"), "GPU_h"),
            owned=formatting.estimate(row["owned_gpu_hours"]["quarter"]["typical"], "GPU_h"),
        )
        for row in load.get("rows") or ()
        if row["run_gpu_hours"]
    )
    return LoadTable(rows=rows, missing=", ".join(map(field_label, load.get("missing") or ())))
