"""What an administrator changes of the working calendar, each with its line in the journal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.audit import services as audit
from apps.core.errors import NotAllowed
from apps.worktime.arithmetic import Span
from apps.worktime.models import SpecialDay, Target, WeekDay
from apps.worktime.readers import DayLine
from apps.worktime.sizes import SizeClass


def _require(actor: User) -> None:
    if not actor.is_active or not actor.has_role(Role.ADMINISTRATOR):
        raise NotAllowed(_("Your role does not allow this step."))


def _hours(span: Span | None) -> dict[str, object]:
    return {"opens": span[0] if span else None, "closes": span[1] if span else None}


@transaction.atomic
def week_set(*, actor: User, week: Sequence[Span | None]) -> None:
    """Set the usual hours of Monday to Sunday."""
    _require(actor)
    for number, span in enumerate(week):
        row, _made = WeekDay.objects.update_or_create(weekday=number, defaults=_hours(span))
        audit.record(actor=actor, action="calendar.week", subject=row, hours=str(row))


@transaction.atomic
def days_set(*, actor: User, lines: Sequence[DayLine]) -> None:
    """Set days that are unlike their day of the week; what was said of a day before gives way."""
    _require(actor)
    for line in lines:
        row, _made = SpecialDay.objects.update_or_create(
            day=line.day, defaults={**_hours(line.span), "note": line.note}
        )
        audit.record(actor=actor, action="calendar.day", subject=row, hours=str(row))


@transaction.atomic
def day_forget(*, actor: User, day: date) -> None:
    """Take an administrator's word on a day back: what is shipped counts again."""
    _require(actor)
    row = SpecialDay.objects.filter(day=day).first()
    if row is not None:
        audit.record(actor=actor, action="calendar.forget", subject=row, hours=str(row))
        row.delete()


@transaction.atomic
def target_set(
    *, actor: User, size_class: SizeClass, first_look_hours: int, ready_hours: int
) -> None:
    """Set in how many working hours a class is to be done. Clocks that run keep theirs."""
    _require(actor)
    row, _made = Target.objects.update_or_create(
        size_class=size_class,
        defaults={"first_look_hours": first_look_hours, "ready_hours": ready_hours},
    )
    audit.record(
        actor=actor,
        action="calendar.target",
        subject=row,
        first_look_hours=first_look_hours,
        ready_hours=ready_hours,
    )
