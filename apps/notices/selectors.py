"""Reading notices: always a person's own."""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from apps.accounts.models import Role, User
from apps.notices.models import MailChoice, Notice
from apps.notices.wording import TOPICS, Text

UNREAD_SHOWN_MAX = 99


def notices_for(user: User) -> QuerySet[Notice]:
    """What the person was told, newest first."""
    return Notice.objects.filter(user=user)


def notice_get_for(user: User, notice_id: UUID) -> Notice:
    """Return one of the person's notices, or raise Http404."""
    return get_object_or_404(notices_for(user), pk=notice_id)


def mail_choice_of(user: User) -> tuple[frozenset[str], bool]:
    """Topics whose mails the person does without, and whether the rest waits for working hours."""
    choice = MailChoice.objects.filter(user=user).first()
    return (frozenset(choice.off), choice.quiet) if choice else (frozenset(), True)


def topics_for(user: User) -> dict[str, Text]:
    """What the person may switch the mails of off: engineers alone have a morning of the queue."""
    engineer = user.has_role(Role.ENGINEER)
    return {topic: name for topic, name in TOPICS.items() if topic != "digest" or engineer}


def unread_count(user: User) -> int:
    """How many the person has not read; counting stops one above what the bell shows."""
    unread = notices_for(user).filter(read_at=None).order_by()
    return unread[: UNREAD_SHOWN_MAX + 1].count()
