"""Telling people, and noting that they have read it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import subject_key
from apps.mail.services import mail_queue
from apps.notices.models import MailChoice, Notice
from apps.notices.wording import EVENTS, TOPICS, words_of
from apps.worktime.selectors import next_working_moment

PURGED_AT_ONCE = 500


@transaction.atomic
def announce(
    *,
    event: str,
    recipients: Iterable[User],
    actor: User | None,
    subject: models.Model,
    params: Mapping[str, Any],
    path: str,
    by_mail: bool,
    occurrence: str = "",
) -> None:
    """Tell people about an event, in the caller's transaction: rolled back, nobody was told.

    Each person is told once of an event, subject and occurrence, however often this is called. A
    contact without an account finds the notice when they join, and gets no mail: the invitation is
    theirs. Whoever was switched off is not told.

    Args:
        event: a key of `wording.EVENTS`.
        actor: who did it and needs not be told; None tells everybody.
        params: what the words need: number, letters. No answers, nothing internal.
        path: the page where the person goes on, without the host.
        by_mail: write a mail beside the notice, in the person's language.
        occurrence: tells the same event of the same subject at another time.

    Raises:
        KeyError: the event has no words, or they lack a parameter.
        ValueError: the path leads elsewhere.
    """
    words_of(event, params)
    if not path.startswith("/") or path.startswith(("//", "/\\")):
        raise ValueError(f"not a page of ours: {path!r}")
    reached = [p for p in recipients if p.is_active or p.confirmed_at is None]
    told = {p.pk: p for p in reached if actor is None or p.pk != actor.pk}
    rows = [
        Notice(
            user=person,
            event=event,
            subject=subject_key(subject),
            occurrence=occurrence,
            params=dict(params),
            path=path,
        )
        for person in told.values()
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if by_mail:
        _write([row for row in rows if row.user.is_active])


def _write(rows: list[Notice]) -> None:
    """Mails for the notices that are new: a row that was told before has another id.

    Without those that the person switched off; what can wait is held until people work.
    """
    choices = {
        choice.user_id: choice
        for choice in MailChoice.objects.filter(user__in=[r.user for r in rows])
    }
    new = set(Notice.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    for row in rows:
        topic = EVENTS[row.event].topic
        choice = choices.get(row.user_id)
        if row.pk in new and not (choice and topic in choice.off):
            mail_queue(
                key=f"notice:{row.pk}",
                to=row.user.email,
                language=row.user.language,
                template="notice",
                params={"notice": row.pk},
                not_before=_held_until(topic, choice),
            )


def _held_until(topic: str, choice: MailChoice | None) -> datetime | None:
    """None: at once. Whatever nobody can do without does not wait for the morning."""
    if not topic or not settings.QUIET_MAIL or (choice is not None and not choice.quiet):
        return None
    now = timezone.now()
    moment = next_working_moment(now)
    return None if moment <= now else moment


@transaction.atomic
def mail_choose(*, user: User, off: Iterable[str], quiet: bool) -> None:
    """Note which mails a person does without; what is no topic is left out."""
    topics = [topic for topic in TOPICS if topic in set(off)]
    MailChoice.objects.update_or_create(user=user, defaults={"off": topics, "quiet": quiet})


def notice_read(notice: Notice) -> None:
    """Note when it was read first."""
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())


def notices_read(*, user: User, until: datetime) -> int:
    """Note that everything up to this moment was read; what came later stays unread."""
    unread = Notice.objects.filter(user=user, read_at=None, created_at__lte=until)
    return unread.update(read_at=timezone.now())


def notices_purge() -> int:
    """Delete notices older than `settings.NOTICES_KEPT_DAYS` days, read or not."""
    before = timezone.now() - timedelta(days=settings.NOTICES_KEPT_DAYS)
    old = Notice.objects.filter(created_at__lt=before).order_by()
    count = 0
    while found := list(old.values_list("pk", flat=True)[:PURGED_AT_ONCE]):
        count += Notice.objects.filter(pk__in=found).delete()[0]
    return count
