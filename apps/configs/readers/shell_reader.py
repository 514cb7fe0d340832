"""The commands a script would start, with their flags as far as the text itself states them.

Branches whose condition the script's own variables decide are followed; of the others, a value is
kept only while no branch contradicts it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from apps.configs.limits import too_large
from apps.configs.readers.shell_expand import UNKNOWN, Variables
from apps.configs.readers.shell_tests import holds
from apps.configs.readers.shell_words import Token, Word, lex

_SEPARATORS: Final = frozenset({"\n", ";", ";;", "&&", "||", "&", "|", "|&", "(", ")"})
_OPENERS: Final = frozenset({"if", "case", "for", "while", "until", "select"})
_CLOSERS: Final = frozenset({"fi", "esac", "done"})
_SKIPPED: Final = frozenset({"then", "do", "{", "}", "!", "time", "exec", "nohup", "sudo"})
_DECLARING: Final = frozenset({"export", "declare", "local", "readonly", "typeset"})
_SHELLS: Final = frozenset({"bash", "sh", "zsh"})
# Commands that start nothing which trains; what they print may look like one that does.
_SILENT: Final = frozenset(
    {"echo", "printf", "cat", "tee", "cd", "mkdir", "rm", "cp", "mv", "ls", "ln", "chmod", "date"}
    | {"pip", "pip3", "git", "wget", "curl", "sed", "awk", "grep", "module", "source", ".", "sleep"}
    | {"set", "unset", "test", "[", "[[", "trap", "exit", "return", "shift", "wait", "kill"}
)
_ARGUMENTS: Final = re.compile(r"\$#|getopts?\b|\$\{?1\}?(?![0-9])")
_MAX_COMMANDS: Final = 2_000
_MAX_INNER: Final = 3
_MAX_BRANCHES: Final = 100


@dataclass(frozen=True, slots=True)
class Command:
    """A command's words, what its environment got in front of it, and nothing else."""

    words: tuple[str, ...]
    environment: dict[str, str]


@dataclass(slots=True)
class Script:
    commands: list[Command] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)  # bodies of here-documents
    variables: Variables = field(default_factory=Variables)


@dataclass(slots=True)
class _Branch:
    """A conditional that is open. `active` None: nobody can say whether this branch runs."""

    keyword: str
    active: bool | None = None
    decided: bool = False


def read_shell(text: str) -> Script:
    """Every command of a script in the order of the text.

    Raises:
        ConfigError: `too-large`.
    """
    script = Script()
    _Walker(script).walk(text.replace(UNKNOWN, ""), 0)
    return script


class _Walker:
    def __init__(self, script: Script) -> None:
        self._script = script
        self._branches: list[_Branch] = []
        self._inherited: dict[str, str] = {}  # environment of the `eval` or shell around

    def walk(self, text: str, inner: int) -> None:
        statement: list[Word] = []
        condition: list[Token] = []
        in_condition = False
        for token in [*lex(text), "\n"]:
            if isinstance(token, Word):
                word = _bare(token)
                if not statement and word in ("if", "elif") and not in_condition:
                    self._open_if(word)
                    condition, in_condition = [], True
                    continue
                if in_condition and word == "then" and not statement:
                    self._decide(condition)
                    in_condition = False
                    continue
                statement.append(token)
                if in_condition:
                    condition.append(token)
            elif token in _SEPARATORS:
                if in_condition:
                    condition.append(token)
                else:
                    self._statement(statement, inner)
                statement = []

    def _open_if(self, word: str) -> None:
        if word == "if":
            self._open("if")

    def _open(self, keyword: str) -> None:
        self._branches.append(_Branch(keyword))
        if len(self._branches) > _MAX_BRANCHES:
            raise too_large()

    def _decide(self, condition: list[Token]) -> None:
        branch = self._branches[-1] if self._branches else _Branch("if")
        if branch.decided:
            branch.active = False
            return
        branch.active = holds(condition, self._script.variables)
        branch.decided = branch.active is True

    def _statement(self, words: list[Word], inner: int) -> None:
        while words and self._keyword(words):
            words = words[1:]
        if not words or any(branch.active is False for branch in self._branches):
            return
        words = self._assignments(words)
        if words:
            self._command(words, inner)

    def _keyword(self, words: list[Word]) -> bool:
        """Whether the first word is syntax; a loop's head is swallowed whole."""
        word = _bare(words[0])
        if word in _OPENERS:
            self._open(word)
            self._branches[-1].active = False if self._reads_arguments(words) else None
            self._loop(words)
            words[1:] = []
            return True
        if word in _CLOSERS:
            if self._branches:
                self._branches.pop()
            return True
        if word == "else" and self._branches:
            branch = self._branches[-1]
            branch.active = False if branch.decided else self._otherwise(branch)
            return True
        return word in _SKIPPED

    @staticmethod
    def _otherwise(branch: _Branch) -> bool | None:
        """`else` runs for sure only when the condition is known not to hold."""
        return True if branch.active is False else None

    def _reads_arguments(self, words: list[Word]) -> bool:
        """Whether a loop goes through the script's arguments: started without any, it never runs."""
        head = " ".join(word.raw for word in words)
        looped = any(branch.keyword in ("while", "until") for branch in self._branches)
        return looped and bool(_ARGUMENTS.search(head))

    def _loop(self, words: list[Word]) -> None:
        if _bare(words[0]) == "for" and len(words) > 1:
            items = [i for word in words[3:] for i in self._script.variables.words(word)]
            self._script.variables.set(_bare(words[1]), items[0] if len(items) == 1 else UNKNOWN)

    @property
    def _uncertain(self) -> bool:
        return any(b.active is None for b in self._branches if b.keyword in ("if", "case"))

    def _assignments(self, words: list[Word]) -> list[Word]:
        """Handle leading assignments; the rest of the words when they are a command's own."""
        declaring = _bare(words[0]) in _DECLARING
        rest = words[1:] if declaring else words
        given: list[tuple[str, Word]] = []
        while rest and (name := _assigned(rest[0])):
            given.append((name, rest[0]))
            rest = rest[1:]
        if declaring or not rest:
            for name, word in given:
                self._assign(name, word)
            return []
        return words

    def _assign(self, name: str, word: Word) -> None:
        variables = self._script.variables
        adding = name.endswith("+")
        name = name.rstrip("+")
        if word.items is not None:
            value: str | list[str] = [w for item in word.items for w in variables.words(item)]
        else:
            value = variables.text(word).split("=", 1)[1]
        if adding and isinstance(value, list):
            before = variables.values.get(name, [])
            value = [*([before] if isinstance(before, str) else before), *value]
        elif adding:
            value = variables.get(name) + str(value)
        known = variables.values.get(name)
        if self._uncertain and known is not None and known != value:
            value = UNKNOWN
        variables.set(name, value)

    def _command(self, words: list[Word], inner: int) -> None:
        environment = dict(self._inherited)
        while words and (name := _assigned(words[0])):
            environment[name] = self._script.variables.text(words[0]).split("=", 1)[1]
            words = words[1:]
        expanded = [w for word in words if word.body is None for w in self._expanded(word)]
        bodies = [word.body for word in words if word.body is not None]
        if not expanded:
            return
        if self._read_variable(expanded, bodies):
            return
        self._script.documents.extend(self._script.variables.expand(body) for body in bodies)
        nested = _inner_text(expanded)
        if nested is not None and inner < _MAX_INNER:
            outside, self._inherited = self._inherited, environment
            self.walk(nested, inner + 1)
            self._inherited = outside
            return
        if expanded[0] in _SILENT:
            return
        if len(self._script.commands) >= _MAX_COMMANDS:
            raise too_large()
        self._script.commands.append(Command(tuple(expanded), environment))

    def _expanded(self, word: Word) -> list[str]:
        return [w for w in self._script.variables.words(word) if w != "\\"]

    def _read_variable(self, words: list[str], bodies: list[str]) -> bool:
        """`read -r -d '' NAME <<EOF` puts the body into a variable."""
        if words[0] != "read" or not bodies or not words[-1].isidentifier():
            return False
        expanded = self._script.variables.expand(bodies[0].replace("\\\n", " "))
        self._script.variables.set(words[-1], expanded)
        return True


def _bare(word: Word) -> str:
    """The word when nothing of it is quoted, else nothing: a quoted `if` is no keyword."""
    return "" if any(part.quoted for part in word.parts) else word.raw


def _assigned(word: Word) -> str:
    """The name of an assignment, with `+` when it adds, or nothing."""
    first = word.parts[0] if word.parts else None
    if first is None or first.quoted or "=" not in first.text:
        return ""
    name = first.text.split("=", 1)[0]
    return name if name.rstrip("+").isidentifier() and name.isascii() else ""


def _inner_text(words: list[str]) -> str | None:
    """The script inside `eval …` or `bash -c "…"`, wherever a launcher put it."""
    if words[0] == "eval":
        return " ".join(words[1:])
    for position, word in enumerate(words[:-2]):
        if (
            word.rsplit("/", 1)[-1] in _SHELLS
            and words[position + 1].startswith("-")
            and (words[position + 1].endswith("c"))
        ):
            return words[position + 2]
    return None
