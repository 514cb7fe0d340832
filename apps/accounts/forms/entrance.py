"""Ways in: signing in, signing up, confirming, accepting an invitation."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, SetPasswordMixin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from apps.accounts.forms.fields import EmailField, language_field, name_field, password_field
from apps.accounts.forms.passwords import say_what_is_missing
from apps.accounts.models import User
from apps.accounts.names import plain_name


class SignInForm(AuthenticationForm):
    """E-mail and password. Pasting and password managers work: plain inputs, no puzzles."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _(
            "There is no such pair of e-mail and password. Check both and try again."
        ),
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


class SignUpForm(forms.Form):
    """One password field: it is typed once more when the address is confirmed."""

    email = EmailField(autocomplete="username", help_text=_("We will send a letter to confirm it."))
    full_name = name_field()
    company_name = forms.CharField(
        label=_("Company"),
        max_length=200,
        validators=[plain_name],
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        help_text=_(
            "If your colleagues work here already, ask them for an invitation: "
            "signing up starts a company of its own."
        ),
        error_messages={"required": _("Write the name of the company that asks.")},
    )
    password = password_field(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=password_validation.password_validators_help_text_html(),
        error_messages={"required": _("Choose a password.")},
    )
    language = language_field()

    @sensitive_variables("password")
    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        password = said.get("password")
        if password:
            person = User(email=said.get("email", ""), full_name=said.get("full_name", ""))
            try:
                password_validation.validate_password(password, person)
            except ValidationError as problem:
                self.add_error("password", problem)
        return said


class ConfirmForm(forms.Form):
    """The password of the sign-up: it shows that whoever opens the letter also signed up."""

    password = password_field(help_text=_("The one that you chose when signing up."))


class AcceptForm(SetPasswordMixin, forms.Form):  # type: ignore[type-arg]
    """What an invited person adds to the address that the invitation went to."""

    full_name = name_field()
    password1, password2 = SetPasswordMixin.create_password_fields(
        label1=_("Password"), label2=_("The password once more")
    )
    language = language_field()

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email
        self.fields["password2"].help_text = ""
        say_what_is_missing(self.fields["password1"], self.fields["password2"])

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        self.validate_passwords()
        person = User(email=self.email, full_name=said.get("full_name", ""))
        self.validate_password_for_user(person, "password1")
        return said


class LetterForm(forms.Form):
    """An address that a letter shall go to."""

    email = EmailField(autocomplete="username")
