"""The form for one field of the task: what stands there now, and what may be put beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.estimation.inputs import value_in
from apps.estimation.texts import field_label, value_text
from apps.review.dossier import Dossier
from apps.review.fields import VOCABULARY, Choice, choices_of, unit_beside
from apps.review.forms import OverrideForm


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideFormView:
    """`asked` is the client's value in words; the errors are texts, "" when there is none."""

    field: str
    label: str
    unit: str
    choices: tuple[Choice, ...]
    asked: str
    value: str
    reason: str
    reason_shown: bool
    value_error: str
    reason_error: str


def override_form(
    dossier: Dossier, path: str, sent: OverrideForm | None = None
) -> OverrideFormView | None:
    """The form for the field `path`, filled with what was sent; None when there is no such field."""
    if path not in VOCABULARY:
        return None
    standing = next((o for o in dossier.overrides if o.field == path), None)
    typed: Mapping[str, str] = sent.data if sent is not None else {}
    choices = tuple(choices_of(path))
    chosen = standing.value if standing and choices else ""
    if isinstance(chosen, bool):
        chosen = "yes" if chosen else "no"
    return OverrideFormView(
        field=path,
        label=field_label(path),
        unit=unit_beside(path),
        choices=choices,
        asked=value_text(path, value_in(dossier.asked_task, path)),
        value=typed.get("value", str(chosen)),
        reason=typed.get("reason", standing.reason if standing else ""),
        reason_shown="reason_shown" in typed
        if sent is not None
        else standing is not None and standing.reason_shown,
        value_error=_first_error(sent, "value"),
        reason_error=_first_error(sent, "reason"),
    )


def _first_error(sent: OverrideForm | None, name: str) -> str:
    return str(sent.errors[name][0]) if sent is not None and name in sent.errors else ""
