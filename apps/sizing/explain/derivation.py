"""Recorded figures -> lines that a person can follow: one formula a line, none too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from apps.sizing.explain.expressions import Expression, symbol, symbols_in
from apps.sizing.explain.leaves import Leaf, Leaves
from apps.sizing.explain.tracing import Node
from apps.sizing.explain.units import unit_of

# Numbers and symbols a line may have before a part of it gets a line of its own.
_LONGEST: Final = 14
_LARGEST_PART: Final = 12
_SMALLEST_PART: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure of a part: `value` in its raw unit is what `expression` comes to.

    `detail` marks a line that is there for those who follow every step. A part of a longer formula
    has the key of that one with a number: `x.3`.
    """

    key: str
    part: str
    symbol: str
    unit: str
    value: float
    expression: Expression
    detail: bool

    def as_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "part": self.part,
            "symbol": self.symbol,
            "unit": self.unit,
            "value": self.value,
            "expression": self.expression,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a part wants a line for."""

    key: str
    part: str
    symbol: str
    unit: str
    value: float
    detail: bool


@dataclass(slots=True)
class Sheet:
    """Figures of all parts in the order they are read; `lines` writes them out."""

    leaves: Leaves
    figures: list[Figure] = field(default_factory=list)
    _number: int = 0
    _told: set[str] = field(default_factory=set)

    def add(
        self, part: str, key: str, mark: str, unit: str, value: float, *, detail: bool = False
    ) -> None:
        """A line of `part`; what is nothing, or was said under this key already, gets none."""
        if value == 0 or any(f.key == key for f in self.figures):
            return
        self.leaves.tracer.name(key, value)
        self.figures.append(Figure(key, part, mark, unit, value, detail))

    def lines(self) -> Iterator[Line]:
        """Every figure with its formula; a formula uses what stands before it, never after."""
        for figure in self.figures:
            node = self.leaves.tracer.node_of(figure.value)
            own = node.key == figure.key and bool(node.arguments)
            named = node.key == figure.key
            if not own and (figure.detail or named):
                continue  # a number, or something that has a line already
            yield from self._parts(figure, node)
            yield Line(
                key=figure.key,
                part=figure.part,
                symbol=figure.symbol,
                unit=figure.unit,
                value=float(figure.value),
                expression=self._expressed(node, own=own),
                detail=figure.detail,
            )
            self._told.add(figure.key)

    def _parts(self, figure: Figure, top: Node) -> Iterator[Line]:
        """Lines for parts that are cut out of a formula that would be too long."""
        while self._length(top, top) > _LONGEST:
            part = self._longest_part(top)
            if part is None:
                return
            self._number += 1
            part.key = f"x.{self._number}"
            self._told.add(part.key)
            yield Line(
                key=part.key,
                part=figure.part,
                symbol=f"x_{self._number}",
                unit=_part_unit(part, figure.part),
                value=part.value,
                expression=self._expressed(part, own=True),
                detail=True,
            )

    def _stands(self, node: Node) -> bool:
        """Whether a symbol stands for the node: it is of the input or has a line already."""
        return not node.operation or node.key in self._told

    def _expressed(self, node: Node, *, own: bool) -> Expression:
        if self._stands(node) and not own:
            return symbol(node.key)
        if node.operation == "number":
            return node.value
        arguments: list[Expression] = []
        for at, argument in enumerate(node.arguments):
            told = self._expressed(argument, own=False)
            chain = isinstance(told, list) and told[0] == node.operation and at == 0
            if chain and node.operation in ("+", "×") and isinstance(told, list):
                arguments += told[1:]
            else:
                arguments.append(told)
        return [node.operation, *arguments]

    def _length(self, node: Node, top: Node) -> int:
        """Numbers and symbols in the formula of a node."""
        if node.operation == "number" or (node is not top and self._stands(node)):
            return 1
        return sum(self._length(argument, top) for argument in node.arguments)

    def _longest_part(self, top: Node) -> Node | None:
        """The longest part that may stand by itself."""
        lengths = [(self._length(part, part), part) for part in self._parts_of(top, top)]
        fitting = [
            (length, part)
            for length, part in lengths
            if part is not top and not part.key and _SMALLEST_PART <= length <= _LARGEST_PART
        ]
        return max(fitting, key=lambda pair: pair[0])[1] if fitting else None

    def _parts_of(self, node: Node, top: Node) -> Iterator[Node]:
        if node.operation == "number" or (node is not top and self._stands(node)):
            return
        if node.operation != "unit":
            yield node
        for argument in node.arguments:
            yield from self._parts_of(argument, top)

    def inputs(self, lines: list[Line]) -> dict[str, Leaf]:
        """The numbers of the input that the lines use, in the order of their use.

        Coefficients without a letter are numbered.
        """
        found: dict[str, Leaf] = {}
        own = {line.key for line in lines}
        for line in lines:
            for key in symbols_in(line.expression):
                if key not in own and key not in found:
                    found[key] = self.leaves.found[key]
        return found


def _part_unit(node: Node, part: str) -> str:
    """The unit of a step: bytes are read in powers of two where memory is, and nowhere else."""
    unit = unit_of(node.dimension)
    return "bytes" if unit == "binary" and part != "memory" else unit
