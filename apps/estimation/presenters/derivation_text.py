"""A derivation as plain lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.estimation.presenters.derivation import DerivationView, FormulaInput, PartDerivation


def derivation_lines(view: DerivationView) -> Iterator[str]:
    """Every step of every part, then what stands in the formulas, then the sources."""
    for part in view.parts:
        yield ""
        yield part.name.upper()
        yield from _steps(part)
        if part.widened:
            yield f"  {part.widened}"
    yield ""
    yield _("What stands in the formulas, and where it comes from").upper()
    told: set[str] = set()
    for part in view.parts:
        for one in part.inputs:
            if one.symbol not in told:
                told.add(one.symbol)
                yield f"  {_input(one)}"
    yield ""
    for source in view.sources:
        about = ", ".join(part for part in (source.title, source.dated, source.address) if part)
        yield f"  [{source.number}] {about}"


def _steps(part: PartDerivation) -> Iterator[str]:
    for line in part.lines:
        yield f"  {line.name}"
        yield f"    {line.symbol} = {line.formula}"
        yield "      = " + " = ".join(text for text in (line.numbers, line.result) if text)


def _input(one: FormulaInput) -> str:
    source = f" [{one.source}]" if one.source else ""
    return f"{one.symbol}: {one.name}, {one.value} ({one.origin}){source}"
