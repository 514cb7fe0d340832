"""The page of a pilot: runs beside the estimate, what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core import formatting
from apps.pilots.judging import (
    SCALED,
    WAIT_RATIO,
    Compared,
    compared,
    criteria_of,
    differing,
    facts_of_run,
    reserve_s,
    run_hours,
    scaling_of,
    values_of,
)
from apps.pilots.models import PilotRun
from apps.pilots.protocol import shown
from apps.pilots.records import missing
from apps.pilots.table import fields_of
from apps.sizing.units import SECONDS_PER_HOUR

_CRITERIA: Final[Mapping[str, Promise]] = {
    "quality": gettext_lazy("Held-out data show a gain over the ready model"),
    "memory": gettext_lazy("The peak leaves the margin of the card free"),
    "deadline": gettext_lazy("The whole run is in time at the measured step"),
    "feed": gettext_lazy("The GPUs do not wait for data"),
    "restore": gettext_lazy("A checkpoint is restored, the run goes on from its step"),
    "stability": gettext_lazy("Losses stay finite, no GPU lowers its clock"),
    "efficiency": gettext_lazy("More GPUs keep their speed"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured figure; `state` is a verdict code, empty where there is nothing to compare."""

    label: str
    measured: str
    said: str
    error: str
    state: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A condition of going on."""

    label: str
    state: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One pilot. `differs` names what is not the protocol's workload, `lacks` what is not filled in;
    `reserve` is what of `hours` is no step; `go` is None while something that decides is not known."""

    run: PilotRun
    name: str
    place: str
    rows: tuple[Row, ...]
    scaling: tuple[str, ...]
    advice: tuple[str, ...]
    checks: tuple[Check, ...]
    differs: tuple[str, ...]
    lacks: tuple[str, ...]
    quality: str
    hours: str
    reserve: str
    go: bool | None


def run_views(runs: list[PilotRun], *, with_figures: bool) -> list[RunView]:
    """The latest first."""
    return [_view(run, with_figures=with_figures) for run in reversed(runs)]


def _view(run: PilotRun, *, with_figures: bool) -> RunView:
    facts, values = facts_of_run(run), values_of(run)
    fields = {field.path: field for field in fields_of(facts)}
    criteria = criteria_of(facts, values, run.quality_delta) if with_figures else ()
    met = [criterion.met for criterion in criteria]
    hours = run_hours(facts, values) if with_figures else None
    return RunView(
        run=run,
        name=_("Pilot %(number)s") % {"number": run.number},
        place=_place(values),
        rows=tuple(_rows(facts, values, fields)) if with_figures else (),
        scaling=tuple(_scaling(facts, values)) if with_figures else (),
        advice=tuple(_advice(values)),
        checks=tuple(_check(c.key, c.met) for c in criteria),
        differs=tuple(_differs(run, fields)),
        lacks=tuple(str(field.label) for field in missing(values, fields.values())),
        quality=_quality(run, values),
        hours=formatting.duration(hours * SECONDS_PER_HOUR) if hours else "",
        reserve=formatting.duration(reserve_s(facts, values)) if hours else "",
        go=False if False in met else None if None in met or not met else True,
    )


def _place(values: Mapping[str, Any]) -> str:
    gpus, card = values.get("place.gpus"), values.get("place.accelerator")
    if not gpus or not card:
        return ""
    return f"{formatting.number(gpus)}× {card}"


def _rows(
    facts: Mapping[str, Any], values: Mapping[str, Any], fields: Mapping[str, Any]
) -> Iterator[Row]:
    for pair in compared(facts, values):
        field = fields[pair.path]
        yield Row(
            label=str(field.label),
            measured=shown(field, pair.measured),
            said=formatting.range_text(pair.said, field.unit) if pair.said else "",
            error=_signed(pair.error),
            **_standing(pair),
        )


def _signed(error: float | None) -> str:
    if error is None:
        return ""
    text = formatting.percent(abs(error))
    return f"+{text}" if error > 0 else f"{formatting.MINUS}{text}" if error < 0 else text


def _standing(pair: Compared) -> dict[str, str]:
    if pair.inside is None:
        return {"state": "", "word": _("another platform: nothing to compare")}
    if pair.inside:
        return {"state": "fits", "word": _("inside the range")}
    return {"state": "risk", "word": _("outside the range")}


def _scaling(facts: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    for point in scaling_of(values, [row["gpus"] for row in facts["by_gpus"]]):
        yield _("%(gpus)s: %(speedup)s times the work, efficiency %(efficiency)s") % {
            "gpus": formatting.quantity(point.gpus, "gpus"),
            "speedup": formatting.number(point.speedup),
            "efficiency": formatting.percent(point.efficiency),
        }


def _advice(values: Mapping[str, Any]) -> Iterator[str]:
    waiting = values.get("feed.wait_ratio")
    if waiting is not None and waiting >= WAIT_RATIO:
        yield _(
            "Data first: a step waits for them %(share)s of its time. More GPUs would wait too."
        ) % {"share": formatting.percent(waiting)}


def _check(key: str, met: bool | None) -> Check:
    words = {
        True: ("fits", _("yes")),
        False: ("does-not-fit", _("no")),
        None: ("unknown", _("not measured")),
    }
    state, word = words[met]
    return Check(label=str(_CRITERIA[key]), state=state, word=word)


def _differs(run: PilotRun, fields: Mapping[str, Any]) -> Iterator[str]:
    for path in differing(run):
        if path == "dataset":
            yield _("data")
        elif path in fields:
            yield str(fields[path].label)
        else:
            yield path.rpartition(".")[2]


def _quality(run: PilotRun, values: Mapping[str, Any]) -> str:
    if run.quality_delta is None:
        return ""
    return _("%(metric)s: %(before)s before, %(after)s after") % {
        "metric": values["quality.metric"],
        "before": formatting.number(values["quality.baseline"]),
        "after": formatting.number(values["quality.result"]),
    }


def stop_words(run: PilotRun) -> str:
    """Why nothing is scaled, for a banner."""
    return _(
        "Do not scale: pilot %(number)s showed no gain on held-out data (%(quality)s). A bigger server does not mend that; %(variants)s are not recommended until a pilot shows a gain."
    ) % {
        "number": run.number,
        "quality": _quality(run, values_of(run)),
        "variants": ", ".join(SCALED),
    }
