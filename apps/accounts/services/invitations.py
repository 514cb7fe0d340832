"""The only way into an existing company, and into the staff."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.errors import AddressTaken, LinkSpent
from apps.accounts.models import Company, Invitation, Role, RoleGrant, User
from apps.accounts.services.letters import letter_queue
from apps.audit.services import record
from apps.core.errors import NotAllowed

OPEN_FOR: Final = timedelta(days=14)


@transaction.atomic
def invitation_create(
    *, company: Company, email: str, full_name: str = "", next_path: str = "", actor: User
) -> Invitation:
    """Invite a person to become a client of `company`; an open invitation is sent once more.

    Asked by the house (a manager or administrator), the person exists at once as a contact:
    `invitation.person`, inactive, without a password, who may own a requisition. Asked by a
    colleague, they exist when they accept: a client must not be able to occupy an address.

    With a `next_path` the letter says that a requisition waits, and accepting leads there.

    Whether the address has an account is said in the letter only, never to the inviting client.

    Raises:
        NotAllowed: `actor` neither works for the company nor manages clients.
        AddressTaken: asked by the house, the address belongs to an account elsewhere.
    """
    _may_invite(actor, company)
    email = email.strip().lower()
    person = _contact_of(company, email, full_name, by_house=_is_house(actor, company))
    invitation, made = Invitation.objects.get_or_create(
        company=company,
        email=email,
        accepted_at=None,
        revoked_at=None,
        defaults={
            "full_name": full_name,
            "roles": [Role.CLIENT.value],
            "language": actor.language,
            "invited_by": actor,
            "expires_at": timezone.now() + OPEN_FOR,
            "person": person,
            "next_path": next_path,
        },
    )
    if not made:
        _renew(invitation, person, next_path)
    record(
        actor=actor,
        action="account.invite" if made else "account.invite-again",
        subject=company,
        invitation=str(invitation.pk),
    )
    _send(invitation)
    return invitation


def contact_create(
    *, company: Company, email: str, full_name: str, next_path: str = "", actor: User
) -> User:
    """The person of `company` at this address, invited when they have no account yet.

    For the house: opening a requisition on a client's behalf needs an owner. A colleague who is
    there already is returned as they are, without a letter.

    Raises:
        NotAllowed, AddressTaken: as `invitation_create`.
    """
    there = User.objects.filter(email=email.strip().lower(), company=company).first()
    if there is not None and there.confirmed_at:
        _may_invite(actor, company)
        return there
    invitation = invitation_create(
        company=company, email=email, full_name=full_name, next_path=next_path, actor=actor
    )
    assert invitation.person is not None, "the house's invitations are for a contact"
    return invitation.person


def _is_house(actor: User, company: Company) -> bool:
    return actor.has_role(Role.MANAGER, Role.ADMINISTRATOR) and actor.company_id != company.pk


def _may_invite(actor: User, company: Company) -> None:
    colleague = actor.has_role(Role.CLIENT) and actor.company_id == company.pk
    if not actor.is_active or not (colleague or _is_house(actor, company)):
        raise NotAllowed(_("You cannot invite people to this company."))


def _contact_of(company: Company, email: str, full_name: str, *, by_house: bool) -> User | None:
    """The contact that the invitation is for: found, or made when the house asks."""
    person = User.objects.filter(email=email).first()
    if person is not None and person.company_id == company.pk and not person.confirmed_at:
        return person
    if not by_house:
        return None
    if person is not None:
        raise AddressTaken(
            _("This address has an account already. Ask the client for another one.")
        )
    return _contact_made(company, email, full_name)


def _contact_made(company: Company, email: str, full_name: str) -> User:
    try:
        with transaction.atomic():
            person = User.objects.create(
                email=email,
                full_name=full_name or email,
                company=company,
                password=make_password(None),
                is_active=False,
            )
    except IntegrityError:  # made by somebody else at this very moment
        raise AddressTaken(_("This address has got an account just now. Try again.")) from None
    RoleGrant.objects.create(user=person, role=Role.CLIENT)
    return person


def _renew(invitation: Invitation, person: User | None, next_path: str) -> None:
    invitation.expires_at = timezone.now() + OPEN_FOR
    invitation.person = person or invitation.person
    invitation.next_path = next_path or invitation.next_path
    invitation.save(update_fields=["expires_at", "person", "next_path"])


def invitations_lead_home(*, person: User) -> None:
    """Nothing waits for this contact any more: accepting leads to their own list."""
    Invitation.objects.open().filter(person=person).update(next_path="")


def _send(invitation: Invitation) -> None:
    letter_queue(
        "invitation",
        to=invitation.email,
        language=invitation.language,
        invitation=invitation.pk,
    )


@transaction.atomic
def staff_invite(*, email: str, full_name: str, roles: Collection[Role], actor: User) -> Invitation:
    """Invite somebody to the staff; the account is made when they accept.

    Raises:
        NotAllowed: `actor` is no administrator.
        AddressTaken: there is an account, which roles can be granted to instead.
    """
    if not actor.has_role(Role.ADMINISTRATOR):
        raise NotAllowed(_("Only an administrator invites staff."))
    email = email.strip().lower()
    if User.objects.filter(email=email).exists():
        raise AddressTaken(
            _("This address has an account already. Find it in the list and grant the roles there.")
        )
    if Invitation.objects.open().filter(company=None, email=email).exists():
        raise AddressTaken(
            _("This address is invited already. Send the invitation again, or revoke it first.")
        )
    invitation = Invitation.objects.create(
        email=email,
        full_name=full_name,
        roles=sorted(role.value for role in roles),
        language=actor.language,
        invited_by=actor,
        expires_at=timezone.now() + OPEN_FOR,
    )
    record(actor=actor, action="account.invite", subject=invitation, roles=invitation.roles)
    _send(invitation)
    return invitation


@transaction.atomic
def invitation_send_again(*, invitation: Invitation, actor: User) -> None:
    """The letter once more, with the full time to accept.

    Raises:
        LinkSpent: it was accepted or revoked meanwhile.
    """
    renewed = Invitation.objects.open().filter(pk=invitation.pk)
    if not renewed.update(expires_at=timezone.now() + OPEN_FOR):
        raise LinkSpent(_("This invitation was accepted or revoked meanwhile."))
    record(
        actor=actor,
        action="account.invite-again",
        subject=invitation.company or invitation,
        invitation=str(invitation.pk),
    )
    _send(invitation)


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, actor: User) -> None:
    """Its link opens nothing from now on; a contact that nothing refers to goes with it.

    Raises:
        LinkSpent: it was accepted or revoked meanwhile.
    """
    if not Invitation.objects.open().filter(pk=invitation.pk).update(revoked_at=timezone.now()):
        raise LinkSpent(_("This invitation was accepted or revoked meanwhile."))
    record(
        actor=actor,
        action="account.invite-revoke",
        subject=invitation.company or invitation,
        invitation=str(invitation.pk),
    )
    invitation.refresh_from_db()
    contact = invitation.person
    if contact is not None and not contact.confirmed_at:
        _let_go(invitation, contact)


def _let_go(invitation: Invitation, contact: User) -> None:
    Invitation.objects.filter(person=contact).update(person=None)
    try:
        with transaction.atomic():
            contact.delete()
    except ProtectedError:  # a requisition is theirs: the contact stays, and cannot sign in
        Invitation.objects.filter(pk=invitation.pk).update(person=contact)


def invitation_accept(
    *, invitation: Invitation, full_name: str, password: str, language: str
) -> User:
    """Make the account, or wake the contact, and spend the invitation. One winner of many.

    Raises:
        LinkSpent: accepted, revoked or expired.
        AddressTaken: the address got an account by another way. The caller proved to own it.
    """
    hashed = make_password(password)  # a fifth of a second: outside the transaction
    try:
        return _accept(invitation, full_name, hashed, language)
    except IntegrityError:
        raise AddressTaken(
            _("This address has an account already. Sign in with it instead.")
        ) from None


@transaction.atomic
def _accept(invitation: Invitation, full_name: str, hashed: str, language: str) -> User:
    taken = Invitation.objects.acceptable().filter(pk=invitation.pk)
    if not taken.update(accepted_at=timezone.now()):
        raise LinkSpent(_("This invitation was accepted or revoked, or its time is over."))
    invitation.refresh_from_db()
    person = invitation.person or User(email=invitation.email, company=invitation.company)
    if person.confirmed_at:
        raise LinkSpent(_("This invitation was accepted or revoked, or its time is over."))
    person.full_name, person.password, person.language = full_name, hashed, language
    person.language_chosen = True
    person.is_active, person.confirmed_at = True, timezone.now()
    person.save()
    for role in invitation.role_set:
        RoleGrant.objects.get_or_create(user=person, role=role)
    Invitation.objects.filter(pk=invitation.pk).update(person=person)
    record(
        actor=person,
        action="account.join",
        subject=invitation.company or person,
        invitation=str(invitation.pk),
    )
    return person
