"""What the address of the board and of the figures carries. Nonsense is no filter."""

from __future__ import annotations

from typing import Final

from django import forms

from apps.requisitions.workflow import State
from apps.review.boards import BoardFilter

_ID_MAX: Final = 2**31 - 1
PERIODS_DAYS: Final = (30, 90, 365)


class BoardForm(forms.Form):
    """The filters of the board."""

    state = forms.ChoiceField(choices=State.choices, required=False)
    due = forms.ChoiceField(choices=[("today", ""), ("late", ""), ("paused", "")], required=False)
    company = forms.IntegerField(min_value=1, max_value=_ID_MAX, required=False)
    engineer = forms.IntegerField(min_value=1, max_value=_ID_MAX, required=False)
    q = forms.CharField(max_length=100, required=False)

    def chosen(self) -> BoardFilter:
        self.is_valid()
        data = self.cleaned_data
        return BoardFilter(
            state=data.get("state", ""),
            due=data.get("due", ""),
            company=data.get("company"),
            engineer=data.get("engineer"),
            search=data.get("q", ""),
        )


class PeriodForm(forms.Form):
    """Over how many days figures are taken."""

    days = forms.ChoiceField(choices=[(str(days), "") for days in PERIODS_DAYS], required=False)

    def chosen(self) -> int:
        self.is_valid()
        return int(self.cleaned_data.get("days") or PERIODS_DAYS[1])
