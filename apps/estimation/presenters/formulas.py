"""A formula as text: with its symbols, and with the numbers in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from apps.core import formatting
from apps.sizing.explain.expressions import SYMBOL, UNIT, Expression

# How tightly an operation binds: what binds less stands in brackets inside it.
_BINDS: Final = {"+": 1, "-": 1, "×": 2, "÷": 2, "^": 3}
_ATOM: Final = 4
_FUNCTIONS: Final = {"max": "max", "min": "min", "⌈": "ceil", "⌊": "floor"}

Write = Callable[[str], str]


def formula_text(
    expression: Expression,
    write: Write,
    number: Callable[[float], str] = formatting.scientific,
) -> str:
    """One line of text; `write` says what stands for the key of a symbol."""
    return _text(expression, write, number)[0]


def _text(expression: Expression, write: Write, number: Callable[[float], str]) -> tuple[str, int]:
    """The text and how tightly its last operation binds."""
    if not isinstance(expression, list):
        return number(expression), _ATOM
    operation, *arguments = expression
    if operation == SYMBOL:
        return write(arguments[0]), _ATOM
    if operation == UNIT:
        return _text(arguments[0], write, number)
    told = [_text(argument, write, number) for argument in arguments]
    if operation in _FUNCTIONS:
        inside = "; ".join(text for text, _binds in told)
        return f"{_FUNCTIONS[operation]}({inside})", _ATOM
    binds = _BINDS[operation]
    if operation == "^":
        base = told[0] if formatting.NBSP not in told[0][0] else (told[0][0], 0)
        return formatting.power_of(_bracketed(base, _ATOM), float(arguments[1])), binds
    if len(told) == 1:
        return f"{formatting.MINUS}{_bracketed(told[0], _ATOM)}", binds
    # a - (b + c) and a ÷ (b × c) need their brackets, a + (b - c) does not.
    after = binds + 1 if operation in ("-", "÷") else binds
    texts = [_bracketed(told[0], binds), *(_bracketed(one, after) for one in told[1:])]
    sign = formatting.MINUS if operation == "-" else operation
    return f" {sign} ".join(texts), binds


def _bracketed(told: tuple[str, int], least: int) -> str:
    text, binds = told
    return text if binds >= least else f"({text})"
