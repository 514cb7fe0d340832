"""Which parts of the whole document a shorter kind of it has, and what it calls itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.documents.models import Document

Part = tuple[str, str, Any]

# By the name of the part's template: what a reader needs who has one minute and two sheets more.
_SHORT: Final = frozenset({"matrix", "questions"})


def parts_of(kind: str, whole: Iterable[Part], protocol: Iterable[Part]) -> tuple[Part, ...]:
    """Title, template and content of the parts that a document of this kind has, in order."""
    if kind == Document.Kind.PROTOCOL:
        return tuple(protocol)
    if kind == Document.Kind.SHORT:
        return tuple(part for part in whole if part[1] in _SHORT)
    return tuple(whole)


def title_of(kind: str, number: str, letter: str) -> str:
    """The title of the file."""
    named = {"number": number, "letter": letter}
    if kind == Document.Kind.PROTOCOL:
        return _("Protocol of the pilot %(number)s, rev. %(letter)s") % named
    if kind == Document.Kind.SHORT:
        return _("Preliminary expert assessment %(number)s, rev. %(letter)s, short") % named
    return _("Preliminary expert assessment %(number)s, rev. %(letter)s") % named


def cover_words(kind: str) -> str:
    """What lies on the table, in the corner of the cover."""
    words = {
        Document.Kind.PROTOCOL: pgettext("cover", "protocol of the pilot"),
        Document.Kind.SHORT: pgettext("cover", "preliminary expert assessment, short"),
    }
    return words.get(Document.Kind(kind), _("preliminary expert assessment"))
