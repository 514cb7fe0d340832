"""Fields that several forms about people share, with errors that say how to mend them."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Role
from apps.accounts.names import plain_name


class EmailField(forms.EmailField):
    """An address as it is stored: without spaces around, in small letters."""

    def __init__(self, **kwargs: Any) -> None:
        autocomplete = kwargs.pop("autocomplete", "email")
        defaults: dict[str, Any] = {
            "label": _("E-mail"),
            "max_length": 254,
            "widget": forms.EmailInput(attrs={"autocomplete": autocomplete}),
            "error_messages": {
                "required": _("Write an e-mail address."),
                "invalid": _("Write the address in full, like name@company.ru."),
            },
        }
        super().__init__(**defaults | kwargs)

    def clean(self, value: Any) -> str:
        return str(super().clean(value)).lower()


def name_field(**kwargs: Any) -> forms.CharField:
    defaults: dict[str, Any] = {
        "label": _("First and last name"),
        "max_length": 150,
        "validators": [plain_name],
        "widget": forms.TextInput(attrs={"autocomplete": "name"}),
        "error_messages": {"required": _("Write the name: colleagues will see it.")},
    }
    return forms.CharField(**defaults | kwargs)


def password_field(**kwargs: Any) -> forms.CharField:
    """One that is known already."""
    defaults: dict[str, Any] = {
        "label": _("Password"),
        "strip": False,
        "widget": forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        "error_messages": {"required": _("Type the password.")},
    }
    return forms.CharField(**defaults | kwargs)


def language_field() -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Language of pages and letters"), choices=settings.LANGUAGES)


def roles_field(**kwargs: Any) -> forms.MultipleChoiceField:
    """The staff roles; that of a client comes with a company."""
    choices = [(role.value, ROLE_WORDS[role]) for role in ROLE_WORDS]
    defaults: dict[str, Any] = {
        "label": _("Roles"),
        "choices": choices,
        "widget": forms.CheckboxSelectMultiple,
    }
    return forms.MultipleChoiceField(**defaults | kwargs)


ROLE_WORDS = {
    Role.ENGINEER: _("Engineer: reviews requisitions, corrects values, asks clients"),
    Role.APPROVER: _("Approver: approves, returns or rejects what an engineer has prepared"),
    Role.MANAGER: _("Manager: follows requisitions, opens them for clients, hands out documents"),
    Role.ADMINISTRATOR: _("Administrator: people, roles and the catalog"),
}
