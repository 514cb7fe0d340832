"""What the calendar's page carries."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.core.errors import DomainError
from apps.worktime.arithmetic import Span
from apps.worktime.readers import DayLine, read_days
from apps.worktime.sizes import SizeClass

LONGEST_HOURS: Final = 400


class WeekForm(forms.Form):
    """Hours of the seven days; a day without hours is a day off."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for day in range(7):
            for end in ("opens", "closes"):
                self.fields[f"{end}-{day}"] = forms.TimeField(required=False)

    def week(self) -> list[Span | None]:
        data = self.cleaned_data
        pairs = [(data[f"opens-{day}"], data[f"closes-{day}"]) for day in range(7)]
        return [(opens, closes) if opens and closes else None for opens, closes in pairs]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for day in range(7):
            opens, closes = data.get(f"opens-{day}"), data.get(f"closes-{day}")
            if (opens is None) != (closes is None) or (opens and closes and opens >= closes):
                self.add_error(None, _("Each day needs both times, the later one last, or none."))
                break
        if not self.errors and not any(self.week()):
            self.add_error(None, _("Somebody has to work on one day of the week at least."))
        return data


class DaysForm(forms.Form):
    """Days off and short days, a line a day."""

    days = forms.CharField(max_length=40_000, error_messages={"required": _("Name a day first.")})

    def clean_days(self) -> list[DayLine]:
        try:
            return read_days(self.cleaned_data["days"])
        except DomainError as problem:
            raise forms.ValidationError(problem.message) from problem


class ForgetForm(forms.Form):
    day = forms.DateField()


class TargetForm(forms.Form):
    """In how many working hours a class is to be done."""

    size_class = forms.ChoiceField(choices=SizeClass.choices)
    first_look_hours = forms.IntegerField(min_value=1, max_value=LONGEST_HOURS)
    ready_hours = forms.IntegerField(min_value=1, max_value=LONGEST_HOURS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        first, ready = data.get("first_look_hours"), data.get("ready_hours")
        if first and ready and ready < first:
            self.add_error("ready_hours", _("The first look comes before the assessment."))
        return data
