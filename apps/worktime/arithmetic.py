"""Working time as numbers: pure functions over a calendar, no database and no clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

Span = tuple[time, time]
"""From when to when people work on a day."""

# A calendar that never works would be searched for ever: no holiday is as long as this.
SEARCHED_DAYS: Final = 400
ONE_DAY: Final = timedelta(days=1)
NOTHING: Final = timedelta(0)


class NeverWorks(ValueError):
    """The calendar has no working time for longer than a year."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """`week` has a span for Monday to Sunday, None where nobody works; `days` are the exceptions."""

    week: tuple[Span | None, ...]
    zone: ZoneInfo
    days: Mapping[date, Span | None] = field(default_factory=dict)

    def span(self, day: date) -> Span | None:
        """From when to when people work on a day; None for a day off."""
        return self.days[day] if day in self.days else self.week[day.weekday()]

    def hours(self, day: date) -> tuple[datetime, datetime] | None:
        """The same as two moments of the calendar's time zone."""
        span = self.span(day)
        if span is None:
            return None
        opens, closes = (datetime.combine(day, at, self.zone) for at in span)
        return opens, closes

    def usual_day(self) -> timedelta:
        """How long the longest day of the usual week is."""
        spans = [span for span in self.week if span is not None]
        return max((_length(span) for span in spans), default=NOTHING)


def _length(span: Span) -> timedelta:
    opens, closes = (datetime.combine(date.min, at) for at in span)
    return closes - opens


def _days_from(calendar: Calendar, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
    """What is left of working days from a moment on.

    Raises:
        NeverWorks: a whole year without working time.
    """
    local = moment.astimezone(calendar.zone)
    day, idle = local.date(), 0
    while idle < SEARCHED_DAYS:
        hours = calendar.hours(day)
        if hours is not None and hours[1] > local:
            idle = 0
            yield max(hours[0], local), hours[1]
        idle += 1
        day += ONE_DAY
    raise NeverWorks(day.isoformat())


def next_opening(calendar: Calendar, moment: datetime) -> datetime:
    """The moment itself while people work, else when they begin again."""
    return next(_days_from(calendar, moment))[0]


def is_open(calendar: Calendar, moment: datetime) -> bool:
    return next_opening(calendar, moment) <= moment


def add_working(calendar: Calendar, moment: datetime, amount: timedelta) -> datetime:
    """The earliest moment by which `amount` of working time has passed since `moment`.

    For no time at all it is the moment itself while people work, else when they begin again.
    """
    left = max(amount, NOTHING)
    for begins, ends in _days_from(calendar, moment):
        if begins + left <= ends:
            return begins + left
        left -= ends - begins
    raise NeverWorks(moment.isoformat())


def working_between(calendar: Calendar, earlier: datetime, later: datetime) -> timedelta:
    """Working time between two moments; none when they stand the other way round."""
    total = NOTHING
    if later <= earlier:
        return total
    earlier, later = (moment.astimezone(calendar.zone) for moment in (earlier, later))
    day, last = earlier.date(), later.date()
    while day <= last:
        hours = calendar.hours(day)
        if hours is not None:
            total += max(NOTHING, min(hours[1], later) - max(hours[0], earlier))
        day += ONE_DAY
    return total


def working_days(calendar: Calendar, amount: timedelta) -> int:
    """An amount of working time in days of the usual week, rounded to whole ones."""
    usual = calendar.usual_day()
    return round(amount / usual) if usual else 0
