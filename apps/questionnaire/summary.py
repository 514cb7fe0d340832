"""The answers as rows to read: check page, workspace, document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from apps.core import formatting
from apps.questionnaire.answers import AnswerValue, Evaluated
from apps.questionnaire.echo import counted, display
from apps.questionnaire.relevance import relevant_sections
from apps.questionnaire.sections import QUESTIONS, Section
from apps.questionnaire.sentences import Sentence, Text


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One asked question under its short name. `value` is text in the active language, empty when there is none.

    An unreadable answer shows what was typed, with the error beside it.
    """

    key: str
    label: Text
    value: str
    provenance: str
    unknown: bool = False
    who: str = ""
    when: str = ""
    note: str = ""
    error: Sentence | None = None
    warning: Sentence | None = None
    missing: bool = False


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """A section with the rows worth showing."""

    section: Section
    rows: tuple[SummaryRow, ...]
    unknown_count: int


def summarise(evaluated: Evaluated) -> tuple[SectionSummary, ...]:
    """Asked questions by section; an optional one that was left blank is omitted."""
    summaries = []
    for section in relevant_sections(evaluated.effective):
        rows = tuple(
            _row(evaluated, evaluated.answers[q.key])
            for q in section.questions
            if q.key in evaluated.answers and not _silent(evaluated.answers[q.key])
        )
        if rows:
            summaries.append(SectionSummary(section, rows, sum(r.unknown for r in rows)))
    return tuple(summaries)


def _silent(answer: AnswerValue) -> bool:
    return answer.blank and answer.question.optional


def _row(evaluated: Evaluated, answer: AnswerValue) -> SummaryRow:
    key = answer.question.key
    errors = (p.message for p in evaluated.errors if p.key == key)
    warnings = (p.message for p in evaluated.warnings if p.key == key)
    if key in evaluated.from_catalog and answer.error is None:
        return SummaryRow(
            key=key,
            label=answer.question.name,
            value=_("as in the catalog"),
            provenance="catalog",
        )
    return SummaryRow(
        key=key,
        label=answer.question.name,
        value=display_value(answer),
        provenance=answer.raw.provenance,
        unknown=answer.unknown,
        who=answer.raw.who,
        when=answer.raw.when,
        note=answer.raw.note,
        error=next(errors, None),
        warning=next(warnings, None),
        missing=key in evaluated.missing,
    )


def display_value(answer: AnswerValue) -> str:
    """The answer as text: understood if it could be, else as typed."""
    if answer.parsed is None:
        return "" if answer.unknown else answer.raw.text.strip()
    return display(answer.question, answer.parsed)


def open_questions(evaluated: Evaluated) -> tuple[SummaryRow, ...]:
    """What is marked unknown, first what moves the result most."""
    unknown = (evaluated.answers[key] for key in evaluated.unknown)
    ranked = sorted(unknown, key=lambda a: -a.question.weight)
    return tuple(_row(evaluated, answer) for answer in ranked)


def headline(evaluated: Evaluated) -> str:
    """One line that names the requisition: «LoRA, Llama-3.1-8B, 2 048 токенов».

    At first only the goal is known, and it is the name.
    """
    parts = ", ".join(_headline_parts(evaluated))
    purpose = evaluated.effective.get("purpose")
    goal = "" if purpose is None else display(QUESTIONS["purpose"], purpose)
    return parts or goal or _("New requisition")


def headlines(evaluated: Evaluated) -> dict[str, str]:
    """The headline in every language of the product."""
    found = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found[language] = headline(evaluated)
    return found


def _size_words(params: float) -> str:
    """70 B parameters; 86 M parameters of a small model."""
    if params < 1e9:
        return _("%(millions)s M parameters") % {"millions": formatting.number(params / 1e6)}
    return _("%(billions)s B parameters") % {"billions": formatting.number(params / 1e9)}


def _headline_parts(evaluated: Evaluated) -> Iterable[str]:
    effective = evaluated.effective
    if "method" in effective:
        yield display(QUESTIONS["method"], effective["method"])
    elif "strategy" in effective:
        yield display(QUESTIONS["strategy"], effective["strategy"])
    name, params = effective.get("model_name"), effective.get("params")
    if isinstance(name, str):
        yield name
    elif isinstance(params, int | float):
        yield _size_words(params)
    length = effective.get("sequence_length")
    if isinstance(length, int | float):
        yield counted(QUESTIONS["sequence_length"], length)
