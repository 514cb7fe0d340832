"""The text of a paper that a client sends: .txt, .md, .docx. All of them are hostile.

A .docx is a zip: one member is read, up to a limit whatever its header promises; a document type
declaration is refused, so no entity is ever defined or fetched; nothing is unpacked to disk.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePath
from typing import Final
from xml.parsers import expat

from django.utils.translation import gettext as _

from apps.core.errors import DomainError
from apps.phrases.reading import LONGEST

MAX_BYTES: Final = 10 * 2**20
MAX_XML_BYTES: Final = 16 * 2**20
MAX_MEMBERS: Final = 2_000
MAX_DEPTH: Final = 200
SUFFIXES: Final = (".txt", ".md", ".docx")

_BODY: Final = "word/document.xml"
_CHUNK: Final = 2**16
_W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
# What a broken or an encrypted member raises beside the errors of the packers themselves.
_BROKEN: Final = (NotImplementedError, RuntimeError, OSError, EOFError, ValueError)
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_BINARY_SHARE: Final = 0.02
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


class PaperError(DomainError):
    """A paper that cannot be read; the message says what to send instead."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def is_paper(name: str) -> bool:
    return PurePath(name).suffix.lower() in SUFFIXES


def text_of(name: str, content: bytes) -> str:
    """The words of a paper, paragraphs as lines, rows of a table as `left: right`.

    Raises:
        PaperError: codes `too-large`, `not-a-paper`, `damaged`, `empty`.
    """
    if len(content) > MAX_BYTES:
        raise _too_large()
    if content[:4] == b"PK\x03\x04":
        text = _docx_text(content)
    elif content[:5] == b"%PDF-" or content[:4] == b"\xd0\xcf\x11\xe0":
        raise _not_a_paper()
    else:
        text = _plain_text(content)
    text = _EMPTY_LINES.sub("\n\n", text).strip()
    if not text:
        raise PaperError("empty", _("There is no text in this file."))
    return text[:LONGEST]


def _too_large() -> PaperError:
    return PaperError("too-large", _("The file holds too much. Send the part with the request."))


def _not_a_paper() -> PaperError:
    return PaperError(
        "not-a-paper", _("We read .docx, .txt and .md. Save it as one of them, or paste the text.")
    )


def _damaged() -> PaperError:
    return PaperError(
        "damaged", _("The file is damaged or is no Word document. Save it anew, or paste the text.")
    )


def _plain_text(content: bytes) -> str:
    encodings = (
        ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1251")
    )
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        strange = len(_UNPRINTABLE.findall(text))
        if strange > len(text) * _BINARY_SHARE:
            break
        return _UNPRINTABLE.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    raise _not_a_paper()


def _docx_text(content: bytes) -> str:
    members, xml = _body_of(content)
    if members > MAX_MEMBERS or len(xml) > MAX_XML_BYTES:
        raise _too_large()
    return _Body().read(xml)


def _body_of(content: bytes) -> tuple[int, bytes]:
    """How many members the zip has, and its document, one byte over the limit at most."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive, archive.open(_BODY) as member:
            return len(archive.infolist()), member.read(MAX_XML_BYTES + 1)
    except KeyError:
        raise _not_a_paper() from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, *_BROKEN):
        raise _damaged() from None


class _Body:
    """The running text of a document's body, gathered while it is parsed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._depth = 0
        self._in_text = False
        self._cells: list[int] = []  # how many cells of each open row are done

    def read(self, xml: bytes) -> str:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        try:
            for place in range(0, len(xml), _CHUNK):
                parser.Parse(xml[place : place + _CHUNK], False)  # noqa: FBT003
                if self._length > LONGEST:
                    return "".join(self._parts)
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError:
            raise _damaged() from None
        return "".join(self._parts)

    def _refuse(self, *_declared: object) -> None:
        raise _damaged()

    def _say(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _damaged()
        tag = name.removeprefix(_W)
        if tag == "t":
            self._in_text = True
        elif tag in ("tab", "br", "cr"):
            self._say(" " if tag == "tab" else "\n")
        elif tag == "tr":
            self._cells.append(0)
        elif tag == "tc" and self._cells and self._cells[-1]:
            self._say(": ")

    def _end(self, name: str) -> None:
        self._depth -= 1
        tag = name.removeprefix(_W)
        if tag == "t":
            self._in_text = False
        elif tag == "tc" and self._cells:
            self._cells[-1] += 1
        elif tag == "tr" and self._cells:
            self._cells.pop()
            self._say("\n")
        elif tag == "p":
            self._say(" " if self._cells else "\n")

    def _characters(self, text: str) -> None:
        if self._in_text:
            self._say(text)
