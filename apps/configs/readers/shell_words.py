"""A shell text as words and operators. Nothing is run; this only says where words begin and end.

A word is a list of parts, because what a quote protects decides later what is expanded and split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from apps.configs.limits import too_large

_MAX_TOKENS: Final = 30_000
_SPACE: Final = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
_COMMENT: Final = re.compile(r"#[^\n]*")
_OPERATOR: Final = re.compile(r"\n|;;|;|&&|\|\||\|&|&>>?|&|\||\(|\)|<<<|<<-?|>>|[<>](?:&\d?)?")
_SINGLE: Final = re.compile(r"\$?'([^']*)'")
_DOUBLE: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_PLAIN: Final = re.compile(r"[^\s'\"$`\\;&|()<>]+")
_VARIABLE: Final = re.compile(r"\$(?:[A-Za-z_]\w*|[0-9@*#?!$-])")
_BACKTICKS: Final = re.compile(r"`[^`]*`")
_ARRAY: Final = re.compile(r"[A-Za-z_]\w*\+?=")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a word. `literal` text is never expanded, `quoted` text is never split."""

    text: str
    quoted: bool = False
    literal: bool = False


@dataclass(slots=True)
class Word:
    parts: list[Part] = field(default_factory=list)
    items: list[Word] | None = None  # of `NAME=( … )`
    body: str | None = None  # of a here-document

    @property
    def raw(self) -> str:
        return "".join(part.text for part in self.parts)


Token = Word | str


def lex(text: str) -> list[Token]:
    """Words, and operators as plain strings.

    Raises:
        ConfigError: `too-large`.
    """
    return _Lexer(text).tokens()


def closing(text: str, start: int, opened: str, closed: str) -> int:
    """The index after the bracket that closes the one just before `start`; the end without one."""
    depth = 1
    for position in range(start, len(text)):
        if text[position] == opened:
            depth += 1
        elif text[position] == closed:
            depth -= 1
            if depth == 0:
                return position + 1
    return len(text)


class _Lexer:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._in_array = False
        self._found: list[Token] = []
        self._waiting: list[tuple[Word, str]] = []  # here-documents whose body comes after the line

    def tokens(self) -> list[Token]:
        while self._at < len(self._text):
            self._skip_blank()
            if self._at >= len(self._text):
                break
            operator = _OPERATOR.match(self._text, self._at)
            if operator:
                self._operator(operator)
            else:
                self._add(self._word())
        return self._found

    def _add(self, token: Token) -> None:
        self._found.append(token)
        if len(self._found) > _MAX_TOKENS:
            raise too_large()

    def _skip_blank(self) -> None:
        for pattern in (_SPACE, _COMMENT):
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()

    def _operator(self, found: re.Match[str]) -> None:
        self._at = found.end()
        mark = found.group()
        if mark in ("<<", "<<-"):
            self._here_document()
            return
        self._add(mark)
        if mark == "\n":
            self._read_bodies()

    def _here_document(self) -> None:
        self._skip_blank()
        word = self._word()
        document = Word(body="")
        self._waiting.append((document, word.raw))
        self._add(document)

    def _read_bodies(self) -> None:
        for document, delimiter in self._waiting:
            lines: list[str] = []
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                line = self._text[self._at : end]
                self._at = end + 1
                if line.strip() == delimiter:
                    break
                lines.append(line)
            document.body = "\n".join(lines)
        self._waiting = []

    def _word(self) -> Word:
        word = Word()
        start = self._at
        while self._at < len(self._text):
            part = self._part()
            if part is None:
                break
            word.parts.append(part)
            if self._opens_array(word):
                self._at += 1
                word.items = self._items()
                break
        if self._at == start:  # a character that begins nothing: skip it
            self._at += 1
        return word

    def _opens_array(self, word: Word) -> bool:
        """`NAME=(`; a shell has no arrays of arrays, and so neither have we."""
        outside = not self._in_array and self._text.startswith("(", self._at)
        return outside and bool(_ARRAY.fullmatch(word.raw))

    def _items(self) -> list[Word]:
        self._in_array = True
        items: list[Word] = []
        while self._at < len(self._text):
            self._skip_blank()
            if self._text.startswith(")", self._at):
                self._at += 1
                break
            if self._text.startswith("\n", self._at):
                self._at += 1
                continue
            items.append(self._word())
            if len(items) > _MAX_TOKENS:
                raise too_large()
        self._in_array = False
        return items

    def _part(self) -> Part | None:
        text, at = self._text, self._at
        for pattern, quoted, literal in (
            (_SINGLE, True, True),
            (_DOUBLE, True, False),
            (_ESCAPE, True, True),
        ):
            found = pattern.match(text, at)
            if found:
                self._at = found.end()
                inside = found.group(1)
                return (
                    None if inside == "\n" and pattern is _ESCAPE else Part(inside, quoted, literal)
                )
        for pattern in (_PLAIN, _BACKTICKS, _VARIABLE):
            found = pattern.match(text, at)
            if found:
                self._at = found.end()
                return Part(found.group())
        return self._bracketed()

    def _bracketed(self) -> Part | None:
        text, at = self._text, self._at
        if text.startswith("$((", at):
            end = text.find("))", at)
            self._at = end + 2 if end >= 0 else len(text)
        elif text.startswith("$(", at):
            self._at = closing(text, at + 2, "(", ")")
        elif text.startswith("${", at):
            self._at = closing(text, at + 2, "{", "}")
        elif text[at] in "$'\"`\\":
            self._at += 1  # a lone mark, or a quote that never closes
        else:
            return None
        return Part(text[at : self._at])
