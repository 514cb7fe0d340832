"""The form of a pilot's record, made from the table of its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from apps.pilots.fields import GROUPS, Field, Group, Kind
from apps.pilots.records import MOST_BYTES, checked
from apps.questionnaire.errors import ParseError
from apps.questionnaire.from_fields import number_text
from apps.questionnaire.numbers import read_number

_YES: Final = {"yes": True, "no": False}


class RecordForm(forms.Form):
    """Every figure of the protocol; nothing is required, for an incomplete record is kept."""

    def __init__(
        self, data: Any = None, *, fields: Iterable[Field], values: Mapping[str, Any]
    ) -> None:
        self.table = {field.path: field for field in fields}
        initial = {path: written(f, values.get(path)) for path, f in self.table.items()}
        super().__init__(data, initial=initial)
        for path, field in self.table.items():
            self.fields[path] = _input(field)

    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Name and inputs of every part that has any."""
        for group in Group:
            found = [self[path] for path, field in self.table.items() if field.group == group]
            if found:
                yield str(GROUPS[group]), found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for path, field in self.table.items():
            text = cleaned.get(path)
            if text:
                try:
                    cleaned[path] = _value(field, text)
                except ParseError as problem:
                    self.add_error(path, str(problem.message))
                except ValueError:
                    self.add_error(path, _("This cannot be: check the unit and the sign."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """By path, without what was left empty."""
        return {k: v for k, v in self.cleaned_data.items() if v not in (None, "")}


def _input(field: Field) -> forms.Field:
    more: dict[str, Any] = {"label": field.label, "required": False, "help_text": field.hint}
    if field.kind == Kind.FLAG:
        choices = [("", _("not checked")), ("yes", _("yes")), ("no", _("no"))]
        return forms.ChoiceField(choices=choices, **more)
    if field.kind == Kind.CHOICE:
        return forms.ChoiceField(choices=[("", "—"), *field.choices], **more)
    return forms.CharField(max_length=200, **more)


def written(field: Field, value: Any) -> str:
    """A stored value as the form shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    shown = value * 100 if field.kind == Kind.PERCENT else value
    return number_text(shown)


def _value(field: Field, text: str) -> Any:
    if field.kind == Kind.FLAG:
        return _YES[text]
    if field.kind in (Kind.TEXT, Kind.CHOICE):
        return checked(field, text)
    number = float(read_number(text, example="12", whole=field.kind == Kind.WHOLE))
    return checked(field, number / 100 if field.kind == Kind.PERCENT else number)


class UploadForm(forms.Form):
    """The file of the kit, or its text."""

    file = forms.FileField(required=False)
    text = forms.CharField(required=False, max_length=MOST_BYTES, widget=forms.Textarea)

    def content(self) -> bytes:
        """What was chosen, else what was pasted; never more than may be read. A file is read once."""
        uploaded = self.cleaned_data.get("file")
        if uploaded:
            return bytes(uploaded.read(MOST_BYTES + 1))
        return str(self.cleaned_data.get("text") or "").encode("utf-8")
