"""The variants side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.documents.sheets.memory import not_calculated
from apps.documents.sheets.pace import deadline_hours, deadline_word
from apps.documents.sheets.reading import Reading, clipped, line_of
from apps.documents.sheets.variants import Variant, picked, range_of
from apps.estimation.presenters import size_band_text
from apps.estimation.presenters.offers import OfferView, offer_of
from apps.estimation.presenters.variants import PartView, own_lines, part_of, reserve_rows
from apps.estimation.texts import sentence
from apps.pilots.standing import status_words, stop_text
from apps.sizing.ranges import Range

_MOST_RISKS: Final = 2
_LONG_CHARS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The head of one variant."""

    key: str
    name: str
    hardware: str
    recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """A range on the row's own scale, or a text. `tag` is a state with its word."""

    value: Range | None = None
    verdict: str | None = None
    word: str = ""
    limit: float | None = None
    text: str = ""
    note: str = ""
    tag: str = ""
    tag_state: str = "tight"
    recommended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    label: str
    note: str
    top: float | None
    cells: tuple[MatrixCell, ...]

    @property
    def fine(self) -> bool:
        """Sentences are set smaller than figures."""
        return any(len(cell.text) > _LONG_CHARS for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    conclusion: str
    reason: str
    columns: tuple[Column, ...]
    rows: tuple[MatrixRow, ...]
    offer: OfferView | None
    band: str


def matrix_of(reading: Reading, variants: tuple[Variant, ...]) -> Matrix:
    return Matrix(
        conclusion=stop_text(reading.snapshot.pilot) or _conclusion(variants),
        reason=sentence(reading.result.get("variants_reason")),
        columns=tuple(
            Column(key=v.key, name=v.name, hardware=v.hardware, recommended=v.recommended)
            for v in variants
        ),
        rows=tuple(_rows(reading, variants)),
        offer=offer_of(reading.result),
        band=size_band_text(reading.result),
    )


def _conclusion(variants: tuple[Variant, ...]) -> str:
    if not variants:
        return _("No variant can be named yet: the open questions say what is missing.")
    chosen = picked(variants)
    if chosen is None or not chosen.recommended:
        return _("None of the variants can be recommended as it is: see what stands in the way.")
    said = _("We recommend %(variant)s: %(name)s, %(hardware)s.") % {
        "variant": chosen.key,
        "name": chosen.name,
        "hardware": chosen.hardware,
    }
    pick = chosen.document.get("pick")
    if not pick:
        return said
    why = _("The engineer's choice (%(who)s): %(reason)s") % {
        "who": line_of(pick["author"]),
        "reason": clipped(pick["text"]),
    }
    return f"{said} {why}"


def _rows(reading: Reading, variants: tuple[Variant, ...]) -> list[MatrixRow]:
    deadline = deadline_hours(reading)
    rows = [
        _measured(
            variants,
            _("Memory"),
            _("GiB on one GPU"),
            "memory",
            lambda v: (v.device_gib, v.capacity_gib, ""),
        ),
        _measured(
            variants,
            _("Time"),
            _("hours, deadline %(hours)s") % {"hours": formatting.number(deadline)}
            if deadline
            else _("hours"),
            "time",
            lambda v: (v.hours, deadline, deadline_word(v.verdict("time"))),
        ),
        _measured(
            variants,
            _("Power"),
            _("kW in all"),
            "rack",
            lambda v: (v.load_kw, v.feed_kw, ""),
        ),
        _said(variants, _("Link"), lambda v: v.link_text),
        _said(variants, _("Layout"), lambda v: v.layout),
        _said(variants, _("Status"), lambda v: status_words(reading.snapshot.pilot, v.document)),
        _skus(variants),
        _said(variants, _("Growth"), _growth),
        _said(variants, _("Left free by the high end"), _reserves),
        _said(variants, _("Rests on"), lambda v: _with_own(v, "savings", "pro")),
        _said(variants, _("What to mind"), lambda v: _with_own(v, "risks", "con", _MOST_RISKS)),
        _said(variants, _("What would lift it"), lambda v: " ".join(v.messages("lifts"))),
        _said(variants, _("When to choose"), lambda v: _with_own(v, "when", "when")),
    ]
    return [row for row in rows if any(c.value or c.text or c.tag for c in row.cells)]


def _measured(
    variants: tuple[Variant, ...], label: str, note: str, estimator: str, read: Any
) -> MatrixRow:
    """A row of ranges on one scale."""
    found = [read(variant) for variant in variants]
    ends = [n for value, limit, _word in found for n in (value.high if value else None, limit) if n]
    cells = []
    for variant, (value, limit, word) in zip(variants, found, strict=True):
        cells.append(
            MatrixCell(
                value=value,
                verdict=variant.verdict(estimator) if value else None,
                word=word,
                limit=limit,
                **({} if value else _instead(variant, estimator)),
                recommended=variant.recommended,
            )
        )
    top = max(ends) * 1.05 if ends else None
    return MatrixRow(label=label, note=note, top=top, cells=tuple(cells))


def _instead(variant: Variant, estimator: str) -> dict[str, str]:
    """The step where there is no cycle, else the reason."""
    step = range_of(variant.block("time"), "step_s") if estimator == "time" else None
    if step is None:
        return {"text": not_calculated(variant, estimator)}
    return {"text": formatting.duration(step), "note": _("one step; the cycle is not known")}


def _said(variants: tuple[Variant, ...], label: str, read: Any) -> MatrixRow:
    cells = tuple(MatrixCell(text=read(v), recommended=v.recommended) for v in variants)
    return MatrixRow(label=label, note="", top=None, cells=cells)


def _skus(variants: tuple[Variant, ...]) -> MatrixRow:
    return MatrixRow(
        label=_("Part number"), note="", top=None, cells=tuple(_sku(v) for v in variants)
    )


def _sku(variant: Variant) -> MatrixCell:
    if variant.rented:  # whose chassis it is, the landlord says
        return MatrixCell(text=_("not needed"), recommended=variant.recommended)
    if variant.server is None and not variant.document.get("part"):
        return MatrixCell(
            tag=pgettext("part number", "none in the catalog"),
            tag_state="unknown",
            recommended=variant.recommended,
        )
    confirmed = variant.document.get("needs_confirmation") is False
    part = part_of(variant.document)
    return MatrixCell(
        text=line_of(part.number) if part else variant.server or "",
        note=_behind(part) if part else "",
        tag=_("confirmed") if confirmed else _("needs confirmation"),
        tag_state="ok" if confirmed else "tight",
        recommended=variant.recommended,
    )


def _behind(part: PartView) -> str:
    """What confirms the part number: the document, what it says, who read it and when."""
    return _("by the document “%(document)s”: %(says)s %(who)s, %(day)s, rev. %(letter)s") % {
        "document": line_of(part.document),
        "says": line_of(part.says),
        "who": line_of(part.by),
        "day": formatting.day(part.at),
        "letter": part.letter,
    }


def _with_own(variant: Variant, part: str, kind: str, most: int | None = None) -> str:
    """The computed lines, then the engineer's, which say whose they are."""
    own = [line_of(line.text) for line in own_lines(variant.document)[kind]]
    said = _("Engineer: %(lines)s") % {"lines": " ".join(own)} if own else ""
    return " ".join([*variant.messages(part)[:most], *([said] if said else [])])


def _growth(variant: Variant) -> str:
    """Whether GPUs can be added to the chassis, and why not."""
    said = " ".join(variant.messages("grows"))
    if said:
        return said
    growth = (variant.block("rack") or {}).get("growth") or {}
    free = growth.get("free_gpu_slots")
    if free:
        return _("%(count)s more in the same chassis") % {
            "count": formatting.quantity(free * variant.nodes, "gpus")
        }
    return _("by one more node") if growth else ""


def _reserves(variant: Variant) -> str:
    """Shares of the limits, the shortage as a word."""
    return ", ".join(f"{name}: {share}" for name, share in reserve_rows(variant.document))
