"""What the sweeper does by the clock: warns of time that runs out, frees what nobody works on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.audit import services as audit
from apps.audit.models import AuditEvent
from apps.audit.services import subject_key
from apps.notices.services import announce
from apps.requisitions.announcements import params_of, with_role
from apps.requisitions.clocks import share_used
from apps.requisitions.models import Presence, Revision
from apps.requisitions.workflow import State
from apps.worktime.arithmetic import Calendar, working_between
from apps.worktime.selectors import calendar_now

NEARLY_OVER: Final = 0.8
PRESENCE_KEPT: Final = timedelta(hours=1)
_AT_WORK: Final = (State.IN_REVIEW, State.IN_APPROVAL)


def keep_time() -> int:
    """Warn, free what lies idle, forget who looked. Any number may do it at once. Returns how many
    requisitions went back into the queue."""
    now, calendar = timezone.now(), calendar_now()
    Presence.objects.filter(seen_at__lt=now - PRESENCE_KEPT).delete()
    rows = Revision.objects.filter(state__in=_AT_WORK, due_at__isnull=False)
    for revision in rows.select_related("clock", "requisition", "engineer").iterator():
        _warn(revision, share_used(revision, now, calendar) or 0)
    return _free_idle(now, calendar)


def _warn(revision: Revision, used: float) -> None:
    """Once a due moment: of one that a pause has moved it is told anew."""
    if used < NEARLY_OVER:
        return
    over = used >= 1
    engineer = revision.engineer
    people = [engineer] if engineer else with_role(Role.ENGINEER)
    _tell(revision, "time-over" if over else "time-nearly-over", people, mailed=bool(engineer))
    if over:
        _tell(revision, "time-over", with_role(Role.APPROVER), mailed=True)
    managers = with_role(Role.MANAGER)
    _tell(revision, "time-over" if over else "time-nearly-over", managers, mailed=False)


def _tell(revision: Revision, event: str, people: list[User], *, mailed: bool) -> None:
    due = revision.due_at
    announce(
        event=event,
        recipients=people,
        actor=None,
        subject=revision,
        params=params_of(revision),
        path=reverse("review:workspace", args=[revision.pk]),
        by_mail=mailed,
        occurrence=due.isoformat() if due else "",
    )


def _free_idle(now: datetime, calendar: Calendar) -> int:
    """Only in review: what waits for the client or an approver is not the engineer's to move."""
    if settings.RETURN_AFTER_WORKING_HOURS <= 0:
        return 0
    allowed = timedelta(hours=settings.RETURN_AFTER_WORKING_HOURS)
    taken = Revision.objects.filter(state=State.IN_REVIEW, engineer__isnull=False)
    rows = taken.select_related("requisition", "engineer")
    return sum(
        _free(revision)
        for revision in rows
        if working_between(calendar, _last_deed(revision), now) >= allowed
    )


def _last_deed(revision: Revision) -> datetime:
    """When its engineer last did something to it, or when it came into review."""
    events = AuditEvent.objects.filter(subject=subject_key(revision), actor=revision.engineer)
    last = events.order_by("-seq").values_list("at_text", flat=True).first()
    deed = datetime.fromisoformat(last) if last else revision.state_since
    return max(deed, revision.state_since)


@transaction.atomic
def _free(revision: Revision) -> bool:
    idle = Revision.objects.filter(
        pk=revision.pk, state=State.IN_REVIEW, engineer=revision.engineer
    )
    if not idle.update(engineer=None):
        return False
    audit.record(actor=None, action="requisition.auto-return", subject=revision)
    engineer = revision.engineer
    assert engineer is not None, "only what somebody has is freed"
    _tell(revision, "auto-returned", [engineer], mailed=True)
    return True
