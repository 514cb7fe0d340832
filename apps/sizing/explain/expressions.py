"""A formula as a value: numbers, symbols and operations. Plain JSON, so that it can be kept.

`["×", ["$", "params"], 2.0]` is a number, `["$", KEY]`, or an operation with its arguments:
`+ - × ÷ ^ max min ⌈ ⌊` and `unit`, which scales its argument by a fixed factor (from GB to bytes)
and is not written out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

Expression: TypeAlias = float | list[Any]

SYMBOL: Final = "$"
UNIT: Final = "unit"


def symbol(key: str) -> Expression:
    return [SYMBOL, key]


def _product(values: list[float]) -> float:
    return math.prod(values)


_OPERATIONS: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "+": sum,
    "-": lambda v: v[0] - v[1] if len(v) > 1 else -v[0],
    "×": _product,
    "÷": lambda v: v[0] / v[1],
    "^": lambda v: v[0] ** v[1],
    "max": max,
    "min": min,
    "⌈": lambda v: float(math.ceil(v[0])),
    "⌊": lambda v: float(math.floor(v[0])),
    UNIT: _product,
}


def evaluate(expression: Expression, values: Mapping[str, float]) -> float:
    """The value of a formula with `values` of its symbols.

    Raises:
        KeyError: a symbol has no value, or there is no such operation.
    """
    if not isinstance(expression, list):
        return expression
    operation, *arguments = expression
    if operation == SYMBOL:
        return values[arguments[0]]
    return _OPERATIONS[operation]([evaluate(argument, values) for argument in arguments])


def symbols_in(expression: Expression) -> Iterator[str]:
    """Keys of the symbols of a formula, each once, in the order they are read."""
    yield from dict.fromkeys(_symbols(expression))


def _symbols(expression: Expression) -> Iterator[str]:
    if isinstance(expression, list):
        if expression[0] == SYMBOL:
            yield expression[1]
        else:
            for argument in expression[1:]:
                yield from _symbols(argument)
