"""The administrator's calendar: what is set counts, what is shipped comes back, nonsense is named."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.core.errors import DomainError, NotAllowed
from apps.worktime.readers import read_days
from apps.worktime.selectors import calendar_now, due_after, shipped_calendar, targets_of
from apps.worktime.services import days_set
from apps.worktime.sizes import SizeClass
from tests.factories import make_user

PAGE = reverse("worktime:calendar")
NEW_YEAR = datetime(2026, 12, 30, 12, tzinfo=ZoneInfo("Europe/Moscow"))


@pytest.fixture
def administrator(client, db):
    person = make_user(Role.ADMINISTRATOR)
    client.force_login(person)
    return person


def test_public_holidays_are_shipped_with_their_source():
    days = shipped_calendar().days
    assert days[date(2026, 12, 31)] is None
    assert days[date(2027, 1, 8)] is None
    assert days[date(2026, 11, 3)] == (time(9), time(17))
    assert date(2026, 12, 30) not in days


def test_days_off_of_the_settings_count(settings):
    settings.HOLIDAYS = ["2026-12-02"]
    assert shipped_calendar().span(date(2026, 12, 2)) is None


@pytest.mark.django_db
def test_the_settings_say_in_how_many_days(settings):
    settings.REVIEW_WORKING_DAYS = 1
    assert due_after(SizeClass.USUAL, NEW_YEAR).date() == date(2027, 1, 11)


def test_a_day_set_counts_and_taken_back_does_not(client, administrator):
    lines = "2026-12-31 9:00-14:00 Работаем до обеда\n2027-01-11 Выходной"
    assert client.post(PAGE, {"part": "days", "days": lines}).status_code == 302
    assert calendar_now().span(date(2026, 12, 31)) == (time(9), time(14))
    assert calendar_now().span(date(2027, 1, 11)) is None
    assert "Работаем до обеда" in client.get(PAGE).content.decode()
    client.post(PAGE, {"part": "forget", "day": "2026-12-31"})
    assert calendar_now().span(date(2026, 12, 31)) is None
    actions = AuditEvent.objects.filter(actor=administrator).values_list("action", flat=True)
    assert list(actions) == ["calendar.day", "calendar.day", "calendar.forget"]


def test_the_week_and_the_targets_are_set(client, administrator):
    week = {
        f"{end}-{n}": at for n in range(5) for end, at in (("opens", "10:00"), ("closes", "19:00"))
    }
    assert client.post(PAGE, week | {"part": "week"}).status_code == 302
    assert calendar_now().week[0] == (time(10), time(19))
    target = {"part": "target", "size_class": "large", "first_look_hours": 8, "ready_hours": 40}
    assert client.post(PAGE, target).status_code == 302
    assert targets_of(SizeClass.LARGE, calendar_now()).ready == timedelta(hours=40)


@pytest.mark.parametrize(
    "sent",
    [
        {"part": "days", "days": "31 декабря"},
        {"part": "days", "days": "2026-02-30 Выходной"},
        {"part": "days", "days": "2026-12-30 17:00-9:00"},
        {"part": "week"},
        {"part": "target", "size_class": "usual", "first_look_hours": 9, "ready_hours": 2},
    ],
)
def test_nonsense_is_named_and_changes_nothing(client, administrator, sent):
    before = calendar_now()
    response = client.post(PAGE, sent)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert calendar_now() == before


@pytest.mark.django_db
def test_nobody_else_changes_it():
    with pytest.raises(NotAllowed):
        days_set(actor=make_user(Role.MANAGER), lines=read_days("2026-12-31 Выходной"))


def test_the_line_that_cannot_be_read_is_named():
    with pytest.raises(DomainError, match="завтра"):
        read_days("2026-12-31 Выходной\nзавтра")
