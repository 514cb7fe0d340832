"""Where a script gives names their values.

Assignments and fields of classes; for parameters of the script's own functions, what a call gives
them, else their default.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Given:
    """A name with the expression it gets; `change` is the operator of `name *= value`."""

    name: str
    value: ast.expr
    change: ast.operator | None = None


def assignments(nodes: Sequence[ast.AST]) -> Iterator[Given]:
    """Plain and annotated assignments to one name, in the order of the text."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield Given(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield Given(name, value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                yield Given(name, value, op)


def fields(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Names that classes declare: elsewhere they are read as `settings.name`."""
    bodies = (node.body for node in nodes if isinstance(node, ast.ClassDef))
    return frozenset(given.name for body in bodies for given in assignments(body))


def parameters(nodes: Sequence[ast.AST]) -> Iterator[Given]:
    """What calls give to parameters; where no call names one, its default."""
    functions = {node.name: node for node in nodes if isinstance(node, _Function)}
    named: set[tuple[str, str]] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = functions.get(node.func.id)
            for given in _given_by(node, function) if function else ():
                named.add((node.func.id, given.name))
                yield given
    for function in functions.values():
        yield from (g for g in _defaults(function) if (function.name, g.name) not in named)


def _given_by(call: ast.Call, function: _Function) -> Iterator[Given]:
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    for name, value in zip(names, call.args, strict=False):
        yield Given(name, value)
    for keyword in call.keywords:
        if keyword.arg:
            yield Given(keyword.arg, keyword.value)


def _defaults(function: _Function) -> Iterator[Given]:
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    for name, value in zip(reversed(names), reversed(arguments.defaults), strict=False):
        yield Given(name, value)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield Given(argument.arg, default)
