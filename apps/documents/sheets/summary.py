"""The whole answer on one sheet, and the cover: what a person reads who reads nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext as _

from apps.charts import DimensionLabels, DimensionRow, dimension_chart
from apps.core import formatting
from apps.core.palette import state_of
from apps.core.verdict_words import verdict_word
from apps.documents.sheets.memory import memory_drawing
from apps.documents.sheets.pace import deadline_hours, deadline_word
from apps.documents.sheets.pilot import Measurement, Pilot
from apps.documents.sheets.questions import who_and_when
from apps.documents.sheets.reading import Reading, question_label
from apps.documents.sheets.storage import disk_gb, missing_gb
from apps.documents.sheets.variants import Variant, picked, range_of
from apps.estimation.presenters.cycle import cycle_conclusion, cycle_drawing
from apps.estimation.texts import sentence, status_sentence
from apps.pilots.standing import measured_points, stop_steps, stop_text, stop_title
from apps.sizing.ranges import Range
from apps.sizing.verdicts import verdict

_MOST: Final = 3
_FITS_CHARS: Final = 10
# Without a variant the questions are the answer: they take the sheet.
_MOST_ALONE: Final = 12
# Risks that the verdicts above already say.
_JUDGED: Final = ("variant.risk.memory", "variant.risk.deadline", "variant.risk.power")
_BAD: Final = ("blocked", "risk", "tight")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of the five figures: span and unit apart, with the verdict under them."""

    label: str
    value: str
    unit: str
    verdict: str | None
    word: str

    @property
    def long(self) -> bool:
        """Too wide for its place at the full size."""
        return len(self.value) > _FITS_CHARS


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    state: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstQuestion:
    number: int
    text: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    headline: str
    status: str
    figures: tuple[Figure, ...]
    drawing: str
    draws_cycle: bool
    cycle_says: str
    obstacles: tuple[Obstacle, ...]
    questions: tuple[FirstQuestion, ...]
    next_rows: tuple[Measurement, ...]
    next_steps: tuple[str, ...]
    success: str
    readiness: str
    stages: tuple[tuple[str, bool], ...]


def summary_of(reading: Reading, variants: tuple[Variant, ...], pilot: Pilot) -> Summary:
    cycle = _cycle(reading)
    shown = picked(variants)
    stopped = bool(stop_text(reading.snapshot.pilot))
    return Summary(
        headline=headline_text(reading, shown),
        status=status_sentence(reading.result.get("status") or "insufficient"),
        figures=tuple(_figures(reading, shown)),
        drawing=cycle or memory_drawing(variants),
        draws_cycle=bool(cycle),
        cycle_says=cycle_conclusion(reading.result, deadline_hours(reading)) if cycle else "",
        # The drawing of memory is the taller one: the answer keeps to its sheet.
        obstacles=tuple(_obstacles(reading, shown))[: _MOST + 1 if cycle else _MOST],
        questions=tuple(_first_questions(reading, _MOST if shown else _MOST_ALONE)),
        next_rows=pilot.rows[:_MOST] if shown and not stopped else (),
        next_steps=stop_steps() if stopped else (),
        success=pilot.success,
        readiness=readiness_text(reading),
        stages=_stages(reading),
    )


def _cycle(reading: Reading) -> str:
    """Hours against GPUs with what pilots measured; empty when there is nothing to compare."""
    drawing = cycle_drawing(
        reading.result,
        deadline_hours(reading),
        measured_points(reading.snapshot.pilot),
        lambda slug: reading.names.get(slug, slug) or _("the card is open"),
    )
    return drawing.wide if drawing else ""


def _stages(reading: Reading) -> tuple[tuple[str, bool], ...]:
    """The way to a purchase in three words, and whether this is where the task stands."""
    reached = str(reading.result.get("readiness") or "early")
    names = {
        ("early",): pgettext("readiness to buy", "too early"),
        ("after-pilot",): pgettext("readiness to buy", "after a pilot"),
        ("agreement", "specification"): pgettext(
            "readiness to buy", "a specification may be prepared"
        ),
    }
    return tuple((name, reached in codes) for codes, name in names.items())


def readiness_text(reading: Reading) -> str:
    """How near a purchase is; without a word of the engine it is too early."""
    if reading.snapshot.pilot.get("stop"):
        return _("Too early to buy: a pilot has to show a gain on held-out data first.")
    said = {
        "early": _("Too early to buy: answer the open questions first."),
        "after-pilot": _("Ready to buy after a pilot."),
        "agreement": _("Measured: the site has to agree before a specification."),
        "specification": _("A specification can be prepared."),
    }
    return said.get(str(reading.result.get("readiness")), said["early"])


def headline_text(reading: Reading, variant: Variant | None) -> str:
    """The conclusion, short enough for a cover."""
    verdict_code = reading.result.get("verdict")
    if variant is None or verdict_code == "insufficient":
        return _("Too little is known for figures: questions first")
    if stopped := stop_title(reading.snapshot.pilot):
        return stopped
    patterns = {
        "train": _("Train on %(hardware)s"),
        "rent": _("Rent %(hardware)s and measure a step first"),
        "pilot-first": _("A pilot first, then %(hardware)s"),
        "do-not-buy-yet": _("Too early to buy: %(hardware)s is the guide so far"),
    }
    if variant.hours is None and verdict_code != "rent":
        return _("Too early to buy: by memory alone, no less than %(hardware)s") % {
            "hardware": variant.hardware
        }
    pattern = patterns.get(str(verdict_code), patterns["pilot-first"])
    return pattern % {"hardware": variant.hardware}


def _figures(reading: Reading, variant: Variant | None) -> Iterator[Figure]:
    if variant is None:
        return
    yield _figure(
        _("Memory on a GPU"),
        variant.device_gib,
        "GiB",
        variant.verdict("memory"),
        _against(variant.verdict("memory"), variant.capacity_gib, "GiB"),
    )
    timed = variant.hours is not None
    yield Figure(
        label=_("GPUs"),
        value=formatting.number(variant.gpus) if timed else f"≥ {formatting.number(variant.gpus)}",
        unit="",
        verdict="info",
        word=formatting.quantity(variant.nodes, "nodes") if timed else _("by memory alone"),
    )
    yield _time_figure(variant)
    disk = disk_gb(reading)
    need = variant.storage_gb
    stored = verdict(need, disk) if disk is not None else None
    yield _figure(
        _("Storage"),
        need,
        "GB",
        stored or "info",
        _against(stored, disk, "GB") if stored else _("two volumes"),
    )
    yield _rack_figure(variant)


def _time_figure(variant: Variant) -> Figure:
    """The cycle; of a run whose length nobody knows, the step."""
    step = range_of(variant.block("time"), "step_s")
    if variant.hours is None and step is not None:
        return _figure(_("One step"), step, "s", "info", _("the length of the run is not known"))
    verdict_code = variant.verdict("time")
    return _figure(_("Cycle"), variant.hours, "h", verdict_code, deadline_word(verdict_code))


def _rack_figure(variant: Variant) -> Figure:
    if variant.rented:
        return Figure(label=_("Rack"), value="–", unit="", verdict="info", word=_("rented"))
    verdict_code = variant.verdict("rack")
    word = _against(verdict_code, variant.feed_kw, "kW")
    return _figure(_("Rack"), variant.load_kw, "kW", verdict_code, word)


def _figure(label: str, value: Range | None, unit: str, state: str | None, word: str) -> Figure:
    if value is None:
        return Figure(
            label=label,
            value="–",
            unit="",
            verdict="unknown",
            word=pgettext("cell of a table", "not calculated"),
        )
    shown, name = _scaled(value, unit)
    return Figure(
        label=label, value=formatting.span_text(shown), unit=name, verdict=state, word=word
    )


def _scaled(value: Range, unit: str) -> tuple[Range, str]:
    """Terabytes where gigabytes would have four digits, days where hours would have three."""
    if unit == "GB" and value.typical >= 1000:
        return value / 1000, formatting.unit_name("TB")
    if unit == "h" and value.typical >= 240:
        return value / 24, formatting.unit_name("d")
    return value, formatting.unit_name(unit)


def _against(state: str | None, limit: float | None, unit: str) -> str:
    if limit is None:
        return _("the limit is not known")
    return _("%(verdict)s, limit %(limit)s") % {
        "verdict": verdict_word(state),
        "limit": formatting.estimate(limit, unit),
    }


def _obstacles(reading: Reading, variant: Variant | None) -> Iterator[Obstacle]:
    """What stands in the way of the recommended variant, the worst first."""
    if variant is None:
        yield Obstacle(state="unknown", text=sentence(reading.result.get("variants_reason")))
        return
    if stopped := stop_text(reading.snapshot.pilot):
        yield Obstacle(state="blocked", text=stopped)
    found = [
        Obstacle(state=state, text=text)
        for state, text in _judged(reading, variant)
        if state in _BAD
    ]
    yield from sorted(found, key=lambda o: _BAD.index(o.state))
    if reading.result.get("separate_work"):
        yield Obstacle(
            state="risk",
            text=_(
                "Several nodes are likely: the network and shared storage are work of their own."
            ),
        )
    for message in variant.document.get("risks") or ():
        if not message["key"].startswith(_JUDGED):
            yield Obstacle(state="risk", text=sentence(message))


def _judged(reading: Reading, variant: Variant) -> Iterator[tuple[str, str]]:
    span = formatting.span_text
    yield (
        state_of(variant.verdict("memory")),
        _("Memory: %(need)s of %(limit)s on one GPU.")
        % {
            "need": span(variant.device_gib, "GiB"),
            "limit": formatting.estimate(variant.capacity_gib, "GiB"),
        },
    )
    yield (
        state_of(variant.verdict("time")),
        _("Time: %(need)s, deadline %(limit)s.")
        % {
            "need": span(variant.hours, "h"),
            "limit": formatting.quantity(deadline_hours(reading), "h"),
        },
    )
    yield (
        state_of(variant.verdict("rack")),
        _("Power: %(need)s, one feed carries %(limit)s.")
        % {
            "need": span(variant.load_kw, "kW"),
            "limit": formatting.quantity(variant.feed_kw, "kW"),
        },
    )
    short = missing_gb(reading, variant)
    if short:
        yield (
            "blocked",
            _("Storage: today's disk is %(missing)s short.")
            % {"missing": formatting.estimate(short, "GB")},
        )


def _first_questions(reading: Reading, most: int) -> Iterator[FirstQuestion]:
    for number, question in enumerate(reading.snapshot.questions[:most], start=1):
        yield FirstQuestion(
            number=number, text=question_label(question), who=who_and_when(question)
        )


def cover_drawing(reading: Reading, variant: Variant | None) -> str:
    """Up to three figures that decide, as dimension lines; empty when none is known."""
    if variant is None:
        return ""
    rows = [row for row in _cover_rows(reading, variant) if row.value is not None][:_MOST]
    if not rows:
        return ""
    labels = DimensionLabels().translated(gettext)
    return dimension_chart(rows, labels=labels, number=formatting.approximate)


def _cover_rows(reading: Reading, variant: Variant) -> Iterator[DimensionRow]:
    def row(
        name: str, unit: str, value: Any, limit: float | None, said: str, state: str | None
    ) -> Any:
        return DimensionRow(
            name=name, unit=unit, value=value, limit=limit, limit_name=said, status=state_of(state)
        )

    available, deadline = pgettext("limit", "available"), pgettext("limit", "deadline")
    memory, time = variant.verdict("memory"), variant.verdict("time")
    step = range_of(variant.block("time"), "step_s") if variant.hours is None else None
    yield row(
        _("Memory"),
        _("GiB on one GPU"),
        variant.device_gib,
        variant.capacity_gib,
        available,
        memory,
    )
    yield row(_("Cycle time"), _("hours"), variant.hours, deadline_hours(reading), deadline, time)
    yield row(_("One step"), _("seconds"), step, None, "", "info")
    feed, rack = pgettext("limit", "feed"), variant.verdict("rack")
    load = None if variant.rented else variant.load_kw
    yield row(_("Power"), _("kW on one feed"), load, variant.feed_kw, feed, rack)
    disk, need = disk_gb(reading), variant.storage_gb
    stored = verdict(need, disk) if disk is not None else "info"
    there = pgettext("limit", "there is")
    yield row(_("Storage"), formatting.unit_name("GB"), need, disk, there, stored)
