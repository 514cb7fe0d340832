"""What people change about themselves, and an administrator about others."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms.fields import (
    EmailField,
    language_field,
    name_field,
    password_field,
    roles_field,
)
from apps.accounts.models import Role, User
from apps.accounts.selectors import KINDS


class ProfileForm(forms.Form):
    full_name = name_field()
    language = language_field()


class EmailChangeForm(forms.Form):
    email = EmailField(
        label=_("New e-mail"),
        help_text=_("We will send a letter there. Until you confirm it, the old address stays."),
    )
    password = password_field(label=_("Your password"))

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if email == self.person.email:
            raise forms.ValidationError(_("This is your address now. Write the new one."))
        return email

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.person.check_password(password):
            raise forms.ValidationError(_("This is not your password. Type it once more."))
        return password


class InviteForm(forms.Form):
    """A colleague; they write their name themselves."""

    email = EmailField(label=_("Colleague's e-mail"), autocomplete="off")

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        there = User.objects.filter(
            company=self.person.company, email=email, confirmed_at__isnull=False
        )
        if there.exists():
            raise forms.ValidationError(_("This person is in your company already."))
        return email


class StaffInviteForm(forms.Form):
    email = EmailField(autocomplete="off")
    full_name = name_field(widget=forms.TextInput(attrs={"autocomplete": "off"}))
    roles = roles_field(error_messages={"required": _("Choose at least one role.")})

    def clean_roles(self) -> list[Role]:
        return [Role(value) for value in self.cleaned_data["roles"]]


class RolesForm(forms.Form):
    roles = roles_field(required=False)

    def clean_roles(self) -> list[Role]:
        return [Role(value) for value in self.cleaned_data["roles"]]


class PeopleForm(forms.Form):
    """The list's address: what is searched for, whom to show. Nonsense counts as nothing."""

    q = forms.CharField(max_length=100, required=False)
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)

    def chosen(self) -> tuple[str, str]:
        self.is_valid()
        return self.cleaned_data.get("q", ""), self.cleaned_data.get("kind", "")
