"""Sign-in."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """E-mail and password. Pasting and password managers work: plain inputs, no puzzles."""

    error_messages = {
        "invalid_login": _(
            "There is no such pair of e-mail and password. Check both and try again."
        ),
        "inactive": _("This account is switched off. Write to us, and we will look at it."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail")
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autocomplete": "username", "class": "form-control", "maxlength": 254}
        )
        self.fields["password"].label = _("Password")
        self.fields["password"].widget.attrs.update({"class": "form-control"})

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).strip().lower()
