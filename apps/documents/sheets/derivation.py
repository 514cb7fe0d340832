"""The appendix: how the figures of the recommended variant came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.documents.sheets.reading import Reading
from apps.estimation.explanations import stated_by
from apps.estimation.presenters.derivation import (
    DerivationView,
    FormulaInput,
    FormulaLine,
    derivation_of,
)
from apps.estimation.presenters.formula_sources import Source, SourceBook


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """A figure, and the steps of its formula that nothing before it has told."""

    figure: FormulaLine
    where: tuple[FormulaLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPart:
    """One part of the appendix."""

    name: str
    lines: tuple[SheetLine, ...]
    widened: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationSheet:
    """Left out of a document that keeps no explanation.

    It is closed: every symbol of a formula is a figure, a step under one, or among `inputs`; and
    every input, which are of all parts and each once, stands in a formula.
    """

    conclusion: str
    parts: tuple[SheetPart, ...] = ()
    inputs: tuple[FormulaInput, ...] = ()
    sources: tuple[Source, ...] = ()


def derivation_sheet_of(reading: Reading) -> DerivationSheet:
    derivation = reading.snapshot.derivation
    if derivation is None:
        return DerivationSheet(conclusion="")
    variants = reading.snapshot.result.get("variants") or ()
    blocks: Mapping[str, Any] = next((v for v in variants if v["key"] == derivation["variant"]), {})
    view = derivation_of(
        derivation["explanation"],
        rows=SourceBook.from_dict(derivation["sources"]),
        blocks=blocks,
        stated=stated_by(reading.evaluated, reading.snapshot.overrides, reading.snapshot.task),
        rough=reading.snapshot.result.get("status") == "magnitude",
    )
    conclusion = _(
        "Every figure of variant %(key)s: its formula, the same with the numbers in it, and"
        " where each number is from."
    ) % {"key": derivation["variant"]}
    return closed_sheet(view, conclusion)


def closed_sheet(view: DerivationView, conclusion: str) -> DerivationSheet:
    """The figures of a view with the steps and inputs that they need, and no others."""
    parts = tuple(_parts(view))
    used = {
        key
        for part in parts
        for told in part.lines
        for line in (told.figure, *told.where)
        for key in line.uses
    }
    known = [*(one for part in view.parts for one in part.inputs), *view.beside_inputs]
    inputs = {one.key: one for one in known if one.key in used}
    named = {one.source for one in inputs.values()}
    return DerivationSheet(
        conclusion=conclusion,
        parts=parts,
        inputs=tuple(inputs.values()),
        sources=tuple(source for source in view.sources if source.number in named),
    )


def _parts(view: DerivationView) -> Iterator[SheetPart]:
    """Figures in their order; a step stands where it is needed first."""
    lines = {line.key: line for part in view.parts for line in part.lines}
    told = {key for key, line in lines.items() if not line.detail}
    lines |= {line.key: line for line in view.beside}
    for part in view.parts:
        figures = []
        for line in part.main:
            steps = tuple(_steps(line, lines, told))
            figures.append(SheetLine(figure=line, where=steps))
        yield SheetPart(name=part.name, lines=tuple(figures), widened=part.widened)


def _steps(
    line: FormulaLine, lines: Mapping[str, FormulaLine], told: set[str]
) -> Iterator[FormulaLine]:
    """Steps of a formula that were not told yet, each before those it is made of."""
    for key in line.uses:
        if key in lines and key not in told:
            told.add(key)
            yield lines[key]
            yield from _steps(lines[key], lines, told)
