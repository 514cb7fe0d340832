"""Fills the database of a running product with thousands of requisitions like the one it has.

Run inside the product's environment: `python tests/bench/crowd.py COUNT`.
"""

import itertools
import os
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any

import django
from django.db import connection, models, transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
django.setup()

from apps.audit.models import AuditEvent  # noqa: E402 (after django.setup)
from apps.audit.services import subject_key  # noqa: E402
from apps.core.searching import folded  # noqa: E402
from apps.estimation.models import Assessment, Calculation, EstimateResult  # noqa: E402
from apps.requisitions.models import Answer, OpenQuestion, Requisition, Revision  # noqa: E402
from apps.requisitions.workflow import State  # noqa: E402

TITLES = (
    "LoRA, Llama-3.1-8B: черновики ответов поддержки",
    "Полное дообучение, Qwen2.5-7B: разбор договоров",
    "С нуля, классификация изображений: ёлки и сосны с беспилотника",
    "QLoRA, Mistral-7B: вопросы по технической документации",
)
# Nearly all in the queue, as on the worst day; the rest is what a client also has.
STATES = (
    *[State.IN_REVIEW] * 6,
    *[State.ESTIMATING] * 3,
    *[State.IN_APPROVAL] * 5,
    *[State.CHANGES_REQUESTED] * 4,
    State.DRAFT,
    State.WITHDRAWN,
)
BATCH_COUNT = 100


def copied(row: models.Model, **changes: Any) -> Any:
    """A new row with all values of another but its key and what is given."""
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    return type(row)(**values | changes)


def copies(rows: Iterable[models.Model], **changes: Any) -> list[Any]:
    return [copied(row, **changes) for row in rows]


class Crowd:
    """Copies of the latest requisition of the database, with all that the lists look at."""

    def __init__(self) -> None:
        self.revision = Revision.objects.exclude(answers_text="").latest("submitted_at")
        self.requisition = self.revision.requisition
        self.calculation = self.revision.calculations.get()
        self.results = list(self.calculation.results.all())
        self.answers = list(self.revision.answers.all())
        self.questions = list(self.revision.open_questions.all()[:3])
        self.events = list(AuditEvent.objects.filter(subject=subject_key(self.revision)))
        self.serial = itertools.count(Requisition.objects.count() + 1)
        self.seq = itertools.count(AuditEvent.objects.latest("seq").seq + 1)

    def members(self, count: int) -> Iterator[dict[type[models.Model], list[Any]]]:
        for number, state in zip(range(count), itertools.cycle(STATES)):
            yield self.member(number, state)

    def member(self, number: int, state: State) -> dict[type[models.Model], list[Any]]:
        """The rows of one requisition, by model, in the order in which they can be inserted."""
        draft = state == State.DRAFT
        titles = {"ru": TITLES[number % len(TITLES)]}
        requisition = copied(self.requisition, pk=uuid.uuid4(), titles=titles)
        requisition.number = None if draft else 10_000 + next(self.serial)
        words = (requisition.display_number, *titles.values(), self.requisition.company.name)
        requisition.search_text = folded(" ".join(words))
        revision = copied(
            self.revision, pk=uuid.uuid4(), requisition_id=requisition.pk, state=state
        )
        revision.state_since -= timedelta(minutes=number)
        if revision.due_at is not None:
            paused = state == State.CHANGES_REQUESTED
            revision.due_at = None if paused else revision.due_at - timedelta(minutes=number)
        calculation = copied(self.calculation, pk=uuid.uuid4(), revision_id=revision.pk)
        rows: dict[type[models.Model], list[Any]] = {
            Requisition: [requisition],
            Revision: [revision],
            Answer: copies(self.answers, revision_id=revision.pk),
        }
        if draft:
            revision.answers_text = revision.answers_sha256 = ""
            revision.submitted_at = revision.submitted_by = None
            return rows
        subject = subject_key(revision)
        return rows | {
            OpenQuestion: [
                copied(q, pk=uuid.uuid4(), revision_id=revision.pk) for q in self.questions
            ],
            Calculation: [calculation],
            EstimateResult: copies(self.results, calculation_id=calculation.pk),
            Assessment: copies([self.calculation.assessment], calculation_id=calculation.pk),
            AuditEvent: [copied(e, seq=next(self.seq), subject=subject) for e in self.events],
        }


def batches(members: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(itertools.islice(members, size)):
        yield batch


def fill(count: int, insert: Callable[[type[models.Model], list[Any]], Any]) -> None:
    for batch in batches(Crowd().members(count), BATCH_COUNT):
        with transaction.atomic():
            for model in batch[0]:
                insert(model, [row for member in batch for row in member.get(model, [])])


if __name__ == "__main__":
    fill(int(sys.argv[1]), lambda model, rows: model._default_manager.bulk_create(rows))
    if connection.vendor == "postgresql":  # as autovacuum does by itself, a minute later
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
