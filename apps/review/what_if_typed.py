"""What was typed into the fields of a trial: read, and written back into an address.

An address holds only what differs from the record, and what could not be read: a link to a trial
stays short, and nothing typed is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from apps.estimation.wording.schemes import layout_name
from apps.questionnaire.errors import ParseError
from apps.review.fields import Choice, choices_of, read_value
from apps.review.what_if import FIELDS, Record
from apps.sizing.what_if import ACCELERATOR, METHOD, SCHEME

VARIANT: Final = "variant"
_LONGEST: Final = 60
# From all the weights to few of them, as the comparison of methods goes.
_METHODS: Final = ("full", "freeze", "lora", "dora", "qlora")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Texts by name of a field, those only that are no value of the record; `values` by path of
    the task, `errors` by name."""

    variant: str
    texts: Mapping[str, str]
    values: Mapping[str, Any]
    errors: Mapping[str, str]

    def pairs(self, **other: str) -> list[tuple[str, str]]:
        """As fields of an address or a form, with `other` texts instead; "" takes one out."""
        texts = {**self.texts, **other}
        shown = [(name, texts[name]) for name in FIELDS if texts.get(name)]
        return [*([(VARIANT, self.variant)] if self.variant else []), *shown]

    def query(self, **other: str) -> str:
        return urlencode(self.pairs(**other))


def typed_of(body: QueryDict, record: Record) -> Typed:
    """The fields of an address or a form; an empty one is as in the record."""
    texts: dict[str, str] = {}
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, path in FIELDS.items():
        text = body.get(name, "").replace("\0", "").strip()[:_LONGEST]
        if not text:
            continue
        try:
            value = _read(path, text, record)
        except ParseError as problem:
            texts[name], errors[name] = text, str(problem)
            continue
        if value != record.stated(path):
            texts[name], values[path] = text, value
    wanted = body.get(VARIANT, "")
    variant = wanted if wanted in record.keys and wanted == record.key else ""
    return Typed(variant=variant, texts=texts, values=values, errors=errors)


def _read(path: str, text: str, record: Record) -> Any:
    value = read_value(path, text)
    if path == ACCELERATOR and value not in record.catalog.accelerators:
        raise ParseError(_("The catalog of this estimate does not have the card: recalculate it."))
    return value


def offered(path: str) -> list[Choice]:
    """What a field offers to choose from; nothing where a number is typed."""
    if path == SCHEME:
        # On one GPU nothing is spread, and several have to say how.
        kinds = [choice.value for choice in choices_of(path) if choice.value != "none"]
        return [Choice(value=kind, label=layout_name(kind)) for kind in kinds]
    choices = choices_of(path)
    if path == METHOD:
        choices.sort(key=lambda choice: _METHODS.index(choice.value))
    return choices
