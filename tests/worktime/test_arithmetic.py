"""Working time: limits of the calendar, and that adding and measuring undo each other."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.worktime.arithmetic import (
    Calendar,
    NeverWorks,
    add_working,
    next_opening,
    working_between,
    working_days,
)

ZONE = ZoneInfo("Europe/Moscow")
NINE_TO_SIX = (time(9), time(18))
CALENDAR = Calendar(
    week=(NINE_TO_SIX,) * 5 + (None, None),
    zone=ZONE,
    days={
        date(2026, 12, 31): None,
        **{date(2027, 1, day): None for day in range(1, 9)},
        date(2026, 12, 30): (time(9), time(17)),
        date(2026, 12, 12): NINE_TO_SIX,  # a working Saturday
    },
)
MOMENTS = st.datetimes(datetime(2026, 11, 1), datetime(2027, 3, 1), timezones=st.just(ZONE))
AMOUNTS = st.timedeltas(timedelta(seconds=1), timedelta(hours=200))


def at(day: int, hour: int, minute: int = 0, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("moment", "hours", "due"),
    [
        (at(1, 10), 18, at(3, 10)),  # Tuesday morning, two days
        (at(1, 7), 9, at(1, 18)),  # before the day begins
        (at(4, 17), 2, at(7, 10)),  # Friday evening: over the weekend
        (at(5, 12), 1, at(7, 10)),  # a Saturday: from Monday
        (at(11, 17), 2, at(12, 10)),  # into a working Saturday
        (at(30, 16), 2, datetime(2027, 1, 11, 10, tzinfo=ZONE)),  # a short day, then the holidays
    ],
)
def test_working_hours_after_a_moment(moment, hours, due):
    assert add_working(CALENDAR, moment, timedelta(hours=hours)) == due


def test_a_weekend_is_no_working_time():
    assert working_between(CALENDAR, at(4, 18), at(7, 9)) == timedelta(0)
    assert working_between(CALENDAR, at(4, 17), at(7, 10)) == timedelta(hours=2)
    assert working_between(CALENDAR, at(7, 10), at(4, 17)) == timedelta(0)


def test_opening_is_now_while_people_work():
    assert next_opening(CALENDAR, at(1, 12)) == at(1, 12)
    assert next_opening(CALENDAR, at(4, 20)) == at(7, 9)


def test_days_of_an_amount():
    assert working_days(CALENDAR, timedelta(hours=18)) == 2


def test_a_calendar_that_never_works_is_said_so():
    with pytest.raises(NeverWorks):
        next_opening(Calendar(week=(None,) * 7, zone=ZONE), at(1, 12))


@settings(max_examples=50, deadline=None)
@given(MOMENTS, AMOUNTS)
def test_measuring_undoes_adding(moment, amount):
    assert working_between(CALENDAR, moment, add_working(CALENDAR, moment, amount)) == amount


@settings(max_examples=50, deadline=None)
@given(MOMENTS, AMOUNTS, AMOUNTS)
def test_adding_is_monotone_and_goes_in_parts(moment, first, second):
    once = add_working(CALENDAR, moment, first)
    assert add_working(CALENDAR, once, second) == add_working(CALENDAR, moment, first + second)
    assert add_working(CALENDAR, moment + second, first) >= once
