"""What the clock of a revision says: how much of its time is used, and where it waited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.requisitions.models import Clock, ClockPause, Revision
from apps.worktime.arithmetic import NOTHING, Calendar, add_working, working_between
from apps.worktime.selectors import calendar_now


@dataclass(frozen=True, slots=True)
class Pause:
    """A wait for the client; `ended_at` is None while it lasts. `worked` is working time."""

    started_at: datetime
    ended_at: datetime | None
    worked: timedelta


def used_time(
    calendar: Calendar, started_at: datetime, pauses: tuple[Pause, ...], now: datetime
) -> timedelta:
    """Working time since the start without that of the pauses."""
    waited = sum((pause.worked for pause in pauses), NOTHING)
    return max(NOTHING, working_between(calendar, started_at, now) - waited)


def share_used(revision: Revision, now: datetime, calendar: Calendar | None = None) -> float | None:
    """Which share of the time for the assessment is used, 1 at the due moment, more after it.

    None without a clock: a draft, or a letter that was ended before there were clocks.
    """
    clock = revision.clock
    if clock is None:
        return None
    calendar = calendar or calendar_now()
    at = min(now, clock.stopped_at) if clock.stopped_at else now
    used = used_time(calendar, clock.started_at, pauses_of(clock, now, calendar), at)
    return used / clock.target


def pauses_of(clock: Clock, now: datetime, calendar: Calendar) -> tuple[Pause, ...]:
    """Waits for the client, the earliest first; the last one may still last."""
    return tuple(_counted(row, now, calendar) for row in clock.pauses.all())


def _counted(row: ClockPause, now: datetime, calendar: Calendar) -> Pause:
    worked = row.worked
    if worked is None:
        worked = working_between(calendar, row.started_at, now)
    return Pause(row.started_at, row.ended_at, worked)


def due_if_answered_now(clock: Clock, now: datetime, calendar: Calendar) -> datetime:
    """When it is due; while it waits for the client, when it would be if the answer came now."""
    open_pause = next((p for p in pauses_of(clock, now, calendar) if p.ended_at is None), None)
    if open_pause is None:
        return clock.due_at
    return add_working(calendar, clock.due_at, open_pause.worked)
