"""What the forms of these screens carry. Forms parse; services decide."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.core.prices import names_a_price
from apps.questionnaire.errors import ParseError
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.services.review import Ask
from apps.review.fields import VOCABULARY, read_value
from apps.review.selectors import IN_QUEUE, QueueFilter
from apps.review.what_if import FIELDS, HARDWARE
from apps.worktime.sizes import SizeClass

LONG_TEXT = 4000


class QueueForm(forms.Form):
    """The filters of the queue, from the address. Nonsense is no filter."""

    whose = forms.RegexField(r"\A(mine|free|[0-9]{1,9})\Z", required=False)
    due = forms.ChoiceField(choices=[("today", ""), ("late", ""), ("failed", "")], required=False)
    size = forms.ChoiceField(choices=SizeClass.choices, required=False)
    state = forms.ChoiceField(choices=[(s.value, s.label) for s in IN_QUEUE], required=False)
    q = forms.CharField(max_length=100, required=False)

    def chosen(self) -> QueueFilter:
        self.is_valid()
        data = self.cleaned_data
        return QueueFilter(
            whose=data.get("whose", ""),
            due=data.get("due", ""),
            size=data.get("size", ""),
            state=data.get("state", ""),
            search=data.get("q", ""),
        )


class VersionForm(forms.Form):
    """Every form that changes a revision says which version of it was on the screen."""

    expected_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class OverrideForm(VersionForm):
    """The engineer's value for one field of the task. Cleaning gives `parsed`, a JSON value."""

    field = forms.ChoiceField(choices=[(path, path) for path in VOCABULARY])
    value = forms.CharField(max_length=LONG_TEXT, required=False)
    reason = forms.CharField(
        max_length=LONG_TEXT,
        error_messages={
            "required": _("Say why: the client will read the reason beside the value.")
        },
    )
    reason_shown = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("reason_shown") and names_a_price(data.get("reason", "")):
            self.add_error("reason", _("The client reads the reason at once: leave the price out."))
        path = data.get("field")
        if path and "value" not in self.errors:
            try:
                data["parsed"] = read_value(path, data.get("value", ""))
            except ParseError as problem:
                self.add_error("value", str(problem))
        return data


class TakeForm(VersionForm):
    """Taking differences of a trial into the estimate; their values are in the fields beside."""

    take = forms.MultipleChoiceField(
        choices=[(name, name) for name in (*FIELDS, HARDWARE)],
        error_messages={"required": _("Choose at least one difference.")},
    )
    reason = forms.CharField(
        max_length=LONG_TEXT,
        error_messages={
            "required": _("Say why: the client will read the reason beside the value.")
        },
    )


class UndoForm(VersionForm):
    """Taking the engineer's value of one field back."""

    field = forms.ChoiceField(choices=[(path, path) for path in VOCABULARY])


class AskForm(VersionForm):
    """Questions to the client: any of the open ones, and up to three in the engineer's words.

    `keys` are questions of the questionnaire; `text-1` with `about-1` is a question in words and
    the question of the questionnaire that it leads to.
    """

    FREE = ("1", "2", "3")
    comment = forms.CharField(max_length=LONG_TEXT, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        keys = [(key, key) for key in QUESTIONS]
        self.fields["keys"] = forms.MultipleChoiceField(choices=keys, required=False)
        for number in self.FREE:
            self.fields[f"text-{number}"] = forms.CharField(max_length=LONG_TEXT, required=False)
            self.fields[f"about-{number}"] = forms.ChoiceField(
                choices=[("", ""), *keys], required=False
            )

    def asks(self) -> list[Ask]:
        """The questions that were asked, those of the questionnaire first."""
        data = self.cleaned_data
        written = [(data[f"text-{n}"].strip(), data[f"about-{n}"]) for n in self.FREE]
        return [Ask(text="", key=key) for key in data["keys"]] + [
            Ask(text=text, key=key) for text, key in written if text or key
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and not self.asks():
            message = _("Ask at least one question, so that the client knows what to do.")
            self.add_error("keys", message)
        return data


class SettleForm(forms.Form):
    """Closing an open question: answered, or not needed any more."""

    outcome = forms.ChoiceField(choices=[("answered", ""), ("dropped", "")])


class AssignForm(forms.Form):
    """Who answers an open question, and by when, in anybody's words."""

    owner_name = forms.CharField(max_length=120, required=False)
    due_text = forms.CharField(max_length=40, required=False)


class SendForm(VersionForm):
    """Handing a revision on, with a word to the approver if there is something to say."""

    comment = forms.CharField(max_length=LONG_TEXT, required=False)


class ReasonForm(VersionForm):
    """A step that has to be explained."""

    comment = forms.CharField(
        max_length=LONG_TEXT,
        error_messages={"required": _("Say why: without a reason nobody can go on from here.")},
    )


class RedirectForm(ReasonForm):
    """Which other way comes first, and why."""

    way = forms.ChoiceField(
        choices=OtherWay.choices,
        error_messages={"required": _("Choose the way: the document is made for it.")},
    )


class DecisionForm(SendForm):
    """The approver's decision about the document that was on the screen."""

    APPROVE, RETURN, REJECT = "approve", "return", "reject"
    decision = forms.ChoiceField(choices=[(APPROVE, ""), (RETURN, ""), (REJECT, "")])
    refusal = forms.ChoiceField(choices=Refusal.choices, required=False)
    document_sha256 = forms.RegexField(r"\A[0-9a-f]{64}\Z", required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        explained = data.get("decision") in (self.RETURN, self.REJECT)
        if explained and not data.get("comment", "").strip():
            message = _("Say why: without a reason nobody can go on from here.")
            self.add_error("comment", message)
        if data.get("decision") == self.REJECT and not data.get("refusal"):
            self.add_error("refusal", _("Choose what kind of reason it is."))
        return data
