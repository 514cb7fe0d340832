"""A snapshot opened for reading: what every sheet looks up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final, TypeVar

from django.utils import dateformat, timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.catalog.published import published_model
from apps.core import formatting
from apps.documents.snapshot import Fact, OverrideFact, Question, Snapshot
from apps.estimation.edited import with_edits
from apps.estimation.magnitude import as_shown
from apps.estimation.texts import field_label, value_text
from apps.pilots.standing import held_back
from apps.questionnaire.answers import Evaluated, evaluate, raw_answers
from apps.questionnaire.sections import QUESTIONS

T = TypeVar("T")

# A text of a person longer than this is cut: the whole stays in the requisition.
TEXT_MAX_CHARS: Final = 1200
LINE_MAX_CHARS: Final = 200


def clipped(text: str, most: int = TEXT_MAX_CHARS) -> str:
    """`text`, or its beginning with a word that it goes on elsewhere."""
    whole = text.strip()
    if len(whole) <= most:
        return whole
    return _("%(beginning)s… (shortened; the whole text is in the requisition)") % {
        "beginning": whole[:most].rstrip()
    }


def line_of(text: str) -> str:
    """A name or another short text of a person, on one line of bounded length."""
    return clipped(" ".join(text.split()), LINE_MAX_CHARS)


def by_two(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """`items` in rows of two."""
    return tuple(tuple(items[at : at + 2]) for at in range(0, len(items), 2))


def in_two(items: Sequence[T], weight: Callable[[T], float]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """`items` in two stacks of about the same weight, the order kept."""
    weights = [weight(item) for item in items]
    splits = range(len(items) + 1)
    # Of two that are as good the fuller left one: a single item stands on the left.
    best = min(splits, key=lambda at: (abs(sum(weights[:at]) - sum(weights[at:])), -at))
    return tuple(items[:best]), tuple(items[best:])


def day_of(moment: str) -> str:
    """An ISO time of the snapshot as a day in the active language."""
    return formatting.day(datetime.fromisoformat(moment) if moment else None)


def short_day_of(moment: str) -> str:
    """The same in figures, for the stamp and the foot of a sheet: 02.12.2026."""
    if not moment:
        return formatting.not_given()
    value = datetime.fromisoformat(moment)
    local = timezone.localtime(value) if value.tzinfo else value
    return dateformat.format(local, pgettext("date in figures", "Y-m-d"))


@dataclass(frozen=True)
class Reading:
    """The snapshot with the lookups that sheets share, each worked out once."""

    snapshot: Snapshot
    kind: str

    @cached_property
    def result(self) -> Mapping[str, Any]:
        """The result as people see it: orders of magnitude are rounded, what engineers added is in
        its variants, nothing bigger is recommended after a pilot without a gain."""
        edited = with_edits(as_shown(self.snapshot.result), self.snapshot.edits)
        return held_back(edited, self.snapshot.pilot)

    @cached_property
    def evaluated(self) -> Evaluated:
        """The answers as the questionnaire understands them."""
        return evaluate(raw_answers(self.snapshot.answers), published=published_model)

    @cached_property
    def balls(self) -> Mapping[str, int]:
        """Number of the open question by its key and by its task field."""
        numbers: dict[str, int] = {}
        for number, question in enumerate(self.snapshot.questions, start=1):
            for name in (question.key, question.field):
                if name:
                    numbers.setdefault(name, number)
        return numbers

    @cached_property
    def facts(self) -> Mapping[tuple[str, str], Fact]:
        """Fact by item and key."""
        return {(fact.item, fact.key): fact for fact in self.snapshot.facts}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Name of a card, a server or a model by its slug."""
        return {fact.item: fact.name for fact in self.snapshot.facts if fact.name}

    @staticmethod
    def override_text(override: OverrideFact) -> str:
        """The engineer's value in words."""
        return clipped(value_text(override.field, override.value), LINE_MAX_CHARS)

    def fact(self, item: str | None, key: str) -> Any:
        """The value of a fact; None when nobody has found it."""
        found = self.facts.get((item or "", key))
        return found.value if found else None


def question_label(question: Question) -> str:
    """What is asked: in the engineer's words, else the short name of the question or the field."""
    if question.text:
        return clipped(question.text, LINE_MAX_CHARS)
    known = QUESTIONS.get(question.key)
    return str(known.name) if known else field_label(question.field or question.key)


def answer_label(key: str) -> str:
    """A question of the questionnaire as a row's head."""
    known = QUESTIONS.get(key)
    return str(known.name) if known else key
