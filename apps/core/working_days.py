"""Days on which people work: Monday to Friday without the holidays that the settings name."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

# What comes in later in the day counts as of the next one.
_DAY_ENDS: Final = time(18)
_SATURDAY: Final = 5


def is_working(day: date, holidays: Collection[date]) -> bool:
    return day.weekday() < _SATURDAY and day not in holidays


def after_working_days(moment: datetime, count: int, holidays: Collection[date]) -> date:
    """The last of `count` whole working days after `moment`, in the local time zone."""
    local = timezone.localtime(moment)
    day = local.date()
    left = count
    if not is_working(day, holidays) or local.time() >= _DAY_ENDS:
        left += 1  # it is read on the next working day, which does not count
    while left:
        day += timedelta(days=1)
        left -= is_working(day, holidays)
    return day


def expected_day(moment: datetime) -> date:
    """By when an assessment that was asked for at `moment` is usually there."""
    holidays = {date.fromisoformat(day) for day in settings.HOLIDAYS}
    return after_working_days(moment, settings.REVIEW_WORKING_DAYS, holidays)
