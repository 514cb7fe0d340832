"""The engineer's morning: one mail a working day about what waits, and only when something does.

Hourly, from `settings.HOUSEKEEPING`. Any number of workers may do it at once: a person is told once
a day, see `announce`.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.notices.models import Notice
from apps.notices.services import announce
from apps.review.selectors import QueueFilter, queue_for
from apps.worktime.arithmetic import is_open
from apps.worktime.selectors import calendar_now

MORNING_ENDS_HOUR: Final = 12
COMMENTS: Final = ("comment", "client-comment", "note", "mention")
ANSWERS: Final = ("resubmitted",)


def digest_send() -> int:
    """Tell each engineer who has something to do. Returns how many were told."""
    now = timezone.now()
    if timezone.localtime(now).hour >= MORNING_ENDS_HOUR or not is_open(calendar_now(), now):
        return 0
    today = timezone.localdate(now)
    told = Notice.objects.filter(event="digest", occurrence=today.isoformat()).values("user")
    engineers = User.objects.filter(is_active=True, grants__role=Role.ENGINEER)
    return sum(_tell(person, today) for person in engineers.exclude(pk__in=told).distinct())


def _tell(engineer: User, today: date) -> bool:
    counts = counts_of(engineer)
    if not any(counts.values()):
        return False
    announce(
        event="digest",
        recipients=[engineer],
        actor=None,
        subject=engineer,
        params=counts,
        path=reverse("review:queue"),
        by_mail=True,
        occurrence=today.isoformat(),
    )
    return True


def counts_of(engineer: User) -> dict[str, int]:
    """What waits for the engineer: numbers only, because mails leave the house. Three queries."""
    unread = Notice.objects.filter(user=engineer, read_at=None)
    return {
        "free": queue_for(engineer, QueueFilter(whose="free")).count(),
        "today": queue_for(engineer, QueueFilter(whose="mine", due="today")).count(),
        **unread.aggregate(
            answered=Count("pk", filter=Q(event__in=ANSWERS)),
            comments=Count("pk", filter=Q(event__in=COMMENTS)),
        ),
    }
