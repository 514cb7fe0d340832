"""Days of a calendar as people write them, a line a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from django.utils.translation import gettext as _

from apps.core.errors import DomainError
from apps.worktime.arithmetic import Span

MOST_LINES: Final = 400
NOTE_MAX_CHARS: Final = 200
_LINE: Final = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:\s+(\d\d?:\d\d)\s*[-–—]\s*(\d\d?:\d\d))?(?:\s+(\S.*))?"
)


@dataclass(frozen=True, slots=True)
class DayLine:
    """A day, its hours (None: a day off) and why."""

    day: date
    span: Span | None
    note: str


def read_span(opens: str, closes: str) -> Span:
    """Raises:
    ValueError: no times, or in the wrong order.
    """
    first, last = (time.fromisoformat(text.zfill(5)) for text in (opens, closes))
    if first >= last:
        raise ValueError(opens)
    return first, last


def read_days(text: str) -> list[DayLine]:
    """A list of a year: `2027-01-11 Day off` or `2027-12-30 9:00-17:00 Short day`.

    Raises:
        DomainError: names the first line that cannot be read.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        raise DomainError(_("At most %(count)s days at a time.") % {"count": MOST_LINES})
    return [_read_line(line) for line in lines]


def _read_line(line: str) -> DayLine:
    found = _LINE.fullmatch(line)
    if found is None:
        raise _unreadable(line)
    year, month, day, opens, closes, note = found.groups()
    try:
        span = read_span(opens, closes) if opens else None
        return DayLine(date(int(year), int(month), int(day)), span, (note or "")[:NOTE_MAX_CHARS])
    except ValueError as problem:
        raise _unreadable(line) from problem


def _unreadable(line: str) -> DomainError:
    return DomainError(
        _("This line cannot be read: “%(line)s”. Write it as 2027-12-30 9:00-17:00 Short day.")
        % {"line": line[:60]}
    )
