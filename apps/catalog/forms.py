"""What the staff types about the catalog."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.catalog.fact_specs import SPECS
from apps.catalog.labels import CONFIDENCE, FACTS, UNITS
from apps.catalog.models import Item
from apps.catalog.proposals import Correction
from apps.catalog.typed import read_value, written
from apps.core.errors import DomainError

_LONGEST: Final = 2000


class ProposalForm(forms.Form):
    """A fact of an item. `key` in the address fills in what is in force now."""

    key = forms.ChoiceField(label=_("Fact"))
    value = forms.CharField(
        label=_("Value"),
        max_length=_LONGEST,
        help_text=_("In the unit beside the fact's name. Several values with commas."),
    )
    source = forms.CharField(label=_("Source"), max_length=300)
    source_ref = forms.CharField(label=_("Address of the source"), max_length=500, required=False)
    as_of = forms.DateField(
        label=_("Date of the source"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    confidence = forms.ChoiceField(label=_("Trust"), choices=tuple(CONFIDENCE.items()))
    reason = forms.CharField(
        label=_("Why"), max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, *args: Any, item: Item, key: str = "", **kwargs: Any) -> None:
        present = item.facts.filter(key=key, superseded=False).first()
        if present is not None:
            kwargs["initial"] = {"key": key, "value": written(present.value)}
        kwargs.setdefault("initial", {})["as_of"] = timezone.localdate()
        super().__init__(*args, **kwargs)
        self.specs = SPECS[item.kind][0]
        field = self.fields["key"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, _named(name, spec.unit)) for name, spec in self.specs.items()]

    def clean_as_of(self) -> Any:
        day = self.cleaned_data["as_of"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("This day is still to come."))
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "key" in cleaned and "value" in cleaned:
            try:
                read_value(cleaned["value"], self.specs[cleaned["key"]])
            except DomainError as problem:
                self.add_error("value", problem.message)
        return cleaned

    def correction(self) -> Correction:
        return Correction(**self.cleaned_data)


def _named(key: str, unit: str) -> str:
    label = str(FACTS[key])
    return f"{label}, {UNITS[unit]}" if unit in UNITS else label


class AnswerForm(forms.Form):
    """The decision about a proposal. A refusal says why."""

    answer = forms.CharField(max_length=_LONGEST, required=False)


class ImportForm(forms.Form):
    """A file of facts, as the catalog exports them."""

    file = forms.FileField(
        label=_("CSV or JSON file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.json"}),
        help_text=_("UTF-8, up to 2 MiB. Prices are not taken: the catalog keeps none."),
    )
