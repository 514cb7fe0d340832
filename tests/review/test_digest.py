"""The engineer's morning mail: once a working day, when something waits, without any words of it."""

from datetime import datetime
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.core import mail as outbox

from apps.accounts.models import Role
from apps.notices.models import Notice
from apps.notices.selectors import topics_for
from apps.notices.services import mail_choose
from apps.requisitions.models import Revision
from apps.requisitions.services import annotation_add
from apps.requisitions.workflow import State
from apps.review.digest import counts_of, digest_send
from tests.factories import make_client, make_in_state, make_user
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db
ZONE = ZoneInfo("Europe/Moscow")
TUESDAY = 1  # of December 2026


def digest_at(day: int, hour: int) -> int:
    moment = datetime(2026, 12, day, hour, 5, tzinfo=ZONE)
    with patch("django.utils.timezone.now", return_value=moment):
        return digest_send()


@pytest.fixture
def engineer():
    return make_user(Role.ENGINEER, language="ru")


def test_it_comes_once_in_the_morning_of_a_working_day(engineer):
    make_in_state(State.IN_REVIEW)
    assert digest_at(TUESDAY, 7) == 0  # before people work
    assert digest_at(TUESDAY, 14) == 0  # no morning any more
    assert digest_at(5, 10) == 0  # a Saturday
    assert digest_at(TUESDAY, 10) == 1
    assert digest_at(TUESDAY, 11) == 0
    assert digest_at(2, 10) == 1
    assert Notice.objects.filter(user=engineer, event="digest").count() == 2


def test_nobody_is_written_to_about_nothing(engineer):
    make_client()
    assert digest_at(TUESDAY, 10) == 0


def test_it_counts_and_quotes_nothing(engineer):
    owner = make_client(full_name="Anna Secret")
    mine = make_in_state(State.IN_REVIEW, owner)
    Revision.objects.filter(pk=mine.pk).update(
        engineer=engineer, due_at=datetime(2026, 12, 1, 9, tzinfo=ZONE)
    )
    mine.refresh_from_db()
    for visibility, author in (("client", owner), ("internal", make_user(Role.APPROVER))):
        annotation_add(revision=mine, actor=author, text="Zwiebelturm", visibility=visibility)
    make_in_state(State.IN_REVIEW)
    moment = datetime(2026, 12, 1, 10, tzinfo=ZONE)
    with patch("django.utils.timezone.now", return_value=moment):
        assert counts_of(engineer) == {"free": 1, "today": 1, "answered": 0, "comments": 2}
        assert digest_send() == 1
        run_jobs()
    letters = [letter for letter in outbox.outbox if "/q/\n" in f"{letter.body}\n"]
    assert [letter.to for letter in letters] == [[engineer.email]]
    assert not any(word in letters[0].body for word in ("Zwiebelturm", "Secret", "ЗС-"))


def test_an_engineer_may_do_without_and_nobody_else_is_asked(engineer):
    assert "digest" in topics_for(engineer)
    assert "digest" not in topics_for(make_client())
    mail_choose(user=engineer, off=["digest"], quiet=False)
    make_in_state(State.IN_REVIEW)
    assert digest_at(TUESDAY, 10) == 1
    with patch("django.utils.timezone.now", return_value=datetime(2026, 12, 2, tzinfo=ZONE)):
        run_jobs()
    assert not [letter for letter in outbox.outbox if letter.to == [engineer.email]]
