"""The words beside what a run said of its memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.configs.memory_reports import MemoryReport, memory_reports
from apps.core import formatting
from apps.estimation.presenters.ladder import Rung, ladder_of
from apps.estimation.texts import code_word, component_name, in_order, value_text
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.tryout.measured import (
    Compared,
    Measured,
    Ways,
    as_reported,
    cards_like,
    cause_of,
    measured_against,
    missing_bytes,
    runs_of,
)

_KINDS: Final = {
    "oom": gettext_lazy("The message of an allocation that failed"),
    "nvidia-smi": gettext_lazy("The output of nvidia-smi"),
    "summary": gettext_lazy("The summary of PyTorch"),
    "log": gettext_lazy("Lines of a log"),
}
_FIGURES: Final = (
    ("total_bytes", pgettext_lazy("memory report", "The card has")),
    ("free_bytes", pgettext_lazy("memory report", "Free on the card")),
    ("in_use_bytes", pgettext_lazy("memory report", "In use on the card, by everybody")),
    ("own_bytes", pgettext_lazy("memory report", "In use by this process")),
    ("others_bytes", pgettext_lazy("memory report", "In use by other processes")),
    ("limit_bytes", pgettext_lazy("memory report", "The program's own limit")),
    ("allocated_bytes", pgettext_lazy("memory report", "Held by tensors")),
    ("reserved_bytes", pgettext_lazy("memory report", "Reserved by PyTorch")),
    ("unallocated_bytes", pgettext_lazy("memory report", "Reserved, without a tensor in it")),
    ("requested_bytes", pgettext_lazy("memory report", "Tried to allocate")),
    ("peak_allocated_bytes", pgettext_lazy("memory report", "Held by tensors at the peak")),
    ("peak_reserved_bytes", pgettext_lazy("memory report", "Reserved by PyTorch at the peak")),
)
_STANDINGS: Final = {
    "above": gettext_lazy(
        "The run took more than our range: our typical figure is %(share)s too low."
    ),
    "below": gettext_lazy(
        "The run took less than our range: our typical figure is %(share)s too high."
    ),
    "inside": gettext_lazy("Inside our range, %(share)s from the typical figure."),
    "silent": gettext_lazy(
        "The run stopped before it needed as much as we expect: this does not contradict the estimate."
    ),
}
_AT_LEAST_ABOVE: Final = gettext_lazy(
    "The run needed more than our range: our typical figure is at least %(share)s too low."
)
_STATES: Final = {"above": "risk", "below": "tight", "inside": "fits", "silent": "info"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    label: str
    measured: str
    said: Range
    state: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverRow:
    """A change of the recipe; `after` is the engine's range scaled to the run."""

    name: str
    about: str
    note: str
    after: str
    verdict: str
    time: str
    idle: bool
    stops: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The engine's side. `basis` says what was compared, `parts` the components in GiB."""

    basis: tuple[str, ...]
    rows: tuple[ComparedRow, ...]
    parts: tuple[tuple[str, float], ...]
    capacity_gib: float
    scaled: str
    conclusion: str
    levers: tuple[LeverRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One report. `lacks` says why there is no comparison."""

    title: str
    about: str
    figures: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    cause: str
    beside: Beside | None = None
    lacks: str = ""


def readings_of(text: str, task: Task | None, catalog: Catalog, chosen: str) -> list[Reading]:
    """Every report of the text, each beside the recipe.

    Args:
        task: None while the recipe cannot be calculated.
        chosen: id of the card that the person named; "" leaves it to the text.
    """
    return [_reading(report, task, catalog, chosen) for report in memory_reports(text)]


def _reading(report: MemoryReport, task: Task | None, catalog: Catalog, chosen: str) -> Reading:
    found, lacks = _beside(report, task, catalog, chosen)
    return Reading(
        title=str(_KINDS[report.kind]),
        about=_about(report),
        figures=tuple(
            (str(label), formatting.binary_size(getattr(report, name)))
            for name, label in _FIGURES
            if getattr(report, name) is not None
        ),
        notes=tuple(_notes(report)),
        cause=_cause(report),
        beside=found,
        lacks=lacks,
    )


def _about(report: MemoryReport) -> str:
    if report.index is None:
        return report.card or ""
    gpu = _("GPU %(index)s") % {"index": report.index}
    return f"{gpu}, {report.card}" if report.card else gpu


def _notes(report: MemoryReport) -> Iterator[str]:
    if report.kind == "nvidia-smi":
        if report.count > 1:
            yield _(
                "Of %(count)s cards this is the fullest: training fails on the first that runs out."
            ) % {"count": formatting.number(report.count)}
        yield _("This is one moment; the peak may be higher.")
    elif report.kind == "log" and report.count > 1:
        yield _("The largest of %(count)s figures.") % {"count": formatting.number(report.count)}
    elif report.count > 1:
        text = _("The text holds %(count)s of them; this is the first.")
        yield text % {"count": formatting.number(report.count)}
    if report.ambiguous_unit:
        yield _("The log writes GB or MB; read as GiB and MiB, as PyTorch counts.")


def _cause(report: MemoryReport) -> str:
    """What follows from the message alone."""
    cause = cause_of(report)
    if cause is None:
        return ""
    sizes = {
        "requested": formatting.binary_size(report.requested_bytes or 0),
        "unallocated": formatting.binary_size(report.unallocated_bytes or 0),
        "others": formatting.binary_size(report.others_bytes or 0),
        "limit": formatting.binary_size(report.limit_bytes or 0),
        "needed": formatting.binary_size(
            (report.allocated_bytes or 0) + (report.requested_bytes or 0)
        ),
        "total": formatting.binary_size(report.total_bytes or 0),
        "missing": formatting.binary_size(missing_bytes(report) or 0),
    }
    return str(_CAUSES[cause]) % sizes


_CAUSES: Final = {
    "fragmentation": gettext_lazy(
        "Fragmentation is the cause: PyTorch holds %(unallocated)s without a tensor in it, more than the %(requested)s that it asked for, but in pieces. First set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; the recipe may fit as it is."
    ),
    "others": gettext_lazy(
        "Other processes are the cause: they hold %(others)s of this card, and %(missing)s was missing. End them, or take a card of one's own."
    ),
    "limit": gettext_lazy(
        "The program's own limit is the cause: it may take %(limit)s, and the card had the %(requested)s free."
    ),
    "training": gettext_lazy(
        "The training itself is the cause: its tensors need at least %(needed)s of the %(total)s that the card has."
    ),
    "unclear": gettext_lazy(
        "The message does not say what fills the card. Look at the processes with nvidia-smi."
    ),
}


def _beside(
    report: MemoryReport, task: Task | None, catalog: Catalog, chosen: str
) -> tuple[Beside | None, str]:
    if task is None:
        return None, _("Fill in the fields above: then our figures for the same recipe stand here.")
    ways = _ways(report, catalog, chosen)
    if not ways.cards:
        return None, _("The text does not say which card it is: choose it beside the text.")
    found = measured_against(report, task, catalog, ways)
    if found is None or not found.compared:
        return None, _("The text holds no figure that can be compared.")
    return _compared(found, task), ""


def reported_runs(text: str, task: Task, catalog: Catalog, chosen: str) -> tuple[MeasuredRun, ...]:
    """The reports of a text as measured runs of `task`; arguments as of `readings_of`."""
    return runs_of(memory_reports(text), task, lambda report: _ways(report, catalog, chosen))


def reported_cards(text: str, catalog: Catalog, chosen: str) -> tuple[tuple[str, float], ...]:
    """(id, GiB) of the cards whose capacity a text states otherwise than the catalog; of several
    reports about one card the least. Arguments as of `readings_of`."""
    found: dict[str, float] = {}
    for report in memory_reports(text):
        for card in _ways(report, catalog, chosen).cards[:1]:
            seen_gib = as_reported(card, report).usable_memory_gib
            if seen_gib != card.usable_memory_gib:
                found[card.id] = min(seen_gib, found.get(card.id, seen_gib))
    return tuple(sorted(found.items()))


def _ways(report: MemoryReport, catalog: Catalog, chosen: str) -> Ways:
    if chosen in catalog.accelerators:
        return Ways((catalog.accelerators[chosen],), named=True)
    return cards_like(report, catalog)


def _compared(found: Measured, task: Task) -> Beside:
    ladder = ladder_of({"ladder": found.ladder}) if found.ladder else None
    parts = in_order("component", found.estimate.components_gib)
    return Beside(
        basis=tuple(_basis(found, task)),
        rows=tuple(_compared_row(one) for one in found.compared),
        parts=tuple((component_name(name), gib) for name, gib in parts),
        capacity_gib=found.card.usable_memory_gib,
        scaled=_scaled(found.scale),
        conclusion=ladder.conclusion if ladder else "",
        levers=tuple(_lever(rung, found.scale) for rung in ladder.rungs) if ladder else (),
    )


def _basis(found: Measured, task: Task) -> Iterator[str]:
    """On what the engine's figures were worked out, and what of it the text does not say."""
    yield _("Our figures are for %(card)s.") % {"card": found.card.name}
    if not found.named:
        names = ", ".join(found.alike)
        if names:
            text = _(
                "The text gives only the size of the card; as large are: %(names)s. The memory that training needs is the same on them."
            )
            yield text % {"names": names}
        else:
            yield _(
                "The text gives only the size of the card; no other in the catalog is as large."
            )
    place = task.placement
    if place is None or place.gpus is None:
        yield _("How many GPUs the run had is not stated: compared with one.")
    elif place.gpus > 1 and place.data_parallel is None:
        yield _("How the run was spread over its GPUs is not stated: taken as its framework does.")
    elif place.data_parallel is not None:
        yield _("Spread over the GPUs as stated: %(scheme)s.") % {
            "scheme": value_text("placement.data_parallel", place.data_parallel)
        }


def _compared_row(one: Compared) -> ComparedRow:
    standing = one.standing
    sentence = _AT_LEAST_ABOVE if one.at_least and standing == "above" else _STANDINGS[standing]
    measured = formatting.estimate(one.measured_gib, "GiB")
    off = abs(one.said.typical / one.measured_gib - 1)
    return ComparedRow(
        label=code_word("memory_figure", one.figure),
        measured=_("at least %(size)s") % {"size": measured} if one.at_least else measured,
        said=one.said,
        state=_STATES[standing],
        verdict=str(sentence) % {"share": formatting.percent(off)},
    )


_UNSCALED_RATIO: Final = 0.01


def _scaled(scale: float) -> str:
    if abs(scale - 1) < _UNSCALED_RATIO:
        return ""
    return _("Scaled to your measurement: ×%(scale)s.") % {
        "scale": formatting.approximate(scale, 3)
    }


def _lever(rung: Rung, scale: float) -> LeverRow:
    ends = {end: rung.after[end] * scale for end in ("low", "typical", "high")}
    return LeverRow(
        name=rung.name,
        about=rung.about,
        note=rung.note,
        after=formatting.range_text(ends, "GiB"),
        verdict=rung.verdict,
        time=rung.time,
        idle=rung.idle,
        stops=rung.stops,
    )
