"""Clocks for what was sent before there were any."""

from datetime import datetime
from importlib import import_module

import pytest
from django.apps import apps
from django.db import DatabaseError, transaction

from apps.requisitions.models import Clock, ClockPause, Decision, Revision
from apps.requisitions.services import (
    revision_transition,
)
from apps.requisitions.workflow import Action
from tests.requisitions import clocked
from tests.requisitions.clocked import answered, at, on, sent

pytestmark = pytest.mark.django_db
backfill = import_module("apps.requisitions.migrations.0014_clock_backfill")


def asked(revision: Revision, moment: datetime) -> Revision:
    draft = clocked.asked(revision, moment)
    Decision.objects.filter(revision=revision).update(at=moment)
    return draft


def as_it_was() -> list[dict]:
    """What the clocks said before they were forgotten, as a release without clocks had it."""
    fields = ("started_at", "target", "first_look", "due_at", "stopped_at", "size_class")
    told = [*Clock.objects.values(*fields)]
    told += [*ClockPause.objects.values("revision", "started_at", "ended_at", "worked")]
    told += [*Revision.objects.order_by("index").values("pk", "due_at", "wanted_on", "size_class")]
    Revision.objects.update(clock=None, due_at=None, wanted_on=None, size_class="usual")
    ClockPause.objects.all().delete()
    Clock.objects.all().delete()
    return told


def under_way() -> None:
    sent(at(1, 10))


def waiting() -> None:
    asked(sent(at(3, 10)), at(4, 16))


def sent_again() -> None:
    answered(asked(sent(at(3, 10)), at(4, 16)), at(7, 11))


def withdrawn() -> None:
    revision = sent(at(1, 10))
    with on(at(2, 12)):
        revision_transition(
            revision=revision, action=Action.WITHDRAW, actor=revision.requisition.owner
        )


@pytest.mark.parametrize("course", [under_way, waiting, sent_again, withdrawn])
def test_it_says_what_the_clock_would_have_said(course):
    course()
    kept = as_it_was()
    assert not Clock.objects.exists()
    backfill.fill(apps, None)
    assert as_it_was() == kept


def test_a_second_time_changes_nothing():
    sent_again()
    backfill.fill(apps, None)
    assert Clock.objects.count() == 1


def test_answers_that_were_sent_stay_frozen():
    revision = sent(at(1, 10))
    as_it_was()
    backfill.fill(apps, None)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        Revision.objects.filter(pk=revision.pk).update(answers_text="{}")
