"""A posted page of questions -> changes to save. Reading decides nothing: bad input is kept too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from django.http import QueryDict

from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.question import UNKNOWN, Kind, Question
from apps.requisitions.services import Change

STORED_LENGTH: Final = 20_000
"""A longer text is shown back with an error instead of being stored."""

WHO_LENGTH: Final = 120
WHEN_LENGTH: Final = 40
NOTE_LENGTH: Final = 500
_MOST_VERSION_DIGITS: Final = 9
# No database column holds NUL. The sign for it keeps the place visible.
_NUL, _NUL_SIGN = "\0", "\N{SYMBOL FOR NULL}"


@dataclass(frozen=True, slots=True)
class Typed:
    """An answer that is shown back without being stored, and the version it was typed over."""

    answer: RawAnswer
    base_version: int


@dataclass(slots=True)
class Posted:
    """`asked` are the questions that stood on the page, `unsaved` texts that are too long."""

    asked: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    unsaved: dict[str, Typed] = field(default_factory=dict)


def read_posted(body: QueryDict, questions: Iterable[Question], draft: Draft) -> Posted:
    """Read the fields of `questions` that the page asked.

    A page names its questions in `asked`, because an empty choice sends nothing; a plain program
    may send the fields alone. `choose-<key>=stored` leaves a contested answer as it is.
    """
    listed = set(body.getlist("asked"))
    posted = Posted()
    for question in questions:
        key = question.key
        if key not in listed and key not in body and f"{key}-unknown" not in body:
            continue
        posted.asked.append(key)
        if body.get(f"choose-{key}") != "stored":
            _add(posted, question, read_answer(body, question), body, draft)
    return posted


def read_answer(body: QueryDict, question: Question) -> RawAnswer:
    """One field as it was sent."""
    key = question.key
    values = [_clean(value) for value in body.getlist(key)]
    unknown = f"{key}-unknown" in body or UNKNOWN in values
    value: str | tuple[str, ...] = tuple(values)
    if question.kind is not Kind.MULTI:
        value = values[-1] if values else ""
    if value == UNKNOWN:
        value = ""
    return RawAnswer(
        value=value,
        unknown=unknown and question.accepts_unknown,
        who=_clean(body.get(f"{key}-who", ""))[:WHO_LENGTH] if unknown else "",
        when=_clean(body.get(f"{key}-when", ""))[:WHEN_LENGTH] if unknown else "",
        note=_clean(body.get(f"{key}-note", ""))[:NOTE_LENGTH],
    )


def _clean(text: str) -> str:
    """As it is stored. Forms end lines in CR LF and scripts in LF: that is no other answer."""
    return text.replace(_NUL, _NUL_SIGN).replace("\r\n", "\n")


def _add(
    posted: Posted, question: Question, answer: RawAnswer, body: QueryDict, draft: Draft
) -> None:
    key = question.key
    base_version = version_of(body, key, draft)
    if len(answer.text) > STORED_LENGTH:
        posted.unsaved[key] = Typed(answer, base_version)
        return
    stored = draft.raw.get(key)
    if stored is None and answer.blank:
        return
    if stored is not None and answer.value == stored.value and not answer.unknown:
        # The same value is still from where it came, and so is the line of the file it stood in.
        note = answer.note if stored.provenance == "client" else answer.note or stored.note
        if f"{key}-note" not in body:
            note = stored.note
        answer = replace(answer, provenance=stored.provenance, note=note)
    unheard = tuple(_clean(value) for value in body.getlist(f"{key}-unheard"))
    posted.changes.append(replace(change_of(key, answer, base_version), unheard=unheard))


def change_of(key: str, answer: RawAnswer, base_version: int) -> Change:
    document = answer.as_dict()
    return Change(key=key, base_version=base_version, **document)


def answer_of(change: Change) -> RawAnswer:
    """The answer that a change carries."""
    value = change.value
    return RawAnswer(
        value=value if isinstance(value, str) else tuple(value),
        unknown=change.unknown,
        who=change.who,
        when=change.when,
        provenance=change.provenance,
        note=change.note,
    )


def typed_answers(body: QueryDict, questions: Iterable[Question], draft: Draft) -> dict[str, Typed]:
    """What a page that was never saved held, to show it again."""
    posted = read_posted(body, questions, draft)
    typed = {c.key: Typed(answer_of(c), c.base_version) for c in posted.changes}
    return typed | posted.unsaved


def version_of(body: QueryDict, key: str, draft: Draft) -> int:
    """The version the page was made from; a program that sends none means the latest."""
    sent = body.get(f"{key}-version", "")
    if sent.isascii() and sent.isdigit() and len(sent) <= _MOST_VERSION_DIGITS:
        return int(sent)
    return draft.version(key)
