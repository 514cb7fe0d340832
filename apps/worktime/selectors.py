"""The working calendar and the targets as they stand now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings

from apps.worktime.arithmetic import (
    Calendar,
    Span,
    add_working,
    next_opening,
    working_between,
)
from apps.worktime.models import SpecialDay, Target, WeekDay
from apps.worktime.sizes import SizeClass

_OPENS, _CLOSES = time(9), time(18)
_WORKED: Final = 5  # Monday to Friday
_LARGE_TAKES: Final = 2  # times as long as a usual one, until somebody says otherwise


@dataclass(frozen=True, slots=True)
class ShippedDay:
    """A day that comes with the product: `span` is None for a day off."""

    day: date
    span: Span | None
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True)
class Targets:
    """Working time until the first look, and until the assessment is ready."""

    first_look: timedelta
    ready: timedelta


@cache
def shipped_days() -> tuple[ShippedDay, ...]:
    """Public holidays and short days with their sources, by date."""
    path = Path(settings.FIXTURES_DIR) / "worktime" / "days.json"
    found = []
    for year in json.loads(path.read_text(encoding="utf-8")):
        source, as_of = year["source"], date.fromisoformat(year["as_of"])
        for row in year["days"]:
            closes = row.get("closes")
            span = (_OPENS, time.fromisoformat(closes)) if closes else None
            day = date.fromisoformat(row["day"])
            found.append(ShippedDay(day, span, row["note"], source, as_of))
    return tuple(sorted(found, key=lambda row: row.day))


def shipped_week() -> tuple[Span | None, ...]:
    return tuple((_OPENS, _CLOSES) if day < _WORKED else None for day in range(7))


def shipped_calendar() -> Calendar:
    """The calendar before anybody has changed it: what is shipped, and days off of the settings."""
    days: dict[date, Span | None] = {row.day: row.span for row in shipped_days()}
    days |= {date.fromisoformat(day): None for day in settings.HOLIDAYS}
    return Calendar(week=shipped_week(), zone=ZoneInfo(settings.TIME_ZONE), days=days)


def _span(row: WeekDay | SpecialDay) -> Span | None:
    return (row.opens, row.closes) if row.opens and row.closes else None


def calendar_now() -> Calendar:
    """The calendar with the administrator's rows, which stand before the others. Two queries."""
    shipped = shipped_calendar()
    week = list(shipped.week)
    for usual in WeekDay.objects.all():
        week[usual.weekday] = _span(usual)
    special = {row.day: _span(row) for row in SpecialDay.objects.all()}
    return Calendar(week=tuple(week), zone=shipped.zone, days={**shipped.days, **special})


def default_targets(size_class: SizeClass, calendar: Calendar) -> Targets:
    """A working day until the first look, and the settings' number of days until it is ready."""
    times = _LARGE_TAKES if size_class == SizeClass.LARGE else 1
    usual = calendar.usual_day()
    ready = usual * max(settings.REVIEW_WORKING_DAYS, 1) * times
    return Targets(first_look=min(usual * times, ready), ready=ready)


def targets_of(size_class: SizeClass, calendar: Calendar) -> Targets:
    """What the administrator set for the class, else the default."""
    row = Target.objects.filter(size_class=size_class).first()
    if row is None:
        return default_targets(size_class, calendar)
    return Targets(timedelta(hours=row.first_look_hours), timedelta(hours=row.ready_hours))


def read_at(calendar: Calendar, moment: datetime) -> datetime | None:
    """When people begin to read again; None while they work."""
    opening = next_opening(calendar, moment)
    return opening if opening > moment else None


def due_after(size_class: SizeClass, moment: datetime) -> datetime:
    """When what comes in at a moment is to be ready."""
    calendar = calendar_now()
    return add_working(calendar, moment, targets_of(size_class, calendar).ready)


def next_working_moment(moment: datetime) -> datetime:
    """The moment itself while people work, else when they begin again."""
    return next_opening(calendar_now(), moment)


def working_days_between(earlier: datetime, later: datetime) -> int:
    """Whole working days, as long as those of the usual week, between two moments."""
    calendar = calendar_now()
    usual = calendar.usual_day()
    return working_between(calendar, earlier, later) // usual if usual else 0
