"""What people change about themselves."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.errors import LinkSpent
from apps.accounts.models import EmailChange, User
from apps.accounts.services.letters import letter_queue
from apps.audit.services import record

CHANGE_OPEN_FOR: Final = timedelta(days=1)


def profile_save(*, person: User, full_name: str, language: str) -> None:
    person.full_name, person.language, person.language_chosen = full_name, language, True
    person.save(update_fields=["full_name", "language", "language_chosen"])


def language_set(*, person: User, language: str) -> None:
    """The person chose the language of their pages; their letters follow."""
    User.objects.filter(pk=person.pk).update(language=language, language_chosen=True)


def language_seen(*, person: User, language: str) -> None:
    """The person works in this language without having chosen one; their letters follow."""
    waiting = User.objects.filter(pk=person.pk, language_chosen=False)
    waiting.exclude(language=language).update(language=language)


@transaction.atomic
def reset_letter_queue(*, email: str, language: str) -> None:
    """Does the same whatever is known of the address; the letter says what is the case."""
    letter_queue("password-reset", to=email, language=language)


def password_set(*, person: User, password: str, action: str) -> None:
    """A new password: every other session ends, and a letter tells the owner of the address.

    Args:
        action: `account.password` (they knew the old one) or `account.reset`.
    """
    hashed = make_password(password)  # a fifth of a second: outside the transaction
    with transaction.atomic():
        person.password = hashed
        person.save(update_fields=["password"])
        record(actor=person, action=action, subject=person)
        letter_queue("password-changed", to=person.email, language=person.language)


@transaction.atomic
def sessions_end(*, person: User) -> None:
    """End every session of the person, also the one that asks for it."""
    User.objects.filter(pk=person.pk).update(session_epoch=F("session_epoch") + 1)
    person.refresh_from_db(fields=["session_epoch"])
    record(actor=person, action="account.sign-out-everywhere", subject=person)


@transaction.atomic
def email_change_ask(*, person: User, email: str) -> EmailChange:
    """Send a link to the new address; the old one stays until the link is used."""
    row = EmailChange.objects.create(
        user=person,
        email=email,
        old_email=person.email,
        expires_at=timezone.now() + CHANGE_OPEN_FOR,
    )
    letter_queue("email-change", to=email, language=person.language, change=row.pk)
    return row


def email_change_confirm(*, change: EmailChange) -> User:
    """The person is known by the new address; the old one gets a letter.

    Raises:
        LinkSpent: used, too old, or the address has another account meanwhile.
    """
    spent = _("This link has done its work or is too old.")
    try:
        with transaction.atomic():
            return _change(change, spent)
    except IntegrityError:
        raise LinkSpent(spent) from None


def _change(change: EmailChange, spent: str) -> User:
    taken = EmailChange.objects.filter(
        pk=change.pk, done_at=None, expires_at__gt=timezone.now(), user__email=change.old_email
    ).update(done_at=timezone.now())
    if not taken:
        raise LinkSpent(spent)
    person = User.objects.get(pk=change.user_id)
    person.email = change.email
    person.save(update_fields=["email"])
    record(actor=person, action="account.address", subject=person)
    letter_queue("email-changed", to=change.old_email, language=person.language, change=change.pk)
    return person
