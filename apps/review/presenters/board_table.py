"""The manager's board as a table for a spreadsheet: where requisitions stand, and no answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.review.presenters.lists import BoardRow


def board_table(rows: Sequence[BoardRow]) -> Iterator[list[str]]:
    """The heading and a line for each requisition."""
    yield [
        _("No."),
        _("Revision"),
        _("Client"),
        _("Contact"),
        _("State"),
        pgettext("requisition", "Since"),
        _("Due"),
        _("Overdue"),
        _("Engineer"),
        _("Last event"),
        _("Moment of the event"),
    ]
    for row in rows:
        yield [
            row.number,
            row.letter,
            row.client,
            row.owner,
            row.state,
            _moment(row.since),
            pgettext("clock", "paused") if row.paused else _moment(row.due_at),
            _("yes") if row.late else _("no"),
            row.engineer,
            row.event,
            _moment(row.event_at),
        ]


def _moment(moment: datetime | None) -> str:
    """As spreadsheets sort it, in the time of the house."""
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}" if moment else ""
