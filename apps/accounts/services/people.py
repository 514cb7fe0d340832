"""What an administrator does to people. The house never loses its last administrator."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.errors import LastAdministrator
from apps.accounts.models import STAFF_ROLES, Invitation, Role, RoleGrant, User
from apps.audit.services import record
from apps.core.errors import Conflict, NotAllowed


@transaction.atomic
def roles_set(*, person: User, roles: Collection[Role], actor: User) -> None:
    """Make `roles` the staff roles of the person; the role of a client comes with the company.

    Raises:
        NotAllowed: `actor` is no administrator, or the last one would go.
    """
    _lock_administrators()
    _only_administrator(actor)
    wanted = frozenset(roles) & STAFF_ROLES
    held = {Role(r) for r in person.grants.values_list("role", flat=True)} & STAFF_ROLES
    granted, revoked = wanted - held, held - wanted
    if Role.ADMINISTRATOR in revoked:
        _somebody_else_stays(person)
    RoleGrant.objects.filter(user=person, role__in=revoked).delete()
    RoleGrant.objects.bulk_create(RoleGrant(user=person, role=role) for role in sorted(granted))
    for action, changed in (("account.grant", granted), ("account.revoke", revoked)):
        if changed:
            record(actor=actor, action=action, subject=person, roles=sorted(changed))


@transaction.atomic
def person_switch_off(*, person: User, actor: User) -> None:
    """They can do nothing from now on, in no session; what they did stays.

    Whom they were about to let in among their own people stays outside.

    Raises:
        NotAllowed: oneself, or the last administrator.
        Conflict: it is a contact, or switched off already.
    """
    _lock_administrators()
    _only_administrator(actor)
    if person.pk == actor.pk:
        raise NotAllowed(_("You cannot switch yourself off. Ask another administrator."))
    if person.grants.filter(role=Role.ADMINISTRATOR).exists():
        _somebody_else_stays(person)
    switched = User.objects.filter(pk=person.pk, is_active=True).update(
        is_active=False, session_epoch=F("session_epoch") + 1
    )
    if not switched:
        raise Conflict(_("This person is not switched on."))
    theirs = Invitation.objects.open().filter(invited_by=person, company=person.company)
    theirs.update(revoked_at=timezone.now())
    record(actor=actor, action="account.switch-off", subject=person)


@transaction.atomic
def person_switch_on(*, person: User, actor: User) -> None:
    """Raises:
    NotAllowed: `actor` is no administrator.
    Conflict: the person is on, or has never confirmed the address.
    """
    _only_administrator(actor)
    off = User.objects.filter(pk=person.pk, is_active=False, confirmed_at__isnull=False)
    if not off.update(is_active=True):
        raise Conflict(_("This person is not switched off."))
    record(actor=actor, action="account.switch-on", subject=person)


def _lock_administrators() -> None:
    """Two who take the role from each other at once must not both succeed."""
    list(RoleGrant.objects.select_for_update().filter(role=Role.ADMINISTRATOR))


def _only_administrator(actor: User) -> None:
    """Asked afresh: the actor may have lost the role while waiting for the lock."""
    holds = RoleGrant.objects.filter(
        user=actor, role=Role.ADMINISTRATOR, user__is_active=True
    ).exists()
    if not holds:
        raise NotAllowed(_("Only an administrator changes people and roles."))


def _somebody_else_stays(person: User) -> None:
    others = RoleGrant.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True)
    if person.is_active and not others.exclude(user=person).exists():
        raise LastAdministrator
