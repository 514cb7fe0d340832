"""People, the companies they work for, and what they may do."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    CLIENT = "client", _("client")
    ENGINEER = "engineer", _("engineer")
    APPROVER = "approver", _("approver")
    MANAGER = "manager", _("manager")
    ADMINISTRATOR = "administrator", _("administrator")


STAFF_ROLES = frozenset({Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR})


class Company(models.Model):
    """A client's organisation. Its people see each other's requisitions."""

    name = models.CharField(max_length=200, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """The first administrator: `manage.py createsuperuser`. Roles make the difference."""
        user = self.create_user(email, password, **fields)
        RoleGrant.objects.create(user=user, role=Role.ADMINISTRATOR)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser):
    """A person, known by e-mail."""

    email = models.EmailField(_("e-mail"), unique=True)
    full_name = models.CharField(_("name"), max_length=150)
    company = models.ForeignKey(
        Company, on_delete=models.PROTECT, null=True, blank=True, related_name="people"
    )
    language = models.CharField(max_length=2, default="ru")
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["full_name"]

    objects: ClassVar[UserManager] = UserManager()

    def __str__(self) -> str:
        return self.full_name or self.email

    @cached_property
    def roles(self) -> frozenset[Role]:
        """Everything this person is. One query, then remembered on the object."""
        return frozenset(Role(grant.role) for grant in self.grants.all())

    def has_role(self, *roles: Role) -> bool:
        return not self.roles.isdisjoint(roles)

    @property
    def is_staff_member(self) -> bool:
        """Works for the integrator, not for a client."""
        return not self.roles.isdisjoint(STAFF_ROLES)


class RoleGrant(models.Model):
    """One role of one person."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "role"], name="one_grant_a_role"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="grant_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class FailedSignIn(models.Model):
    """One wrong password, kept for minutes. `key` is a hash: no address, no e-mail."""

    key = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.key[:8]} at {self.at}"
