"""What a training script states in plain constants. It is parsed, never run.

Calls with their keyword arguments, default values of command-line options, of dataclass fields and
of parameters. A name stands for its value while the script gives it only one.
"""

from __future__ import annotations

import ast
import operator
import shlex
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.errors import ConfigError
from apps.configs.limits import too_large
from apps.configs.opaque import OPAQUE
from apps.configs.readers.python_names import Given, assignments, fields, parameters
from apps.configs.values import as_number

CALLED: Final = "()"  # under this key a nested call keeps its name
_MAX_AST_NODES: Final = 150_000
_MAX_NESTING: Final = 12
_LARGEST: Final = 10**15
_MAX_TEXT: Final = 8_000
_MAX_TEXTS: Final = 5
_MAX_VALUES: Final = 200_000
_LEAST_WORDS: Final = 8
_LEAST_OPTIONS: Final = 4
_TYPES: Final = ("type", "_target_")
_OPERATIONS: Final[dict[type[ast.operator], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_LARGEST_POWER: Final = 40
_LARGEST_BASE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Call:
    """`name` is dotted as written; `keywords` hold plain values or the mark of the unreadable."""

    name: str
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def last(self) -> str:
        return self.name.rsplit(".", 1)[-1]


@dataclass(slots=True)
class PythonScript:
    calls: list[Call] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)  # of argparse, by name
    constants: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)  # of the script's own functions
    texts: list[str] = field(default_factory=list)  # strings that look like command lines


def read_python(text: str) -> PythonScript:
    """The constants of a script.

    Raises:
        ConfigError: not Python, or more of it than a training script has.
    """
    try:
        nodes = _nodes(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = getattr(problem, "lineno", None) or 1
        message = _("Line %(line)s is not valid Python.") % {"line": line}
        raise ConfigError("bad-syntax", message) from None
    return _Reader(nodes).script()


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """Every node in the order of the text."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        found.append(node)
        if len(found) > _MAX_AST_NODES:
            raise too_large()
        pending.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


class _Reader:
    def __init__(self, nodes: list[ast.AST]) -> None:
        self._nodes = nodes
        self._script = PythonScript()
        self._made = 0  # values so far; a name costs what it stands for, so that none can multiply
        self._sizes: dict[str, int] = {}
        self._classes: dict[str, str] = {}  # names that stand for a class the script imports
        self._fields = fields(nodes)

    def script(self) -> PythonScript:
        calls = [node for node in self._nodes if isinstance(node, ast.Call)]
        for call in calls:
            self._option(call)
        for given in assignments(self._nodes):
            self._constant(given)
        for given in parameters(self._nodes):
            self._keep(self._script.parameters, given.name, self._sized(given))
        for call in calls:
            self._script.calls.append(self._call(call, 0))
        strings = [node.value for node in self._nodes if isinstance(node, ast.Constant)]
        lines = [s for s in strings if isinstance(s, str) and len(s) < _MAX_TEXT]
        lines += [line for node in self._nodes if (line := self._command(node))]
        self._script.texts = [s for s in lines if s.count(" --") >= 4][:_MAX_TEXTS]
        return self._script

    def _command(self, node: ast.AST) -> str:
        """A list of words that starts a program, as a line of a shell."""
        if not isinstance(node, ast.List) or len(node.elts) < _LEAST_WORDS:
            return ""
        words = [self._value(item, 0) for item in node.elts]
        options = sum(isinstance(w, str) and w.startswith("--") for w in words)
        if options < _LEAST_OPTIONS:
            return ""
        known = [
            shlex.quote(str(word)) if isinstance(word, str | int | float) else _script_named(item)
            for word, item in zip(words, node.elts, strict=True)
        ]
        return "python " + " ".join(known)

    def _constant(self, given: Given) -> None:
        """`name *= 2` changes what the name stood for; any other second value makes it unknown."""
        value = self._sized(given)
        if value is OPAQUE and isinstance(given.value, ast.Name | ast.Attribute):
            self._classes[given.name] = _dotted(given.value)
        if isinstance(value, dict) and value.get(CALLED, "").endswith("field"):
            value = value.get("default", OPAQUE)
        constants = self._script.constants
        if given.change is not None:
            before = constants.get(given.name, OPAQUE)
            constants[given.name] = _computed(given.change, before, value)
        else:
            self._keep(constants, given.name, value)

    def _sized(self, given: Given) -> Any:
        before = self._made
        value = self._value(given.value, 0)
        self._sizes[given.name] = max(self._sizes.get(given.name, 0), self._made - before)
        return value

    @staticmethod
    def _keep(known: dict[str, Any], name: str, value: Any) -> None:
        known[name] = value if _same(known.get(name, value), value) else OPAQUE

    def _option(self, call: ast.Call) -> None:
        """`parser.add_argument("--batch_size", type=int, default=8)`."""
        if _dotted(call.func).rsplit(".", 1)[-1] != "add_argument":
            return
        names = [a.value for a in call.args if isinstance(a, ast.Constant)]
        long = [n for n in names if isinstance(n, str) and n.startswith("--")]
        stated = {k.arg: k.value for k in call.keywords if k.arg}
        if not long:
            return
        name = long[0].lstrip("-").replace("-", "_")
        if "default" in stated:
            self._script.options[name] = self._value(stated["default"], 0)
        elif isinstance(stated.get("action"), ast.Constant):
            flag = stated["action"].value  # type: ignore[attr-defined]
            self._script.options[name] = {"store_true": False, "store_false": True}.get(flag)

    def _call(self, node: ast.Call, nesting: int) -> Call:
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._named(keyword.arg, keyword.value, nesting)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict):  # **settings
                keywords = value | keywords
        arguments = tuple(self._value(a, nesting + 1) for a in node.args)
        return Call(_dotted(node.func), arguments, keywords)

    def _value(self, node: ast.expr, nesting: int) -> Any:
        self._made += self._sizes.get(node.id, 1) if isinstance(node, ast.Name) else 1
        if self._made > _MAX_VALUES:
            raise too_large()
        if nesting > _MAX_NESTING:
            return OPAQUE
        match node:
            case ast.Constant(value=value):
                return value if isinstance(value, str | int | float | None) else OPAQUE
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return [self._value(item, nesting + 1) for item in items]
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values, nesting)
            case ast.Name(id=name):
                given = self._script.parameters.get(name, OPAQUE)
                return self._script.constants.get(name, given)
            case ast.Attribute():
                return self._attribute(node)
        return self._made_of(node, nesting)

    def _made_of(self, node: ast.expr, nesting: int) -> Any:
        """What an expression with parts makes, where the parts are plain."""
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.BinOp(left=left, op=op, right=right):
                sides = self._value(left, nesting + 1), self._value(right, nesting + 1)
                return _computed(op, *sides)
            case ast.Subscript(value=held, slice=ast.Constant(value=str() as key)):
                mapping = self._value(held, nesting + 1)
                return mapping.get(key, OPAQUE) if isinstance(mapping, dict) else OPAQUE
            case ast.Call():
                return self._called(self._call(node, nesting + 1))
        return OPAQUE

    @staticmethod
    def _called(call: Call) -> Any:
        """A mapping, a number, an environment variable's default; of any other call its parts."""
        if call.name == "dict":
            return call.keywords
        if call.name in ("int", "float") and len(call.arguments) == 1:
            number = as_number(call.arguments[0])
            return OPAQUE if number is None else int(number) if call.name == "int" else number
        if call.name in ("str", "Path", "pathlib.Path") and len(call.arguments) == 1:
            text = call.arguments[0]
            return str(text) if isinstance(text, str | int | float) else OPAQUE
        if call.name.endswith(("environ.get", "getenv")) and len(call.arguments) == 2:
            return call.arguments[1]
        return {CALLED: call.name, "[]": list(call.arguments)} | call.keywords

    def _named(self, name: str | None, node: ast.expr, nesting: int) -> Any:
        """The value of `name=…`; a class that stands for a type is its own name."""
        value = self._value(node, nesting + 1)
        if value is not OPAQUE or name not in _TYPES:
            return value
        dotted = _dotted(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        if dotted in self._classes:
            return self._classes[dotted]
        return dotted if dotted and dotted not in self._script.constants else OPAQUE

    def _dict(self, keys: list[ast.expr | None], values: list[ast.expr], nesting: int) -> Any:
        found: dict[str, Any] = {}
        for key, node in zip(keys, values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            value = self._named(name if isinstance(name, str) else None, node, nesting)
            if isinstance(name, str):
                found[name] = value
            elif key is None and isinstance(value, dict):
                found |= value
        return found

    def _attribute(self, node: ast.Attribute) -> Any:
        """`torch.bfloat16` is its own name; `args.batch_size` is an option's or a field's default."""
        dotted = _dotted(node)
        if dotted.startswith("torch."):
            return dotted
        field = self._script.constants.get(node.attr) if node.attr in self._fields else OPAQUE
        return self._script.options.get(node.attr, field)


def _script_named(node: ast.expr) -> str:
    """The script's name at the end of a path that is put together, else an unknown word."""
    constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    named = (c for c in constants if isinstance(c, str) and c.endswith(".py"))
    return next((shlex.quote(name) for name in named), "$_")


def _computed(op: ast.operator, left: Any, right: Any) -> Any:
    """A sum or a product of numbers, when it is small enough to be a setting."""
    count = {type(left), type(right)} <= {int, float} and type(op) in _OPERATIONS
    if not count or max(abs(left), abs(right)) > _LARGEST:
        return OPAQUE
    if isinstance(op, ast.Pow) and not (
        0 <= right <= _LARGEST_POWER and abs(left) <= _LARGEST_BASE
    ):
        return OPAQUE
    try:
        return _OPERATIONS[type(op)](left, right)
    except (ZeroDivisionError, OverflowError):
        return OPAQUE


def _dotted(node: ast.expr) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.append(node.id)
    return ".".join(reversed(names))


def _same(left: Any, right: Any) -> bool:
    return left is right or (type(left) is type(right) and bool(left == right))
