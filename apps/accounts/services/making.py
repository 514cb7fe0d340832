"""Making people and companies."""

from collections.abc import Iterable

from django.db import transaction

from apps.accounts.models import Company, Role, RoleGrant, User
from apps.audit.services import record


@transaction.atomic
def user_create(
    *,
    email: str,
    full_name: str,
    password: str | None,
    roles: Iterable[Role],
    company: Company | None = None,
    language: str = "ru",
) -> User:
    """Create a person with their roles. Without a password they cannot sign in yet."""
    user = User.objects.create_user(
        email, password, full_name=full_name, company=company, language=language
    )
    RoleGrant.objects.bulk_create(RoleGrant(user=user, role=role) for role in roles)
    return user


@transaction.atomic
def company_create(*, name: str, actor: User) -> Company:
    """A new client of the house; its first contact comes by `invitations.contact_create`."""
    company = Company.objects.create(name=name)
    record(actor=actor, action="account.company", subject=company)
    return company
