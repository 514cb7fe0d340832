"""What the forms of one variant carry. Forms parse; services decide."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.estimation.models import VariantRemark
from apps.review.forms import LONG_TEXT, VersionForm

LINE_CHARS = 400  # a line of a comparison, not an essay


class PartForm(VersionForm):
    """The part number that a document confirms, and what the document says."""

    part_number = forms.CharField(
        max_length=200,
        error_messages={"required": _("Give the part number that the document names.")},
    )
    says = forms.CharField(
        max_length=LONG_TEXT,
        error_messages={
            "required": _("Say what the document confirms: composition, compatibility, date.")
        },
    )


class WithdrawForm(VersionForm):
    """Taking a confirmation back."""

    reason = forms.CharField(
        max_length=LONG_TEXT, error_messages={"required": _("Say why it is taken back.")}
    )


class LineForm(VersionForm):
    """A line in favour or against, when to choose; a hidden computed line; a recommendation."""

    kind = forms.ChoiceField(choices=VariantRemark.Kind.choices)
    text = forms.CharField(max_length=LINE_CHARS, error_messages={"required": _("Write it first.")})
    line = forms.RegexField(r"\A[0-9a-f]{64}\Z", required=False)
    instead = forms.UUIDField(required=False)


class LineChangeForm(VersionForm):
    """What happens to a line that stands, or stood, there."""

    deed = forms.ChoiceField(choices=[(name, "") for name in ("remove", "restore", "up", "down")])
