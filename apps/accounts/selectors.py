"""People and invitations, always for somebody who may see them."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.accounts.models import STAFF_ROLES, Invitation, Role, User
from apps.core.searching import search_words

KINDS = ("", "staff", "clients", "off")


def colleagues_of(user: User) -> QuerySet[User]:
    """The people of the user's own company who have come in, by name."""
    if not user.has_role(Role.CLIENT) or user.company_id is None:
        return User.objects.none()
    return User.objects.filter(
        company_id=user.company_id, confirmed_at__isnull=False, is_active=True
    ).order_by("full_name", "pk")


def invitations_for(user: User) -> QuerySet[Invitation]:
    """Open invitations that the user may send again or revoke.

    Clients: into their company. Managers: those they made. Administrators: all.
    """
    seen = Q(pk__in=[])
    if user.has_role(Role.CLIENT) and user.company_id:
        seen |= Q(company_id=user.company_id)
    if user.has_role(Role.MANAGER):
        seen |= Q(invited_by=user)
    if user.has_role(Role.ADMINISTRATOR):
        seen = ~Q(pk__in=[])
    return Invitation.objects.open().filter(seen).select_related("company", "invited_by")


def invitation_get_for(user: User, invitation_id: UUID) -> Invitation:
    return get_object_or_404(invitations_for(user), pk=invitation_id)


def people_for(user: User, *, search: str = "", kind: str = "") -> QuerySet[User]:
    """Everybody, for an administrator; people of the house before clients, then by name.

    Args:
        search: words of the name, the address or the company, in any case.
        kind: one of `KINDS`.
    """
    if not user.has_role(Role.ADMINISTRATOR):
        return User.objects.none()
    rows = User.objects.select_related("company").prefetch_related("grants")
    for word in search_words(search):
        rows = rows.filter(Q(search_text__contains=word) | Q(company__search_text__contains=word))
    if kind == "staff":
        rows = rows.filter(grants__role__in=STAFF_ROLES).distinct()
    if kind == "clients":
        rows = rows.filter(grants__role=Role.CLIENT)
    if kind == "off":
        rows = rows.filter(is_active=False, confirmed_at__isnull=False)
    return rows.order_by("company__name", "full_name", "pk")


def person_get_for(user: User, number: int) -> User:
    """One person for an administrator; nobody for everybody else.

    Raises:
        Http404: no such person, or the user is no administrator.
    """
    if not user.has_role(Role.ADMINISTRATOR):
        raise Http404
    return get_object_or_404(User.objects.select_related("company"), pk=number)


def has_account(email: str) -> bool:
    """For whoever has shown that the address is theirs, and for nobody else."""
    return User.objects.filter(email=email, confirmed_at__isnull=False).exists()
