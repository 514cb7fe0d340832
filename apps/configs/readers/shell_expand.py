"""What the variables of a script stand for, where the script itself says it.

Only what the text assigns is known: the environment, positional arguments and the output of
commands are not. A value that is not known is a mark that every reader drops.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from apps.configs.limits import too_large
from apps.configs.readers.shell_words import Part, Word, closing

UNKNOWN: Final = "\ue000"
_MAX_VALUE: Final = 2**16
_MAX_TOTAL: Final = 2**21
_MAX_NESTING: Final = 8
_REFERENCE: Final = re.compile(r"\$\(\(|\$\(|\$\{|\$[A-Za-z_]\w*|\$[0-9@*#?!$-]|`[^`]*`")
_BRACED: Final = re.compile(r"(\w+)(\[[@*]\])?(?::?([-=+?])(.*))?", re.DOTALL)
_WHOLE_ARRAY: Final = re.compile(r"\$\{(\w+)\[[@*]\]\}")
# A variable that nobody assigns and that would hold more options: most likely it holds none.
_FURTHER_OPTIONS: Final = re.compile(
    r"opt(?:ion)?s?(?:_|$)|args?(?:_|$)|flags?(?:_|$)|extra", re.IGNORECASE
)
_ALL_ARGUMENTS: Final = ("$@", "$*", "${@}", "${*}", "${@:1}", "${@:2}")
_SUM: Final = re.compile(r"[0-9+\-*/%() ]{1,100}")
_EXPR: Final = re.compile(r"\$\(\s*expr\s+(.*)\)", re.DOTALL)
_QUOTED_ESCAPE: Final = re.compile(r"\\([$`\"\\])|\\\r?\n")

Value = str | list[str]


class Variables:
    """What is assigned so far. An expansion is charged, so that `A=$A$A` cannot grow for ever."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self._charged = 0

    def set(self, name: str, value: Value) -> None:
        size = len(value) if isinstance(value, str) else sum(map(len, value)) + len(value)
        self._charge(size)
        self.values[name] = value

    def get(self, name: str) -> str:
        value = self.values.get(name, UNKNOWN)
        if value == UNKNOWN:
            return "" if _FURTHER_OPTIONS.search(name) else UNKNOWN
        return value if isinstance(value, str) else " ".join(value)

    def words(self, word: Word) -> list[str]:
        """The words that one word becomes: unquoted expansions are split at spaces."""
        done: list[str] = []
        current: str | None = None
        if word.raw in _ALL_ARGUMENTS:
            return []
        whole = _WHOLE_ARRAY.fullmatch(word.raw)
        if whole:
            value = self.values.get(whole.group(1), self.get(whole.group(1)))
            return value.split() if isinstance(value, str) else list(value)
        for part in word.parts:
            text = self._part(part)
            if part.quoted or part.literal or "$" not in part.text:
                current = (current or "") + text
                continue
            pieces = text.split()
            if pieces:
                current = (current or "") + pieces[0]
                for piece in pieces[1:]:
                    done.append(current)
                    current = piece
        if current is not None:
            done.append(current)
        return done

    def text(self, word: Word) -> str:
        """The value of a word that is not split, as on the right of an assignment."""
        return "".join(self._part(part) for part in word.parts)

    def expand(self, text: str, nesting: int = 0) -> str:
        """`text` with every reference replaced by its value or by the mark of the unknown."""
        if nesting > _MAX_NESTING:
            return UNKNOWN
        pieces: list[str] = []
        at = 0
        while found := _REFERENCE.search(text, at):
            pieces.append(text[at : found.start()])
            value, at = self._reference(text, found, nesting)
            pieces.append(value)
        pieces.append(text[at:])
        whole = "".join(pieces)
        self._charge(len(whole))
        return whole

    def _part(self, part: Part) -> str:
        if part.literal:
            return part.text
        if part.quoted:
            unescaped = _QUOTED_ESCAPE.sub(lambda m: m.group(1) or "", part.text)
            return self.expand(unescaped)
        return self.expand(part.text)

    def _reference(self, text: str, found: re.Match[str], nesting: int) -> tuple[str, int]:
        mark = found.group()
        if mark == "$((":
            end = closing(text, found.end(), "(", ")")
            return self._arithmetic(text[found.end() : end - 1], nesting), end + 1
        if mark == "${":
            end = closing(text, found.end(), "{", "}")
            return self._braced(text[found.end() : end - 1], nesting), end
        if mark == "$(":
            end = closing(text, found.end(), "(", ")")
            return self._command(text[found.start() : end], nesting), end
        if mark[1:].isidentifier():
            return self.get(mark[1:]), found.end()
        return "" if mark in _ALL_ARGUMENTS else UNKNOWN, found.end()

    def _braced(self, inside: str, nesting: int) -> str:
        found = _BRACED.fullmatch(inside)
        if not found:
            return UNKNOWN
        name, _index, operator, default = found.groups()
        if name in self.values and self.get(name) != "":
            return self.get(name)
        if operator in ("-", "="):
            return self.expand(default, nesting + 1)
        return self.get(name) if operator is None else UNKNOWN

    def _command(self, text: str, nesting: int) -> str:
        found = _EXPR.fullmatch(text)
        return self._arithmetic(found.group(1), nesting) if found else UNKNOWN

    def _arithmetic(self, text: str, nesting: int) -> str:
        expanded = self.expand(text, nesting + 1)
        names = re.sub(r"[A-Za-z_]\w*", lambda m: self.get(m.group()), expanded)
        value = whole_number(names.strip())
        return UNKNOWN if value is None else str(value)

    def _charge(self, size: int) -> None:
        self._charged += size
        if size > _MAX_VALUE or self._charged > _MAX_TOTAL:
            raise too_large()


def whole_number(text: str) -> int | None:
    """The value of a sum of whole numbers, or None when it is anything else."""
    if not _SUM.fullmatch(text) or "**" in text:
        return None
    try:
        return _evaluated(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _evaluated(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            return _applied(operator, _evaluated(left), _evaluated(right))
    raise ValueError


def _applied(operator: ast.operator, left: int, right: int) -> int:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() | ast.FloorDiv():
            return left // right
        case ast.Mod():
            return left % right
    raise ValueError
