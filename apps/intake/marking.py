"""«I do not know» at one press: for the rest of a section or of all, with the way back, and who may
know one of the questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from apps.intake.posted import change_of
from apps.intake.selectors import Draft
from apps.intake.services import rest_mark_unknown
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions import services as requisitions
from apps.requisitions.authors import Author
from apps.requisitions.services import SaveOutcome

MARKED = "marked"
"""The part of an address that says what one press has marked."""


def rest_mark(*, draft: Draft, keys: Iterable[str], actor: Author) -> list[str]:
    """Mark as unknown what has no answer yet. Returns the questions."""
    wanted = set(keys)
    marked = [k for k in draft.evaluated.missing if k in wanted and QUESTIONS[k].accepts_unknown]
    rest_mark_unknown(draft=draft, keys=marked, actor=actor)
    return marked


def rest_mark_open(*, draft: Draft, keys: Iterable[str], actor: Author) -> int:
    """Take the press back, except where something was said about the question since."""
    again = still_marked(draft, keys)
    changes = [
        change_of(key, replace(draft.raw[key], unknown=False), draft.version(key)) for key in again
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)
    return len(again)


def still_marked(draft: Draft, keys: Iterable[str]) -> list[str]:
    """Of these the questions that are marked unknown and of which nothing else is said."""
    bare = RawAnswer(unknown=True)
    known = [key for key in keys if key in draft.raw]
    return [key for key in known if replace(draft.raw[key], provenance="client") == bare]


def owner_save(
    *, draft: Draft, key: str, who: str, when: str, version: int, actor: Author
) -> SaveOutcome:
    """Say who may know an open question and by when; the question stays open."""
    if key not in draft.evaluated.unknown:
        return SaveOutcome()
    answer = replace(draft.raw[key], who=who, when=when)
    change = change_of(key, answer, version)
    return requisitions.answers_save(revision=draft.revision, changes=[change], actor=actor)
