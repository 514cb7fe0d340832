"""Django's own forms for passwords; what they do is a service of ours."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from apps.accounts import services
from apps.accounts.forms.fields import EmailField, password_field
from apps.accounts.models import User


class ResetForm(PasswordResetForm):
    """Asks for a letter. Whether the address is known, only the letter says."""

    email = EmailField(autocomplete="username")

    def save(self, *args: Any, **kwargs: Any) -> None:
        services.reset_letter_queue(email=self.cleaned_data["email"], language=get_language() or "")


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password through the link of a letter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_them(self)

    def save(self, commit: bool = True) -> User:
        password = self.cleaned_data["new_password1"]
        person: User = self.user
        services.password_set(person=person, password=password, action="account.reset")
        return person


class ChangePasswordForm(PasswordChangeForm):
    """A new password for whoever knows the old one."""

    old_password = password_field(label=_("The password now"))
    error_messages = PasswordChangeForm.error_messages | {
        "password_incorrect": _("This is not your password now. Type it once more."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_them(self)

    def save(self, commit: bool = True) -> User:
        password = self.cleaned_data["new_password1"]
        person: User = self.user
        services.password_set(person=person, password=password, action="account.password")
        return person


def _name_them(form: forms.Form) -> None:
    form.fields["new_password1"].label = _("New password")
    form.fields["new_password2"].label = _("The new password once more")
    form.fields["new_password2"].help_text = ""
    say_what_is_missing(form.fields["new_password1"], form.fields["new_password2"])


def say_what_is_missing(first: forms.Field, second: forms.Field) -> None:
    """Two empty fields side by side are not both “required”: each says what it waits for."""
    first.error_messages["required"] = _("Choose a password.")
    second.error_messages["required"] = _("Type the password once more.")
