"""Inviting a colleague to one section. Forms parse; services decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.forms.fields import EmailField
from apps.accounts.names import plain_name
from apps.questionnaire.dates import parse_date
from apps.questionnaire.errors import ParseError
from apps.requisitions.models.guests import NAME_MAX_CHARS
from apps.requisitions.services import Wish

DAYS: Final[tuple[tuple[int, Promise], ...]] = (
    (3, _("3 days")),
    (7, _("a week")),
    (14, _("two weeks")),
    (30, _("30 days")),
)
USUAL_DAYS: Final = 7


def days_of(text: str) -> int:
    """The choice that was posted; the usual one for anything else."""
    known = {str(days): days for days, _words in DAYS}
    return known.get(text, USUAL_DAYS)


def guest_name_field(**kwargs: Any) -> forms.CharField:
    defaults: dict[str, Any] = {"max_length": NAME_MAX_CHARS, "validators": [plain_name]}
    return forms.CharField(**defaults | kwargs)


class GuestForm(forms.Form):
    """Whom to ask for which section. `send` says that a letter is wanted, not only a link."""

    section = forms.ChoiceField(
        label=_("Section"),
        error_messages={
            "required": _("Choose the section."),
            "invalid_choice": _("This section is not asked now. Choose another one."),
        },
    )
    name = guest_name_field(
        label=_("Colleague's name"),
        required=False,
        help_text=_("It will stand beside their answers. Empty: they write it themselves."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = EmailField(label=_("Colleague's e-mail"), autocomplete="off", required=False)
    due = forms.CharField(
        label=_("Answer needed by"),
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("A day, for example 15.12.2026; may stay empty."),
    )
    days = forms.TypedChoiceField(
        label=_("The link works for"), choices=DAYS, coerce=int, initial=USUAL_DAYS
    )
    tell_by_mail = forms.BooleanField(
        label=_("Write to me when it is answered"), required=False, initial=True
    )

    def __init__(self, *args: Any, sections: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["section"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = sections
        self.by_letter = "send" in self.data

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"] or "")
        if self.by_letter and not email:
            raise forms.ValidationError(_("Write the e-mail, or take a link to hand over."))
        return email

    def clean_due(self) -> date | None:
        text = self.cleaned_data["due"]
        if not text:
            return None
        try:
            day = parse_date(text)
        except ParseError as problem:
            raise forms.ValidationError(str(problem.message)) from None
        if day < timezone.localdate():
            raise forms.ValidationError(_("This day has already passed. Check the date."))
        return day

    def wish(self, question: str) -> Wish:
        said = self.cleaned_data
        return Wish(
            section=said["section"],
            question=question,
            name=said["name"],
            email=said["email"],
            due=said["due"],
            days=said["days"],
            tell_by_mail=said["tell_by_mail"],
        )


class GuestNameForm(forms.Form):
    """The guest's own name, where the inviter has given none."""

    name = guest_name_field(
        label=_("Your first and last name"),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Write your name: it will stand beside your answers.")},
    )


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code from the letter"),
        max_length=40,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        error_messages={"required": _("Type the ten digits of the code.")},
    )
