"""The words that this document uses and not everybody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.documents.sheets.reading import Reading
from apps.questionnaire.glossary import TERMS, terms_of

# Names that are written alike in every language are looked for in the text itself.
_LATIN: Final = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """Left out where no word needs a word."""

    conclusion: str
    terms: tuple[tuple[str, str], ...]


def glossary_of(reading: Reading, contents: tuple[Any, ...]) -> Glossary:
    """Words of the questions that were answered, and names that stand in the sheets."""
    answered = {*reading.evaluated.effective, *reading.evaluated.unknown}
    asked = {term.key for key in answered for term in terms_of(key)}
    said = {word.casefold() for text in _texts(contents) for word in _LATIN.findall(text)}
    used = [term for term in TERMS if term.key in asked or _named(str(term.name), said)]
    terms = sorted((str(term.name), str(term.text)) for term in used)
    return Glossary(
        conclusion=_("Only what stands in this document.") if terms else "", terms=tuple(terms)
    )


def _named(name: str, said: set[str]) -> bool:
    return any(word.casefold() in said for word in _LATIN.findall(name) if word.isascii())


def _texts(node: Any) -> Iterator[str]:
    """Every text of the contents, however deep."""
    if isinstance(node, str):
        if not node.startswith("<svg"):
            yield node
    elif is_dataclass(node) and not isinstance(node, type):
        for one in fields(node):
            yield from _texts(getattr(node, one.name))
    elif isinstance(node, tuple | list):
        for one in node:
            yield from _texts(one)
