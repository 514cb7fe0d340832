"""For whom a manager opens a requisition. Forms parse; services decide."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company, User
from apps.core.searching import folded

_TEXT: Final = forms.TextInput(attrs={"class": "form-control w-mid", "autocomplete": "off"})


class ContactForm(forms.Form):
    """A person who is known already."""

    contact = forms.ModelChoiceField(
        queryset=User.objects.none(),
        error_messages={
            "required": _("Choose the person for whom you fill it in."),
            "invalid_choice": _("Choose the person for whom you fill it in."),
        },
    )

    def __init__(self, *args: Any, contacts: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["contact"].queryset = contacts  # type: ignore[attr-defined]


class NewContactForm(forms.Form):
    """A person who is not known yet, of a company that may not be either."""

    company = forms.ModelChoiceField(
        label=_("Company"),
        queryset=Company.objects.all(),
        required=False,
        empty_label=_("a new company"),
        widget=forms.Select(attrs={"class": "form-select w-mid"}),
    )
    company_name = forms.CharField(
        label=_("Name of a new company"), max_length=200, required=False, widget=_TEXT
    )
    full_name = forms.CharField(
        label=_("Name of the person"),
        max_length=150,
        widget=_TEXT,
        error_messages={"required": _("Write the name of the person who will answer for it.")},
    )
    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,
        widget=forms.EmailInput(attrs={"class": "form-control w-mid", "autocomplete": "off"}),
        error_messages={
            "required": _("Write the e-mail: the invitation goes there."),
            "invalid": _("This is not an e-mail address. Write it like name@company.example."),
        },
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        name = data.get("company_name", "")
        if not data.get("company") and not name:
            self.add_error("company", _("Choose the company or write the name of a new one."))
        if not data.get("company") and name and _is_known(name):
            self.add_error("company_name", _("This company is known: choose it in the list."))
        return data


def _is_known(name: str) -> bool:
    return Company.objects.filter(search_text=folded(name)).exists()
