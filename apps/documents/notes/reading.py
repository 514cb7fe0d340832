"""A note opened for reading: what its sections look up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from apps.documents.notes.snapshot import Note
from apps.documents.sheets.reading import LINE_MAX_CHARS, answer_label, clipped
from apps.questionnaire.answers import Evaluated, evaluate, raw_answers
from apps.questionnaire.summary import display_value
from apps.questionnaire.ways import WAYS, Way
from apps.requisitions.models import Decision

# Of a rejected requisition: what was asked for.
_ASKED = ("purpose", "business_task", "method", "model_name", "target_time", "acquisition")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A question under its short name with the client's answer."""

    label: str
    value: str


def said_of(evaluated: Evaluated, key: str) -> str:
    """An answer in words; empty when the question was not asked or not answered."""
    answer = evaluated.answers.get(key)
    if answer is None:
        return ""
    if answer.unknown:
        return _("I do not know")
    return clipped(" ".join(display_value(answer).split()), LINE_MAX_CHARS)


def answered(evaluated: Evaluated, keys: Iterable[str]) -> tuple[Said, ...]:
    """The given answers of `keys`, in their order."""
    rows = (Said(label=answer_label(key), value=said_of(evaluated, key)) for key in keys)
    return tuple(row for row in rows if row.value)


@dataclass(frozen=True)
class NoteReading:
    note: Note

    @cached_property
    def evaluated(self) -> Evaluated:
        """The answers as the questionnaire understands them."""
        return evaluate(raw_answers(self.note.answers))

    @property
    def way(self) -> Way | None:
        """The other way; None of a rejection."""
        return WAYS.get(self.note.category) if self.note.kind == Decision.Kind.REDIRECT else None

    @property
    def grounds(self) -> tuple[Said, ...]:
        """The client's answers that the outcome rests on."""
        return answered(self.evaluated, self.way.grounds if self.way else _ASKED)
