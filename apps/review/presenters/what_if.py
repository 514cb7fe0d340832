"""What came of a trial beside the estimate of record: figures on one scale, conclusions in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.charts import Drawing, MemoryBar, MemoryLabels, memory_chart
from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.estimation.magnitude import as_shown
from apps.estimation.presenters import Cell, VariantView, cell_of, variants_of
from apps.estimation.presenters.cells import deadline_word
from apps.estimation.texts import component_name, field_label, in_order, sentences
from apps.review.presenters.what_if_form import global_batch
from apps.review.what_if import Record, Trial
from apps.sizing.methods import does_not_apply
from apps.sizing.ranges import Range
from apps.sizing.what_if import METHOD, conclusions

_PARTS: Final = ("memory", "step", "time", "interconnect", "storage", "host", "rack")
_MISSED: Final = "does-not-fit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure then and now, drawn on a scale up to `top`; `same`: within rounding."""

    label: str
    was: Cell
    now: Cell
    top: float
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    label: str
    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialView:
    """`said` is the whole in a sentence or two; `sentences` are the conclusions that changed.

    `words` are what has no figure: server, layout, global batch.
    """

    said: str
    changed: bool
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[Row, ...]
    words: tuple[PartRow, ...]
    parts: tuple[PartRow, ...]
    drawing: Drawing | None


def trial_view(record: Record, trial: Trial, *, left_out: Sequence[str] = ()) -> TrialView:
    """A trial that could not be computed shows the record, and says so.

    Args:
        left_out: labels of the fields whose text could not be read.
    """
    shown = trial.document if trial.document is not None else record.document
    was, now = variant_view(record.document), variant_view(shown)
    changed = bool(trial.values) and trial.document is not None
    found = conclusions(record.document, shown) if changed else ()
    return TrialView(
        said=" ".join([*_unread(left_out), _said(was, now) if changed else _unchanged(trial)]),
        changed=changed,
        sentences=tuple(sentences(found)),
        notes=tuple(_notes(record, trial, now)),
        rows=tuple(_rows(was, now)),
        words=tuple(_words(record, trial, was, now)),
        parts=tuple(_part_rows(was, now)),
        drawing=_drawing(was, now, changed=changed),
    )


def variant_view(document: Mapping[str, Any]) -> VariantView:
    (view,) = variants_of(as_shown(document))
    return view


def _unread(left_out: Sequence[str]) -> Iterator[str]:
    if left_out:
        fields = ", ".join(left_out)
        yield _("Not counted, because it cannot be read: %(fields)s.") % {"fields": fields}


def _unchanged(trial: Trial) -> str:
    if trial.failed:
        return _("This combination could not be computed.")
    if trial.problem:
        return _("The values contradict each other: %(field)s.") % {
            "field": field_label(trial.problem)
        }
    return _("Nothing is changed: these are the figures of the estimate.")


def _cell(view: VariantView, part: str) -> Cell | None:
    """None where there is nothing to show of a step."""
    if part != "step":
        return view.cell(part)
    time = view.block.get("time") or {}
    if not time.get("step_s") or not time.get("cycle"):
        return None  # without a cycle the cell of the time is the step itself
    return Cell(key="step", label=_("Time of a step"), value=time["step_s"], unit="s")


def _rows(was: VariantView, now: VariantView) -> Iterator[Row]:
    for part in _PARTS:
        before, after = _cell(was, part), _cell(now, part)
        if before is None or after is None:
            continue
        figures = [c.value["high"] for c in (before, after) if c.value]
        limits = [c.limit for c in (before, after) if c.limit]
        yield Row(
            label=after.label,
            was=before,
            now=after,
            top=max([*figures, *limits], default=0.0) * 1.05,
            same=before == after,
        )


def _words(record: Record, trial: Trial, was: VariantView, now: VariantView) -> Iterator[PartRow]:
    """What has no range; a line for what is the same too, so that nothing moves under the eye."""
    before, footing = record.case, trial.footing or record.footing
    after = footing.case(record.catalog)
    yield PartRow(label=_("Hardware"), was=was.hardware, now=now.hardware)
    yield PartRow(label=pgettext("hardware", "Server"), was=_server(was), now=_server(now))
    yield PartRow(label=_("Layout"), was=was.layout, now=now.layout)
    if before is not None and after is not None:
        was_text, now_text = (formatting.number(global_batch(case)) for case in (before, after))
        yield PartRow(label=field_label("recipe.global_batch"), was=was_text, now=now_text)


def _server(view: VariantView) -> str:
    if view.rented:
        return _("the landlord's node")
    name = view.server or _("not in the catalog")
    if view.nodes == 1:
        return name
    return f"{formatting.quantity(view.nodes, 'nodes')} {name}"


def _part_rows(was: VariantView, now: VariantView) -> Iterator[PartRow]:
    """The five parts of the peak; and the whole as the device shows it."""
    before, after = (view.block.get("memory") or {} for view in (was, now))
    if "components_gib" not in before or "components_gib" not in after:
        return
    for code, size in in_order("component", after["components_gib"]):
        yield PartRow(
            label=component_name(code),
            was=formatting.estimate(before["components_gib"].get(code, 0.0), "GiB"),
            now=formatting.estimate(size, "GiB"),
        )


def _drawing(was: VariantView, now: VariantView, *, changed: bool) -> Drawing | None:
    views = [(pgettext("figure", "was"), was)]
    if changed:
        views.append((pgettext("figure", "now"), now))
    bars = [_bar(word, view) for word, view in views if not view.cell("memory").missing]
    if not bars:
        return None
    return memory_chart(
        bars,
        weights_only_gib=None,
        labels=MemoryLabels().translated(_),
        number=formatting.approximate,
    )


def _bar(word: str, view: VariantView) -> MemoryBar:
    memory = view.block["memory"]
    return MemoryBar(
        key=word,
        name=view.hardware,
        hardware=view.layout,
        components_gib=memory["components_gib"],
        device_gib=Range.from_dict(memory["device_gib"]),
        capacity_gib=memory.get("capacity_gib"),
        status=memory["verdict"],
        word=verdict_word(memory["verdict"]),
    )


def _said(was: VariantView, now: VariantView) -> str:
    parts = [_memory_said(was.cell("memory"), now.cell("memory"))]
    for part in ("step", "time"):
        before, after = _cell(was, part), _cell(now, part)
        if before and after and before.value and after.value:
            parts.append(_time_said(part, before, after))
    return " ".join(part for part in parts if part)


def _memory_said(was: Cell, now: Cell) -> str:
    if not was.value or not now.value:
        return ""
    figures = {
        "now": _span(now),
        "was": _span(was),
        "verdict": verdict_word(now.state),
        "before": verdict_word(was.state),
    }
    if was.state == now.state:
        return _("Memory of one GPU %(now)s (it was %(was)s): %(verdict)s, as before.") % figures
    return (
        _("Memory of one GPU %(now)s (it was %(was)s): %(verdict)s, before: %(before)s.") % figures
    )


def _time_said(part: str, was: Cell, now: Cell) -> str:
    figures = {
        "now": _span(now),
        "was": _span(was),
        "verdict": deadline_word(now.state) or verdict_word(now.state),
    }
    if part == "step" or now.unit == "s":
        return _("A step takes %(now)s (it was %(was)s).") % figures
    if now.state:
        return _("The cycle takes %(now)s (it was %(was)s): %(verdict)s.") % figures
    return _("The cycle takes %(now)s (it was %(was)s).") % figures


def _span(cell: Cell) -> str:
    """From low to high, in the unit of the table below."""
    shown, unit, _size = formatting.fitted_range(cell.value, cell.unit)
    return formatting.span_text(shown, unit)


def _notes(record: Record, trial: Trial, now: VariantView) -> Iterator[str]:
    """What a reader has to know beside the figures."""
    if trial.failed:
        yield _(
            "Nothing you typed is lost, and the record is untouched. The figures below are those of the estimate. Change a value and try again."
        )
    if not record.agrees:
        yield _(
            "The engine has changed since this estimate: both columns are computed anew, so they may differ from the review. Recalculate the estimate to have one set of figures."
        )
    if trial.document is not None and trial.values:
        if METHOD in trial.values:
            refused = does_not_apply(trial.values[METHOD], record.footing.task, record.catalog)
            yield from sentences([refused] if refused else [])
        if now.cell("memory").state == _MISSED:
            yield _("It does not fit, so the time is what it would take if it did.")
        yield from now.refusals
        before, after = record.case, trial.footing.case(record.catalog) if trial.footing else None
        if before and after and global_batch(before) != global_batch(after):
            yield _(
                "The global batch changes: the training itself becomes another one, not only its memory. Keep it by changing the accumulation the other way."
            )


def ready_effect(trial: Trial) -> str:
    """What a ready trial comes to, in a few words."""
    assert trial.document is not None  # only those that could be computed are ready
    (block,) = as_shown(trial.document)["variants"]
    reasons = block["reasons"]
    memory, time = (cell_of(part, block[part], reasons.get(part)) for part in ("memory", "time"))
    parts = [f"{_span(memory)}, {verdict_word(memory.state)}"] if memory.value else []
    if time.value:
        pattern = _("step %(time)s") if time.unit == "s" else _("cycle %(time)s")
        parts.append(pattern % {"time": _span(time)})
    return "; ".join(parts)
