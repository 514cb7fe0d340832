"""Slowing down guesses of a password, and letters to people who did not ask for them."""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.models import Attempt

_KEPT_FOR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` tries within `window` (an hour at the most) for one key."""

    name: str
    count: int
    window: timedelta

    def key(self, *parts: str) -> str:
        text = "|".join((self.name, *(part.strip().lower() for part in parts)))
        return hashlib.sha256(text.encode()).hexdigest()


# Account and address together: a stranger must not lock a colleague out.
SIGN_IN: Final = Limit("sign-in", 10, timedelta(minutes=15))
# The password typed beside a confirmation link, by link.
CONFIRM: Final = Limit("confirm", 10, timedelta(minutes=15))
# Letters to one mailbox, whoever asks for them: sign-up, «send again», reset.
LETTERS: Final = Limit("letters", 5, timedelta(hours=1))
# Letters that one place asks for. An office behind one address has many people.
LETTERS_FROM: Final = Limit("letters-from", 60, timedelta(hours=1))
# Letters that one signed-in person makes us send: invitations, changes of address.
LETTERS_BY: Final = Limit("letters-by", 30, timedelta(hours=1))


def client_address(request: HttpRequest) -> str:
    """Where the request came from; behind a proxy, what the nearest proxy says."""
    if settings.TRUST_FORWARDED_FOR:
        nearest = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        if nearest:
            return nearest
    return str(request.META.get("REMOTE_ADDR", ""))


def is_blocked(limit: Limit, key: str) -> bool:
    since = timezone.now() - limit.window
    return Attempt.objects.filter(key=key, at__gte=since).count() >= limit.count


def record(key: str) -> None:
    Attempt.objects.filter(at__lt=timezone.now() - _KEPT_FOR).delete()
    Attempt.objects.create(key=key)


def clear(key: str) -> None:
    Attempt.objects.filter(key=key).delete()


def may_ask_for_letter(request: HttpRequest, email: str) -> bool:
    """Count one more letter for `email`; False when there were enough, known address or not."""
    keys = (
        (LETTERS, LETTERS.key(email)),
        (LETTERS_FROM, LETTERS_FROM.key(client_address(request))),
    )
    if any(is_blocked(limit, key) for limit, key in keys):
        return False
    for _limit, key in keys:
        record(key)
    return True


def may_send_letter(person_id: int) -> bool:
    """Count one more letter that a signed-in person causes; False when there were enough."""
    key = LETTERS_BY.key(str(person_id))
    if is_blocked(LETTERS_BY, key):
        return False
    record(key)
    return True
