"""What is typed about an offer: words and choices, never money."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.core import formatting
from apps.core.prices import names_a_price
from apps.offers.models import (
    SHORT_MAX_CHARS,
    TEXT_MAX_CHARS,
    Condition,
    Confirmation,
    Offer,
    Quality,
    Workload,
)
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.sections import QUESTIONS

_NOT_SAID: Final = pgettext_lazy("offer", "not given")
_STEP: Final = QUESTIONS["measured_step_s"]
FIELDS: Final = (
    "supplier",
    "part_number",
    "confirmation",
    "composition",
    "condition",
    "warranty",
    "network",
    "storage",
    "placement",
    "step_s",
    "workload",
    "workload_words",
    "quality",
)


def _chosen(label: Any, choices: type[models.TextChoices]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=[("", _NOT_SAID), *choices.choices], required=False
    )


def _line(label: Any, hint: Any = "") -> forms.CharField:
    return forms.CharField(label=label, help_text=hint, required=False, max_length=TEXT_MAX_CHARS)


class OfferForm(forms.Form):
    """What one supplier says. An empty field stays «not given» in the table."""

    supplier = forms.CharField(label=_("Supplier"), max_length=SHORT_MAX_CHARS)
    part_number = forms.CharField(
        label=_("Part number"),
        max_length=SHORT_MAX_CHARS,
        required=False,
        help_text=_("As it stands in the offer."),
    )
    confirmation = _chosen(_("Part number and composition are"), Confirmation)
    composition = _line(
        _("Composition"), _("GPUs, processors, memory modules, as the supplier writes them.")
    )
    condition = _chosen(_("Condition of the hardware"), Condition)
    warranty = _line(_("Warranty"), _("Years, who serves it and where."))
    network = _line(_("Network"), _("Cards and ports between servers and to the data."))
    storage = _line(_("Drives"), _("Number, size, class and endurance."))
    placement = _line(
        _("Placement and power"), _("Units of the rack, kilowatts, cooling, who installs it.")
    )
    step_s = forms.CharField(
        label=_("Measured time of a step"),
        max_length=40,
        required=False,
        help_text=_("In seconds, after the warm-up, by the pilot's protocol."),
    )
    workload = _chosen(_("What ran when it was measured"), Workload)
    workload_words = _line(_("If another load: what differed"))
    quality = _chosen(_("The criterion on held-out data"), Quality)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1)

    def clean_step_s(self) -> float | None:
        try:
            seconds = parse(_STEP, self.cleaned_data["step_s"])
        except ParseError as problem:
            raise forms.ValidationError(str(problem)) from problem
        return None if seconds is None else float(str(seconds))

    def with_version(self, version: int) -> None:
        """The typed words again, now standing on the version that is stored."""
        self.data = {**self.data, "version": version}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name, value in tuple(cleaned.items()):
            if isinstance(value, str) and names_a_price(value):
                self.add_error(
                    name, _("Prices are not compared here: leave the sum out of this field.")
                )
        return cleaned

    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in FIELDS}


def initial_of(offer: Offer) -> dict[str, Any]:
    """The form as the offer stands."""
    stored: dict[str, Any] = {name: getattr(offer, name) for name in FIELDS}
    step = "" if offer.step_s is None else formatting.number(offer.step_s)
    return stored | {"step_s": step, "version": offer.version}
