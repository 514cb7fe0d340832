"""Answers: as typed, as understood, and what they lack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.checks import ModelFacts, contradictions, doubts
from apps.questionnaire.errors import ParseError
from apps.questionnaire.gate import GateOutcome, gate_outcome
from apps.questionnaire.parsing import parse
from apps.questionnaire.problem import Problem
from apps.questionnaire.question import UNKNOWN, Kind, Parsed, Question
from apps.questionnaire.relevance import relevance, relevant_sections
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.questionnaire.sentences import Sentence

PROVENANCES: Final = frozenset(
    [
        "client",
        "words",
        "file",
        "default",
        "guess",
        "earlier",
        "typical",
        "catalog",
        "engineer",
        "pilot",
    ]
)


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One answer as it was given. The text is kept as typed, readable or not.

    `who` and `when` belong to an unknown: who may know it and by when. `note` is the client's
    reason for a value that was warned about, or where a value that was taken over stood.
    """

    value: str | tuple[str, ...] = ""
    unknown: bool = False
    who: str = ""
    when: str = ""
    provenance: str = "client"
    note: str = ""

    @property
    def blank(self) -> bool:
        values = (self.value,) if isinstance(self.value, str) else self.value
        return not self.unknown and not any(v.strip() for v in values)

    @property
    def text(self) -> str:
        """The value as one text, for a field that holds one."""
        return self.value if isinstance(self.value, str) else ", ".join(self.value)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, the form that is stored and hashed."""
        value = self.value if isinstance(self.value, str) else list(self.value)
        return {
            "value": value,
            "unknown": self.unknown,
            "who": self.who,
            "when": self.when,
            "provenance": self.provenance,
            "note": self.note,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> RawAnswer:
        """Read the stored form; a part that is not of its type counts as missing."""
        value = document.get("value", "")
        if isinstance(value, list | tuple):
            value = tuple(v for v in value if isinstance(v, str))
        elif not isinstance(value, str):
            value = ""
        texts = {k: document.get(k) for k in ("who", "when", "note")}
        provenance = document.get("provenance")
        return cls(
            value=value,
            unknown=document.get("unknown") is True,
            provenance=provenance if provenance in PROVENANCES else "client",
            **{k: v for k, v in texts.items() if isinstance(v, str)},
        )


def raw_answers(document: Mapping[str, Mapping[str, Any]]) -> dict[str, RawAnswer]:
    """Stored answers by question key; keys that no question has are dropped."""
    return {k: RawAnswer.from_dict(v) for k, v in document.items() if k in QUESTIONS}


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """One asked question with its answer: `parsed` is None for blank, unknown and unreadable."""

    question: Question
    raw: RawAnswer
    parsed: Parsed | None = None
    error: Sentence | None = None

    @property
    def unknown(self) -> bool:
        return self.raw.unknown

    @property
    def blank(self) -> bool:
        return self.raw.blank


def read_answer(question: Question, raw: RawAnswer) -> AnswerValue:
    """Understand one answer. «I do not know» wins over a text left in the field."""
    if raw.unknown or raw.value == UNKNOWN:
        marked = replace(raw, value="", unknown=True)
        return AnswerValue(question, marked)
    value = raw.value
    if question.kind is not Kind.MULTI and not isinstance(value, str):
        value = raw.text
    try:
        return AnswerValue(question, raw, parse(question, value))
    except ParseError as problem:
        return AnswerValue(question, raw, None, problem.message)


_REMEMBERED_LENGTH: Final = 200


def _read(key: str, raw: RawAnswer) -> AnswerValue:
    """`read_answer`. Of a page of answers one has changed since the last save: short ones are
    remembered, which halves the work of a save."""
    if len(raw.text) + len(raw.note) <= _REMEMBERED_LENGTH:
        return _read_short(key, raw)
    return read_answer(QUESTIONS[key], raw)


@lru_cache(maxsize=4096)
def _read_short(key: str, raw: RawAnswer) -> AnswerValue:
    return read_answer(QUESTIONS[key], raw)


@dataclass(frozen=True, slots=True)
class Completeness:
    """How far a section is: counts of its asked questions."""

    asked: int = 0
    answered: int = 0
    unknown: int = 0
    missing: int = 0
    errors: int = 0

    @property
    def started(self) -> bool:
        return self.answered + self.unknown + self.errors > 0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Everything the screens, the summary and the task document need, worked out once.

    `from_catalog` are the questions without an answer that the catalog answers for the model.
    """

    answers: Mapping[str, AnswerValue]
    effective: Mapping[str, Parsed]
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    sections: Mapping[str, Completeness]
    gate: GateOutcome
    blockers: tuple[Problem, ...] = field(default=())
    from_catalog: frozenset[str] = frozenset()

    @property
    def ready(self) -> bool:
        """Whether it can be sent for an estimate."""
        return not self.blockers


def evaluate(
    raw: Mapping[str, RawAnswer],
    *,
    today: date | None = None,
    published: Callable[[str], ModelFacts | None] | None = None,
) -> Evaluated:
    """Understand all answers together.

    Args:
        raw: answers by question key; unknown keys are ignored, irrelevant ones left out.
        today: for checks of dates; without it they are skipped.
        published: finds a published model by its name. What is known of it is checked against
            and need not be answered again: marked unknown, it is no open question.
    """
    read = {k: _read(k, v) for k, v in raw.items() if k in QUESTIONS}
    parsed = {k: v.parsed for k, v in read.items() if v.parsed is not None}
    asked, effective = relevance(parsed)
    answers = {q.key: read.get(q.key, AnswerValue(q, RawAnswer())) for q in asked}
    name = effective.get("model_name")
    model = published(name) if published is not None and isinstance(name, str) else None
    known = _KNOWN_OF_PUBLISHED if model is not None else frozenset()
    missing = _missing(answers, known)
    unknown = tuple(k for k, a in answers.items() if a.unknown and k not in known)
    errors = (
        *(Problem(k, a.error) for k, a in answers.items() if a.error is not None),
        *contradictions(effective),
    )
    return Evaluated(
        answers=answers,
        effective=effective,
        errors=errors,
        warnings=doubts(effective, today=today, model=model),
        unknown=unknown,
        missing=missing,
        sections=_completeness(answers, parsed, missing, unknown, {p.key for p in errors}),
        gate=gate_outcome(effective),
        blockers=(*errors, *_gaps(answers, missing)),
        from_catalog=frozenset(k for k in known if k in answers and answers[k].parsed is None),
    )


_KNOWN_OF_PUBLISHED: Final = frozenset({"model_source", "model_kind", "params"})


def _missing(answers: Mapping[str, AnswerValue], known: Collection[str]) -> tuple[str, ...]:
    """Asked, expected, and neither answered, nor marked unknown, nor known from the catalog."""
    return tuple(
        key
        for key, answer in answers.items()
        if answer.blank and not answer.question.optional and key not in known
    )


def _gaps(answers: Mapping[str, AnswerValue], missing: Collection[str]) -> tuple[Problem, ...]:
    """What stops sending besides errors."""
    needed = Sentence(_("This is needed for the estimate: answer it."))
    open_ = Sentence(_("Answer it or choose “I do not know”."))
    return tuple(
        Problem(key, needed if answer.question.required else open_)
        for key, answer in answers.items()
        if key in missing or (answer.question.required and answer.unknown)
    )


def _completeness(
    answers: Mapping[str, AnswerValue],
    parsed: Mapping[str, Parsed],
    missing: Collection[str],
    unknown: Collection[str],
    wrong: Collection[str],
) -> dict[str, Completeness]:
    counts: dict[str, Completeness] = {}
    for section in relevant_sections(parsed):
        own = [a for k, a in answers.items() if SECTION_OF[k] is section]
        counts[section.key] = Completeness(
            asked=len(own),
            answered=sum(a.parsed is not None for a in own),
            unknown=sum(a.question.key in unknown for a in own),
            missing=sum(a.question.key in missing for a in own),
            errors=sum(a.question.key in wrong for a in own),
        )
    return counts
