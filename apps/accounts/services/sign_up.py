"""A new client of their own accord: asks, gets a letter, confirms."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.hashers import check_password, make_password
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.errors import LinkSpent, WrongPassword
from apps.accounts.models import Company, Role, RoleGrant, SignUp, User
from apps.accounts.services.letters import letter_queue
from apps.audit.services import record

OPEN_FOR: Final = timedelta(days=3)
KEPT_FOR: Final = timedelta(days=30)  # so that a late click is told what happened
_COMPARED: Final = 5


def sign_up_ask(
    *,
    email: str,
    full_name: str,
    company_name: str,
    password: str,
    language: str,
    next_path: str = "",
) -> SignUp:
    """Note the wish and send a letter. Does the same work whatever is known of the address.

    Args:
        next_path: the page of ours that the person was on the way to.
    """
    hashed = make_password(password)  # a fifth of a second: outside the transaction
    with transaction.atomic():
        row = SignUp.objects.create(
            email=email,
            full_name=full_name,
            company_name=company_name,
            password=hashed,
            language=language,
            next_path=next_path,
            expires_at=timezone.now() + OPEN_FOR,
        )
        letter_queue("sign-up", to=email, language=language)
    return row


@transaction.atomic
def sign_up_letter_again(*, email: str, language: str) -> None:
    """The letter once more; to an address that nobody signed up with it says just that."""
    letter_queue("sign-up", to=email, language=language)


def waiting_sign_ups(email: str) -> list[SignUp]:
    """Sign-ups of an address that may still be confirmed, the latest first."""
    rows = SignUp.objects.filter(email=email, expires_at__gt=timezone.now()).exclude(password="")
    return list(rows.order_by("-created_at")[:_COMPARED])


def sign_up_confirm(*, link: SignUp, password: str) -> tuple[User, str]:
    """Make person and company; also the page that they were on the way to, "" for none. Of the sign-ups that wait for the address, the password tells which.

    Raises:
        LinkSpent: the address has an account already, or the time is over.
        WrongPassword: none of the sign-ups has this password.
    """
    waiting = waiting_sign_ups(link.email)
    if not link.is_open or not waiting:
        raise LinkSpent(_("This link has done its work or is too old."))
    chosen = next((row for row in waiting if check_password(password, row.password)), None)
    if chosen is None:
        raise WrongPassword(
            _("This is not the password that you chose when signing up. Try again.")
        )
    try:
        return _make(chosen), chosen.next_path
    except IntegrityError:  # confirmed twice at once, or the house made the account meanwhile
        raise LinkSpent(_("This link has done its work or is too old.")) from None


@transaction.atomic
def _make(row: SignUp) -> User:
    company = Company.objects.create(name=row.company_name)
    person = User.objects.create(
        email=row.email,
        full_name=row.full_name,
        password=row.password,
        company=company,
        language=row.language,
        language_chosen=True,
        confirmed_at=timezone.now(),
    )
    RoleGrant.objects.create(user=person, role=Role.CLIENT)
    SignUp.objects.filter(email=row.email).update(password="")
    record(actor=person, action="account.sign-up", subject=person, company=company.pk)
    return person
