"""People, companies, roles, and the ways in."""

from apps.accounts.models.entrance import PATH_MAX_CHARS, Attempt, EmailChange, Invitation, SignUp
from apps.accounts.models.people import STAFF_ROLES, Company, Role, RoleGrant, User

__all__ = [
    "PATH_MAX_CHARS",
    "STAFF_ROLES",
    "Attempt",
    "Company",
    "EmailChange",
    "Invitation",
    "Role",
    "RoleGrant",
    "SignUp",
    "User",
]
