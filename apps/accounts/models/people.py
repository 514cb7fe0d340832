"""People, the companies they work for, and what they may do."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from apps.core.searching import folded


class Role(models.TextChoices):
    CLIENT = "client", _("client")
    ENGINEER = "engineer", _("engineer")
    APPROVER = "approver", _("approver")
    MANAGER = "manager", _("manager")
    ADMINISTRATOR = "administrator", _("administrator")


STAFF_ROLES = frozenset({Role.ENGINEER, Role.APPROVER, Role.MANAGER, Role.ADMINISTRATOR})


class Company(models.Model):
    """A client's organisation. Its people see each other's requisitions.

    Two may bear one name: whoever signs up makes a company of their own, and only an invitation
    leads into an existing one. So a name never finds a company; its row does.
    """

    name = models.CharField(_("company"), max_length=200)
    search_text = models.TextField(default="", editable=False)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = folded(self.name)
        super().save(*args, **kwargs)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Make a person whose address needs no confirmation: an administrator vouches for it."""
        defaults = {"confirmed_at": timezone.now()}
        user = self.model(email=self.normalize_email(email).lower(), **defaults | fields)
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
    """A person, known by e-mail.

    Without `confirmed_at` it is a contact: a colleague or the house named them, so a requisition
    may be theirs, but nobody has come in through the link that was sent to the address. A contact
    is inactive; a confirmed person is inactive when an administrator switched them off.
    """

    email = models.EmailField(_("e-mail"), unique=True)
    full_name = models.CharField(_("name"), max_length=150)
    company = models.ForeignKey(
        Company, on_delete=models.PROTECT, null=True, blank=True, related_name="people"
    )
    language = models.CharField(max_length=2, default="ru")  # of letters, and of pages once chosen
    language_chosen = models.BooleanField(default=False)  # until then it follows the browser
    is_active = models.BooleanField(default=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    session_epoch = models.PositiveIntegerField(default=0)  # a step ends every open session
    search_text = models.TextField(default="", editable=False)
    date_joined = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["full_name"]

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_active=False) | models.Q(confirmed_at__isnull=False),
                name="active_person_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return self.full_name or self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = folded(f"{self.full_name} {self.email}")
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "search_text"}
        super().save(*args, **kwargs)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What every open session is checked against: the password and the epoch."""
        return salted_hmac(
            "apps.accounts.session",
            f"{self.session_epoch}:{self.password}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()

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
