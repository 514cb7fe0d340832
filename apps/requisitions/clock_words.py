"""The clock in words: for the client simple ones, for the house with the log of pauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from apps.core import formatting
from apps.requisitions.clocks import Pause, due_if_answered_now, pauses_of, share_used
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from apps.worktime.arithmetic import Calendar, working_days
from apps.worktime.selectors import calendar_now, read_at

_ON_WEEKDAY: Final[Mapping[int, Promise]] = {
    0: pgettext_lazy("opening", "on Monday"),
    1: pgettext_lazy("opening", "on Tuesday"),
    2: pgettext_lazy("opening", "on Wednesday"),
    3: pgettext_lazy("opening", "on Thursday"),
    4: pgettext_lazy("opening", "on Friday"),
    5: pgettext_lazy("opening", "on Saturday"),
    6: pgettext_lazy("opening", "on Sunday"),
}
_WITHIN_A_WEEK: Final = timedelta(days=6)
_READ: Final = frozenset({State.ESTIMATING, State.IN_REVIEW})


def client_words(revision: Revision, now: datetime) -> list[str]:
    """What the client is told of time: by when, since when we wait for them, when we read."""
    clock = revision.clock
    if clock is None or clock.stopped_at is not None:
        return []
    calendar = calendar_now()
    pauses = pauses_of(clock, now, calendar)
    if revision.state == State.CHANGES_REQUESTED and pauses:
        return [_waiting(pauses, calendar), _if_answered(due_if_answered_now(clock, now, calendar))]
    if revision.due_at is None:
        return []
    said = [_shifted(pauses, calendar)] if pauses else []
    if revision.due_at >= now:  # it takes longer than usual: no new day is promised
        day = formatting.day(revision.due_at)
        said.insert(0, _("Usually the assessment is there by %(day)s.") % {"day": day})
    opening = read_at(calendar, now) if revision.state in _READ else None
    if opening is not None and revision.engineer_id is None:
        said.append(_("We will read it %(when)s.") % {"when": opening_words(opening, now)})
    return [text for text in said if text]


def opening_words(opening: datetime, now: datetime) -> str:
    """«в понедельник с 9:00»; with the date when that is more than a week away."""
    local = timezone.localtime(opening)
    at = formatting.clock(local)
    if opening - now > _WITHIN_A_WEEK:
        return _("on %(day)s from %(time)s") % {"day": formatting.day(local), "time": at}
    weekday = _ON_WEEKDAY[local.weekday()]
    return _("%(weekday)s from %(time)s") % {"weekday": weekday, "time": at}


def _waiting(pauses: tuple[Pause, ...], calendar: Calendar) -> str:
    since = formatting.day(pauses[-1].started_at)
    shifted = _days_shifted(pauses, calendar)
    if not shifted:
        return _("We have been waiting for you since %(day)s.") % {"day": since}
    return ngettext(
        "We have been waiting for you since %(day)s; the date has moved by %(days)s working day.",
        "We have been waiting for you since %(day)s; the date has moved by %(days)s working days.",
        shifted,
    ) % {"day": since, "days": shifted}


def _shifted(pauses: tuple[Pause, ...], calendar: Calendar) -> str:
    days = _days_shifted(pauses, calendar)
    if not days:
        return ""
    return ngettext(
        "The date has moved by %(days)s working day while we waited for your answers.",
        "The date has moved by %(days)s working days while we waited for your answers.",
        days,
    ) % {"days": days}


def _days_shifted(pauses: tuple[Pause, ...], calendar: Calendar) -> int:
    return working_days(calendar, sum((p.worked for p in pauses), timedelta(0)))


def _if_answered(due: datetime) -> str:
    return _("If you answer now, the assessment is usually there by %(day)s.") % {
        "day": formatting.day(due)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSheet:
    """The clock for the house: `pauses` with the working hours that each took."""

    size: str
    started_at: datetime
    due_at: datetime
    paused: bool
    stopped_at: datetime | None
    used: float
    target_hours: float
    pauses: tuple[tuple[Pause, float], ...]


def clock_sheet(revision: Revision, now: datetime) -> ClockSheet | None:
    """None for a revision without a clock."""
    clock = revision.clock
    if clock is None:
        return None
    calendar = calendar_now()
    pauses = pauses_of(clock, now, calendar)
    return ClockSheet(
        size=clock.get_size_class_display(),
        started_at=clock.started_at,
        due_at=due_if_answered_now(clock, now, calendar),
        paused=any(pause.ended_at is None for pause in pauses),
        stopped_at=clock.stopped_at,
        used=share_used(revision, now, calendar) or 0,
        target_hours=_hours(clock.target),
        pauses=tuple((pause, _hours(pause.worked)) for pause in pauses),
    )


def _hours(amount: timedelta) -> float:
    return amount / timedelta(hours=1)
