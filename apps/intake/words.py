"""A request in words or a specification that the client attached: what it says in answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.text import Truncator
from django.utils.translation import pgettext

from apps.catalog.card_names import model_tokens_of
from apps.catalog.published import published_model
from apps.catalog.releases import known_catalog
from apps.core import blobs
from apps.intake.fields import echo_parts
from apps.intake.selectors import Draft
from apps.phrases.found import Found, Lexicon, Sure
from apps.phrases.papers import text_of
from apps.phrases.reading import read_request
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.question import CHOSEN, LONG_TEXT, Kind, Question
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text
from apps.questionnaire.summary import display_value
from apps.requisitions.models import Attachment
from apps.sizing.facts import Catalog

_FIRST_WORD: Final = re.compile(r"[a-z]{3,}")
_TASK: Final = "business_task"
_SHORTEST_TASK: Final = 60
_QUOTE: Final = 120
# Names that the catalog may know: what they stand for there is said at once.
_NAMED: Final = frozenset({"model_name", "hardware_wish"})


def lexicon() -> Lexicon:
    """Names of the catalog as words of a text."""
    return _lexicon(known_catalog())


@lru_cache(maxsize=2)
def _lexicon(catalog: Catalog) -> Lexicon:
    names = {name.rpartition("/")[2].casefold() for name in catalog.architectures}
    words = (_FIRST_WORD.match(name) for name in names)
    return Lexicon(
        families=frozenset(
            {word.group() for word in words if word} | {"t-lite", "t-pro", "meta-llama"}
        ),
        models=frozenset(names),
        cards=frozenset(t for c in catalog.accelerators.values() for t in model_tokens_of(c.name)),
        servers=frozenset(server.casefold() for server in catalog.servers),
        knows_model=lambda name: published_model(name) is not None,
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text; `key` is the question that it answers, empty for the rest."""

    text: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class HeardRow:
    """One answer that the text gives, to be confirmed, changed or dropped.

    `kind` is select, long or text; `current` is what is answered now, and `differs` whether the
    text says otherwise. `others` are further values that the text gives.
    """

    key: str
    label: Text
    kind: str
    value: str
    options: tuple[tuple[str, Text], ...]
    shown: str
    quote: str
    sure: str
    others: tuple[str, ...]
    current: str
    differs: bool
    chosen: bool
    version: int
    error: str = ""
    echo: str = ""


def text_in(attachment: Attachment) -> str:
    """The words of an attached paper.

    Raises:
        PaperError: it cannot be read; the message says what to send instead.
    """
    return text_of(attachment.name, blobs.read(attachment.sha256))


def heard_in(text: str) -> tuple[Found, ...]:
    """What the text answers; where it names no task, the whole of it describes one."""
    found = read_request(text, lexicon())
    if any(one.key == _TASK for one in found) or len(text) < _SHORTEST_TASK:
        return found
    whole = Found(
        key=_TASK,
        value=text[:LONG_TEXT],
        quote=Truncator(" ".join(text.split())).chars(_QUOTE),
        start=0,
        end=0,
        sure=Sure.LIKELY,
    )
    return (whole, *found)


def heard_rows(
    draft: Draft, found: Iterable[Found], *, typed: Mapping[str, str] | None = None
) -> list[HeardRow]:
    """A row for each answer that is not given already; `typed` are values sent back to be mended."""
    rows = (_row(draft, one, typed) for one in found)
    return [row for row in rows if row.differs or not row.current or row.key in (typed or {})]


def _row(draft: Draft, found: Found, typed: Mapping[str, str] | None) -> HeardRow:
    question = QUESTIONS[found.key]
    value = (typed or {}).get(found.key, found.value)
    answer = read_answer(question, RawAnswer(value))
    current = draft.raw.get(found.key, RawAnswer())
    answered = read_answer(question, current)
    own = not (current.blank or current.unknown)
    return HeardRow(
        key=found.key,
        label=question.name,
        kind=_kind(question),
        value=value,
        options=_options(question),
        shown=display_value(read_answer(question, RawAnswer(found.value))),
        quote=found.quote,
        sure=found.sure.value,
        others=tuple(display_value(read_answer(question, RawAnswer(o))) for o in found.others),
        current=display_value(answered) if own else "",
        differs=own and answered.parsed != answer.parsed,
        chosen=found.key in typed if typed is not None else found.sure is Sure.STATED and not own,
        version=draft.version(found.key),
        error=str(answer.error) if typed is not None and answer.error else "",
        echo=echo_parts(answer)["echo"] if found.key in _NAMED else "",
    )


def _kind(question: Question) -> str:
    if question.kind in CHOSEN:
        return "select"
    return "long" if question.kind is Kind.LONG else "text"


def _options(question: Question) -> tuple[tuple[str, Text], ...]:
    if question.kind is Kind.BOOLEAN:
        return (("yes", pgettext("answer", "Yes")), ("no", pgettext("answer", "No")))
    return tuple((option.value, option.label) for option in question.options)


def pieces_of(text: str, found: Iterable[Found]) -> list[Piece]:
    """The text cut where something was found; of two that overlap the first one is marked."""
    pieces: list[Piece] = []
    place = 0
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if one.end <= one.start or one.start < place:
            continue
        pieces += [Piece(text[place : one.start]), Piece(text[one.start : one.end], one.key)]
        place = one.end
    return [piece for piece in [*pieces, Piece(text[place:])] if piece.text]
