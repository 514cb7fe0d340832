"""An explanation (`podbor.explanation/1`) as lines, inputs and sources for pages and documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.core import formatting
from apps.estimation.presenters.formula_sources import Source, SourceBook
from apps.estimation.presenters.formulas import formula_text
from apps.estimation.texts import code_word, estimator_name, field_label
from apps.estimation.wording.formula_names import figure_name, input_name, origin_of
from apps.estimation.wording.formula_values import quantity_text
from apps.sizing.explain.explanation import PARTS
from apps.sizing.explain.expressions import SYMBOL, symbols_in

Block = Mapping[str, Any]

_WORTH_SAYING: Final = 0.02
_MOST_CAUSES: Final = 4
# Parts whose formulas are calibrated on runs.
_OF_RUNS: Final = frozenset({"memory", "time"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaLine:
    """`symbol` = `formula` = `numbers` = `result`; the last but one may be missing.

    `uses` are the keys of the lines and inputs whose symbols stand in the formula.
    """

    key: str
    name: str
    symbol: str
    formula: str
    numbers: str
    result: str
    detail: bool
    uses: tuple[str, ...]

    @property
    def text(self) -> str:
        told = (self.symbol, self.formula, self.numbers, self.result)
        return " = ".join(part for part in told if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaInput:
    """A number of the input. `provenance` is a letter of `core.provenance`, or empty; `source`
    the number of its source, or nothing."""

    key: str
    symbol: str
    name: str
    value: str
    origin: str
    provenance: str
    source: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDerivation:
    """One part: its lines, what they are filled with, what its range holds."""

    key: str
    name: str
    lines: tuple[FormulaLine, ...]
    inputs: tuple[FormulaInput, ...]
    sources: tuple[Source, ...]
    widened: str

    @property
    def main(self) -> tuple[FormulaLine, ...]:
        return tuple(line for line in self.lines if not line.detail)

    @property
    def details(self) -> tuple[FormulaLine, ...]:
        return tuple(line for line in self.lines if line.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationView:
    """All parts of one variant and the sources they are numbered by.

    `beside` are the lines of parts that are not shown, which formulas of a shown one may use, and
    `beside_inputs` what those take from outside.
    """

    parts: tuple[PartDerivation, ...]
    sources: tuple[Source, ...]
    beside: tuple[FormulaLine, ...] = ()
    beside_inputs: tuple[FormulaInput, ...] = ()

    def part(self, key: str) -> PartDerivation | None:
        return next((part for part in self.parts if part.key == key), None)


def derivation_of(
    explanation: Block,
    *,
    rows: SourceBook,
    blocks: Block,
    stated: Mapping[str, str],
    rough: bool,
) -> DerivationView:
    """The view of one explanation.

    Args:
        rows: where catalog facts and coefficients have their sources.
        blocks: the variant's blocks of the result, for what widens their ranges.
        stated: provenance by field of the task document, as `core.provenance` knows it.
        rough: whether the result shows orders of magnitude only.
    """
    reader = _Reader(explanation, rows, stated, rough=rough)
    by_part = {key: [line for line in explanation["lines"] if line["part"] == key] for key in PARTS}
    # A part without a block has no figures to explain: it failed, or stands elsewhere.
    shown = [key for key in PARTS if by_part[key] and blocks.get(key)]
    unknowns = explanation["unknowns"]
    parts = tuple(
        reader.part(key, by_part[key], blocks[key], unknowns.get(key) or {}) for key in shown
    )
    beside = [line for key in PARTS if key not in shown for line in by_part[key]]
    beside_inputs = tuple(reader.inputs(beside))
    return DerivationView(
        parts=parts,
        sources=rows.told,  # numbered by now
        beside=tuple(map(reader.line, beside)),
        beside_inputs=beside_inputs,
    )


class _Reader:
    """Looks up what stands for a symbol, and its value as text."""

    def __init__(
        self, explanation: Block, rows: SourceBook, stated: Mapping[str, str], *, rough: bool
    ) -> None:
        self._lines = {line["key"]: line for line in explanation["lines"]}
        self._inputs: Mapping[str, Block] = explanation["inputs"]
        self._rows, self._stated, self._rough = rows, stated, rough
        # In the order of their use: a stored document has its keys sorted.
        used = dict.fromkeys(
            key for line in explanation["lines"] for key in symbols_in(line["expression"])
        )
        unnamed = [k for k in used if k in self._inputs and not self._inputs[k]["symbol"]]
        self._numbered = {key: f"k_{number}" for number, key in enumerate(unnamed, start=1)}

    def part(
        self, key: str, lines: Sequence[Block], block: Block, unknowns: Mapping[str, float]
    ) -> PartDerivation:
        inputs = tuple(self.inputs(lines))
        named = {one.source for one in inputs}
        return PartDerivation(
            key=key,
            name=estimator_name(key),
            lines=tuple(self.line(line) for line in lines),
            inputs=inputs,
            sources=tuple(s for s in self._rows.told if s.number in named),
            widened=_widened(
                [
                    *_unknowns(unknowns),
                    *_causes(key, block),
                    *map(_in_a_sentence, self.ranged(lines)),
                ],
                formulas_of_runs=key in _OF_RUNS,
            ),
        )

    def symbol(self, key: str) -> str:
        line = self._lines.get(key)
        if line is not None:
            return str(line["symbol"])
        return str(self._numbered.get(key) or self._inputs[key]["symbol"])

    def value(self, key: str) -> str:
        line = self._lines.get(key)
        if line is not None:
            return self._figure(line["value"], line["unit"])
        leaf = self._inputs[key]
        return quantity_text(leaf["value"], leaf["unit"])

    def _figure(self, value: float, unit: str) -> str:
        """A computed figure: of an order of magnitude two digits are worth showing."""
        return quantity_text(value, unit, rough=self._rough)

    def line(self, line: Block) -> FormulaLine:
        expression = line["expression"]
        formula = formula_text(expression, self.symbol)
        numbers = formula_text(expression, self.value)
        # A figure that is an input itself is as exact as that one.
        given = isinstance(expression, list) and expression[0] == SYMBOL
        exact = given and expression[1] in self._inputs
        figure = quantity_text if exact else self._figure
        result = figure(line["value"], line["unit"])
        return FormulaLine(
            key=line["key"],
            name=figure_name(line["key"]),
            symbol=line["symbol"],
            formula=formula,
            numbers="" if numbers in (result, formula) else numbers,
            result=result,
            detail=line["detail"],
            uses=tuple(symbols_in(expression)),
        )

    def inputs(self, lines: Sequence[Block]) -> Iterator[FormulaInput]:
        """What the lines of a part take from outside, each once."""
        keys = dict.fromkeys(key for line in lines for key in symbols_in(line["expression"]))
        for key in keys:
            leaf = self._inputs.get(key)
            if leaf is not None:
                words, provenance = origin_of(leaf, self._stated)
                yield FormulaInput(
                    key=key,
                    symbol=self.symbol(key),
                    name=input_name(key, leaf),
                    value=_with_range(leaf),
                    origin=words,
                    provenance=provenance,
                    source=self._rows.number_of(leaf),
                )

    def ranged(self, lines: Sequence[Block]) -> list[str]:
        """Names of the numbers that come with a range of their own, the widest first."""
        keys = dict.fromkeys(key for line in lines for key in symbols_in(line["expression"]))
        leaves = [(key, self._inputs[key]) for key in keys if key in self._inputs]
        wide = [
            ((leaf["high"] - leaf["low"]) / abs(leaf["value"]), input_name(key, leaf))
            for key, leaf in leaves
            if leaf.get("low") is not None and leaf["high"] > leaf["low"] and leaf["value"]
        ]
        return [name for _width, name in sorted(wide, reverse=True)]


def _with_range(leaf: Block) -> str:
    """The typical value, and the ends of its own range where it has one."""
    typical = quantity_text(leaf["value"], leaf["unit"])
    low, high = leaf.get("low"), leaf.get("high")
    if low is None or high is None or low == high:
        return typical
    return pgettext("number of a formula", "%(typical)s (%(low)s to %(high)s)") % {
        "typical": typical,
        "low": quantity_text(low, leaf["unit"]),
        "high": quantity_text(high, leaf["unit"]),
    }


def _unknowns(swings: Mapping[str, float]) -> Iterator[str]:
    """Fields that nobody stated: the range spans what they could have been."""
    for field, swing in sorted(swings.items(), key=lambda pair: -pair[1]):
        if swing >= _WORTH_SAYING:
            yield pgettext("cause of a range", "not stated: “%(field)s” %(swing)s") % {
                "field": field_label(field),
                "swing": _swing(swing),
            }


def _causes(part: str, block: Block) -> Iterator[str]:
    """What the software may do either way."""
    found = sorted((block.get("causes") or {}).items(), key=lambda pair: -pair[1])
    for cause, swing in found:
        if swing >= _WORTH_SAYING:
            yield f"{code_word('cause', cause)} {_swing(swing)}"
    seconds = block.get("time_per_step_s") if part == "interconnect" else None
    if seconds and seconds["low"] < seconds["high"]:
        yield code_word("cause", "links")


def _widened(causes: Sequence[str], *, formulas_of_runs: bool) -> str:
    """What makes the range of a part as wide as it is, in one line; empty: nothing known."""
    shown = list(causes[:_MOST_CAUSES])
    if formulas_of_runs:
        shown.append(_("the spread of measured runs around the formula"))
    return _("The range holds: %(causes)s.") % {"causes": "; ".join(shown)} if shown else ""


def _in_a_sentence(name: str) -> str:
    """A name without its capital letter, unless it is an abbreviation."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _swing(swing: float) -> str:
    return pgettext("cause of a range", "(up to %(share)s)") % {"share": formatting.percent(swing)}
