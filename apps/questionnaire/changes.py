"""What changed in the answers from one revision to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from apps.questionnaire.answers import AnswerValue, Evaluated, RawAnswer, read_answer
from apps.questionnaire.sections import QUESTIONS

AnswerState: TypeAlias = Literal["changed", "learned", "forgotten", "asked", "dropped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChange:
    """One answer then and now, as typed; None where the question was not asked.

    `state`: "learned" where nothing was known before, "forgotten" where nothing is known now,
    "asked" when an earlier answer brought the question up, "dropped" when it made it needless.
    """

    key: str
    state: AnswerState
    old: RawAnswer | None
    new: RawAnswer | None

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, the form that is frozen with a document."""
        return {
            "key": self.key,
            "state": self.state,
            "old": self.old.as_dict() if self.old else None,
            "new": self.new.as_dict() if self.new else None,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> AnswerChange:
        old, new = document["old"], document["new"]
        return cls(
            key=document["key"],
            state=document["state"],
            old=RawAnswer.from_dict(old) if old else None,
            new=RawAnswer.from_dict(new) if new else None,
        )

    def values(self) -> tuple[AnswerValue | None, AnswerValue | None]:
        """Then and now, understood."""
        question = QUESTIONS[self.key]
        return (
            read_answer(question, self.old) if self.old else None,
            read_answer(question, self.new) if self.new else None,
        )


def answer_changes(old: Evaluated, new: Evaluated) -> tuple[AnswerChange, ...]:
    """The answers that mean something else now, in the order of the questionnaire.

    The same value typed in another way is no change, and who may know an answer is no part of it.
    """
    found = (_change(key, old.answers.get(key), new.answers.get(key)) for key in QUESTIONS)
    return tuple(change for change in found if change is not None)


_NOTHING: Final = ("", None)


def _meaning(answer: AnswerValue | None) -> tuple[str, Any]:
    if answer is None or answer.blank:
        return _NOTHING
    if answer.unknown:
        return ("unknown", None)
    if answer.parsed is not None:
        return ("known", answer.parsed)
    return ("unreadable", answer.raw.text.strip())


def _change(key: str, was: AnswerValue | None, now: AnswerValue | None) -> AnswerChange | None:
    before, after = _meaning(was), _meaning(now)
    if before == after:
        return None
    return AnswerChange(
        key=key,
        state=_state(was, now),
        old=was.raw if was else None,
        new=now.raw if now else None,
    )


def _state(was: AnswerValue | None, now: AnswerValue | None) -> AnswerState:
    if was is None:
        return "asked"
    if now is None:
        return "dropped"
    knew, knows = (_meaning(answer)[0] in ("known", "unreadable") for answer in (was, now))
    if knows and not knew:
        return "learned"
    return "forgotten" if knew and not knows else "changed"
