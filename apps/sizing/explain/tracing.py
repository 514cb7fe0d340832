"""Numbers that remember how they were made.

The engine's functions are given `Traced` numbers instead of plain ones and do their arithmetic as
always; what comes out carries the formula that made it. So an explanation cannot say anything but
what the engine did. What neutral numbers do (times one, plus nothing) is not recorded, and of
`max`, `min` and conditions only the branch that was taken is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self

from apps.sizing.explain.units import UNITS, Dimension, converted

_RECIPROCAL: Final = 0.01  # below it 0.0002778 is better read as 1/3600
_LARGEST_PLAIN: Final = 1000.0  # smaller numbers are coefficients, not quantities to recognise


@dataclass(slots=True, eq=False)
class Node:
    """A number, a quantity (`key` without `arguments`), or an operation.

    `key` names the quantity that the node is; `dimension` is None where it makes no sense.
    """

    operation: str
    arguments: tuple[Node, ...]
    value: float
    dimension: Dimension | None
    key: str = ""


class Traced(float):
    """A float with its node. Arithmetic with it is recorded in its tracer."""

    __slots__ = ("node", "tracer")
    node: Node
    tracer: Tracer

    def __new__(cls, value: float, node: Node, tracer: Tracer) -> Self:
        made = super().__new__(cls, value)
        made.node, made.tracer = node, tracer
        return made

    def __add__(self, other: float) -> Any:
        return self.tracer.apply("+", self, other)

    def __radd__(self, other: float) -> Any:
        return self.tracer.apply("+", other, self)

    def __sub__(self, other: float) -> Any:
        return self.tracer.apply("-", self, other)

    def __rsub__(self, other: float) -> Any:
        return self.tracer.apply("-", other, self)

    def __mul__(self, other: float) -> Any:
        return self.tracer.apply("×", self, other)

    def __rmul__(self, other: float) -> Any:
        return self.tracer.apply("×", other, self)

    def __truediv__(self, other: float) -> Any:
        return self.tracer.apply("÷", self, other)

    def __rtruediv__(self, other: float) -> Any:
        return self.tracer.apply("÷", other, self)

    def __pow__(self, other: float, _modulo: None = None) -> Any:
        return self.tracer.apply("^", self, other)

    def __floordiv__(self, other: float) -> Any:
        return self.tracer.floor(self / other)

    def __rfloordiv__(self, other: float) -> Any:
        return self.tracer.floor(other / self)

    def __neg__(self) -> Any:
        return self.tracer.negative(self)

    def __ceil__(self) -> Any:
        return self.tracer.rounded("⌈", self)

    def __floor__(self) -> Any:
        return self.tracer.rounded("⌊", self)

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)


_ARITHMETIC: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "×": lambda a, b: a * b,
    "÷": lambda a, b: a / b,
    "^": lambda a, b: a**b,
}


@dataclass(slots=True)
class Tracer:
    """The nodes of one explanation, each once: equal formulas are the same node."""

    nodes: dict[tuple[Any, ...], Node] = field(default_factory=dict)
    known: dict[float, Node] = field(default_factory=dict)

    def quantity(self, key: str, value: float, unit: str = "") -> float:
        """A number of the engine's input under a key; one and zero stay what they are."""
        if isinstance(value, Traced) or value in (0, 1) or not math.isfinite(value):
            return value
        node = self._node("", (), float(value), UNITS[unit], key)
        return Traced(value, node, self)

    def name(self, key: str, value: float) -> None:
        """Give an intermediate result a key of its own, unless it has one or is a number."""
        node = self.node_of(value)
        if node.operation not in ("", "number") and not node.key:
            node.key = key

    def recognise(self, plain: float, value: float, *, always: bool = False) -> None:
        """Wherever the engine uses the number `plain` from now on, `value` is meant.

        Small and round numbers may mean anything, unless `always` says that this one does not.
        """
        if (always or abs(plain) > _LARGEST_PLAIN) and isinstance(value, Traced):
            self.known[float(plain)] = value.node

    @contextmanager
    def meaning(self, meant: Mapping[float, float]) -> Iterator[None]:
        """Within it every plain number that is a key means its quantity, however small it is."""
        before = dict(self.known)
        for plain, value in meant.items():
            self.recognise(plain, value, always=True)
        try:
            yield
        finally:
            self.known = before

    def largest(self, values: Iterable[float]) -> float:
        """The largest of several, with all of them in the formula."""
        found = list(values)
        nodes = tuple(dict.fromkeys(self.node_of(value) for value in found))
        if len(nodes) == 1:
            return found[0]
        node = self._node("max", nodes, max(found), nodes[0].dimension)
        return Traced(max(found), node, self)

    def node_of_id(self, value: float) -> int:
        """Which node a value is: equal numbers of different meaning are told apart."""
        return id(self.node_of(value))

    def node_of(self, value: float) -> Node:
        if isinstance(value, Traced):
            return value.node
        plain = float(value)
        known = self.known.get(plain)
        return known or self._node("number", (), plain, UNITS[""])

    def apply(self, operation: str, left: float, right: float) -> Any:
        """One operation, without what neutral numbers and opposites do."""
        if not isinstance(left, int | float) or not isinstance(right, int | float):
            return NotImplemented
        value = _ARITHMETIC[operation](float(left), float(right))
        simple = self._simplified(operation, left, right)
        if simple is not None:
            return simple if not isinstance(simple, Node) else Traced(value, simple, self)
        one, other = self.node_of(left), self.node_of(right)
        operation, one, other = self._divided(operation, one, other)
        unit = self._unit(operation, one, other, value)
        if unit is None:
            dimension = _dimension(operation, one, other)
            unit = self._node(operation, (one, other), value, dimension)
        return Traced(value, unit, self)

    def _simplified(self, operation: str, left: float, right: float) -> Node | float | None:
        """A node or a plain number that the operation comes down to; None: neither."""
        if operation in ("+", "-") and _plainly(right, 0):
            return left
        if operation == "+" and _plainly(left, 0):
            return right
        if operation == "×" and (_plainly(left, 0) or _plainly(right, 0)):
            return 0.0
        if operation == "÷" and _plainly(left, 0):
            return 0.0
        if operation in ("×", "÷", "^") and _plainly(right, 1):
            return left
        if operation == "^" and _plainly(right, 0):
            return 1.0
        if operation == "×" and _plainly(left, 1):
            return right
        return _opposite(operation, self.node_of(left), self.node_of(right))

    def _divided(self, operation: str, one: Node, other: Node) -> tuple[str, Node, Node]:
        """Times a reciprocal is divided by, and so it is written."""
        if operation == "×" and other.operation == "÷" and other.arguments[0].value == 1:
            top, bottom = other.arguments
            if top.operation == "number":
                return "÷", one, bottom
        if operation == "×" and other.operation == "number" and 0 < other.value < _RECIPROCAL:
            whole = round(1 / other.value)
            if math.isclose(whole * other.value, 1.0, rel_tol=1e-12):
                return "÷", one, self._node("number", (), float(whole), UNITS[""])
        return operation, one, other

    def _unit(self, operation: str, one: Node, other: Node, value: float) -> Node | None:
        """A factor that only changes the unit, as a node that is not written out."""
        if operation == "×" and one.operation == "number":
            one, other = other, one
        fits = operation in ("×", "÷") and other.operation == "number" and one.dimension
        if not fits or one.dimension is None:
            return None
        divided = operation == "÷"
        dimension = converted(one.dimension, other.value, divided=divided)
        if dimension is None:
            return None
        factor = 1 / other.value if divided else other.value
        if one.operation == "unit" and math.isclose(one.arguments[1].value * factor, 1.0):
            return one.arguments[0]  # there and back
        number = self._node("number", (), factor, UNITS[""])
        return self._node("unit", (one, number), value, dimension)

    def negative(self, value: Traced) -> Any:
        node = value.node
        if node.operation == "-" and len(node.arguments) == 1:
            return Traced(-float(value), node.arguments[0], self)
        if node.operation == "⌊" and node.arguments[0].operation == "÷":
            top, bottom = node.arguments[0].arguments
            if top.operation == "-" and len(top.arguments) == 1:  # -(-a // b) rounds up
                quotient = Traced(top.arguments[0].value, top.arguments[0], self) / Traced(
                    bottom.value, bottom, self
                )
                return self.rounded("⌈", quotient)
        return Traced(-float(value), self._node("-", (node,), -float(value), node.dimension), self)

    def floor(self, value: float) -> Any:
        return self.rounded("⌊", value)

    def rounded(self, operation: str, value: float) -> Any:
        """A whole number stays what it is: rounding it says nothing."""
        whole = math.ceil(float(value)) if operation == "⌈" else math.floor(float(value))
        if not isinstance(value, Traced):
            return whole
        if whole == float(value):
            return value
        node = self._node(operation, (value.node,), float(whole), value.node.dimension)
        return Traced(whole, node, self)

    def _node(
        self,
        operation: str,
        arguments: tuple[Node, ...],
        value: float,
        dimension: Dimension | None,
        key: str = "",
    ) -> Node:
        mark: tuple[Any, ...] = (operation, *map(id, arguments))
        if not arguments:
            mark = (operation, key, value)
        found = self.nodes.get(mark)
        if found is None:
            found = self.nodes[mark] = Node(operation, arguments, value, dimension, key)
        return found


def _plainly(value: float, number: int) -> bool:
    return value == number and not isinstance(value, Traced)


def _opposite(operation: str, one: Node, other: Node) -> Node | float | None:
    """(a ÷ b) × b, (a - b) + b, (a + b) - b, a ÷ a and a - a."""
    undone = {"×": "÷", "÷": "×", "+": "-", "-": "+"}.get(operation)
    if one.operation == undone and len(one.arguments) == 2:
        first, second = one.arguments
        if second is other:
            return first
        if first is other and undone in ("×", "+"):
            return second
    if one is other and operation in ("÷", "-") and one.operation != "number":
        return 1.0 if operation == "÷" else 0.0
    return None


def _dimension(operation: str, one: Node, other: Node) -> Dimension | None:
    if one.dimension is None or other.dimension is None:
        return None
    if operation == "×":
        return one.dimension.times(other.dimension)
    if operation == "÷":
        return one.dimension.times(other.dimension, -1)
    if operation == "^":
        return one.dimension.power(other.value)
    if one.operation == "number":
        return other.dimension
    return one.dimension
