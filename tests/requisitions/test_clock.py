"""The clock of a requisition: it waits while the client is asked, over letters and weekends."""

from datetime import date, timedelta

import pytest

from apps.requisitions.clock_facts import size_class, wanted_on
from apps.requisitions.clocks import share_used
from apps.requisitions.models import Revision
from apps.requisitions.services import (
    revision_transition,
)
from apps.requisitions.workflow import Action
from apps.worktime.sizes import SizeClass
from tests.requisitions.clocked import answered, asked, at, on, sent

pytestmark = pytest.mark.django_db


def fresh(revision: Revision) -> Revision:
    return Revision.objects.select_related("clock").get(pk=revision.pk)


def test_sending_starts_it():
    revision = fresh(sent(at(1, 10)))
    assert revision.due_at == at(3, 10)  # two days of nine hours
    assert revision.wanted_on == date(2026, 12, 15)
    assert share_used(revision, at(2, 10)) == pytest.approx(0.5)


def test_a_question_over_a_weekend_takes_no_time():
    """Asked on Friday at 16:00, answered on Monday at 11:00: four working hours later."""
    first = sent(at(3, 10))
    assert fresh(first).due_at == at(7, 10)
    draft = asked(first, at(4, 16))
    waiting = fresh(first)
    assert waiting.due_at is None
    assert waiting.clock.due_at == at(7, 10)
    assert share_used(waiting, at(6, 12)) == pytest.approx(15 / 18)
    second = fresh(answered(draft, at(7, 11)))
    assert second.clock == waiting.clock
    assert second.due_at == at(7, 14)
    pause = second.clock.pauses.get()
    assert (pause.revision, pause.worked) == (waiting, timedelta(hours=4))
    assert share_used(second, at(7, 11)) == pytest.approx(15 / 18)
    assert fresh(first).due_at is None


def test_the_first_look_is_kept():
    revision = sent(at(1, 10))
    asked(revision, at(1, 12))
    assert fresh(revision).clock.looked_at == at(1, 12)


def test_withdrawing_stops_it_for_good():
    revision = sent(at(1, 10))
    with on(at(2, 10)):
        owner = revision.requisition.owner
        revision_transition(revision=revision, action=Action.WITHDRAW, actor=owner)
    stopped = fresh(revision)
    assert (stopped.clock.stopped_at, stopped.due_at) == (at(2, 10), None)
    assert share_used(stopped, at(20, 10)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answers", "size"),
    [
        ({"strategy": "from-scratch"}, SizeClass.LARGE),
        ({"params": "70 млрд"}, SizeClass.LARGE),
        ({"params": "8B"}, SizeClass.USUAL),
        ({"model_name": "Llama-3.1-70B"}, SizeClass.LARGE),
        ({"model_name": "Llama-3.1-8B"}, SizeClass.USUAL),
        ({"params": "нечто", "strategy": "finetune"}, SizeClass.USUAL),
    ],
)
def test_large_is_what_takes_longer(answers, size):
    given = {key: {"value": value, "unknown": False} for key, value in answers.items()}
    assert size_class(given) == size


def test_what_is_no_day_is_no_day():
    assert wanted_on({"wanted_date": {"value": "скоро", "unknown": False}}) is None
    assert wanted_on({}) is None
