"""By when people answer: nights, weekends and holidays do not count."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.core.working_days import after_working_days, expected_day

HOLIDAYS = {date(2026, 12, 31), date(2027, 1, 1)}


def at(day: int, hour: int, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=ZoneInfo("Europe/Moscow"))


@pytest.mark.parametrize(
    ("moment", "last"),
    [
        (at(1, 10), date(2026, 12, 3)),  # Tuesday morning
        (at(1, 19), date(2026, 12, 4)),  # Tuesday evening: read on Wednesday
        (at(3, 10), date(2026, 12, 7)),  # Thursday: over the weekend
        (at(5, 10), date(2026, 12, 9)),  # Saturday: read on Monday
        (at(30, 10), date(2027, 1, 5)),  # before two holidays and a weekend
    ],
)
def test_two_working_days(moment, last):
    assert after_working_days(moment, 2, HOLIDAYS) == last


def test_the_settings_say_how_many_days_and_which_holidays(settings):
    settings.REVIEW_WORKING_DAYS, settings.HOLIDAYS = 1, ["2026-12-02"]
    assert expected_day(at(1, 10)) == date(2026, 12, 3)
