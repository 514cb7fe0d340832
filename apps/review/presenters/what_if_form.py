"""The fields of a trial: what stands in each, what the record says, the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.estimation.texts import field_label, value_text
from apps.estimation.wording.schemes import layout_name
from apps.review.fields import Choice, unit_beside
from apps.review.what_if import FIELDS, Record
from apps.review.what_if_typed import Typed, offered
from apps.sizing.cases import Case
from apps.sizing.what_if import SCHEME

_GROUPS: Final = (
    (gettext_lazy("Training"), ("method", "precision", "optimizer")),
    (
        gettext_lazy("Batch and length"),
        (
            "sequence_length",
            "micro_batch",
            "grad_accumulation",
            "global_batch",
            "activation_checkpointing",
        ),
    ),
    (gettext_lazy("Hardware"), ("accelerator", "gpus", "data_parallel")),
)
# A click on half or twice is what these are asked for most.
_STEPPED: Final = frozenset(
    {"sequence_length", "micro_batch", "grad_accumulation", "global_batch", "gpus"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """`record` is what the estimate stands on, in words; `assumed`: nobody stated it. `half`,
    `twice` and `reset` are queries of addresses, an empty one being the record itself; the first
    two stand only for `steps_down` and `stepped`."""

    name: str
    label: str
    unit: str
    choices: tuple[Choice, ...]
    value: str
    record: str
    assumed: bool
    changed: bool
    stepped: bool
    steps_down: bool
    half: str
    twice: str
    reset: str
    error: str


def field_groups_of(record: Record, typed: Typed) -> list[tuple[str, list[FieldView]]]:
    return [
        (str(title), [_field(name, record, typed) for name in names]) for title, names in _GROUPS
    ]


def _field(name: str, record: Record, typed: Typed) -> FieldView:
    path = FIELDS[name]
    stated = record.stated(path)
    text = typed.texts.get(name, "")
    now = typed.values.get(path, stated if stated is not None else settled(record.case, name))
    stepped = name in _STEPPED and name not in typed.errors and now is not None
    return FieldView(
        name=name,
        label=field_label(path),
        unit=unit_beside(path),
        choices=tuple(offered(path)),
        value=text or _typed(stated),
        record=_said(name, record, stated),
        assumed=stated is None,
        changed=bool(text),
        stepped=stepped,
        steps_down=stepped and now > 1,
        half=_query(typed, name, now / 2, stated) if stepped else "",
        twice=_query(typed, name, now * 2, stated) if stepped else "",
        reset=typed.query(**{name: ""}) if text else "",
        error=typed.errors.get(name, ""),
    )


def _query(typed: Typed, name: str, value: float, stated: float | None) -> str:
    """With another value of a field; what the record has needs none."""
    whole = max(1, int(value))
    return typed.query(**{name: "" if whole == stated else str(whole)})


def _typed(value: Any) -> str:
    """As it is typed, without marks between groups."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def settled(case: Case | None, name: str) -> Any:
    """What the engine takes for a field that nobody stated; None where it does not say."""
    if case is None:
        return None
    return {
        "method": case.method,
        "precision": case.precision,
        "sequence_length": case.sequence,
        "micro_batch": case.micro_batch,
        "grad_accumulation": case.accumulation,
        "global_batch": global_batch(case),
        "activation_checkpointing": case.checkpointing,
        "data_parallel": case.layout.kind,
    }.get(name)


def global_batch(case: Case) -> float:
    """Samples of all GPUs between two steps of the optimizer."""
    return case.micro_batch * case.accumulation * case.layout.data


def _said(name: str, record: Record, stated: Any) -> str:
    path = FIELDS[name]
    if stated is not None:
        return value_words(path, stated)
    taken = settled(record.case, name)
    if taken is None:
        return _("not stated")
    if path == SCHEME:
        return _("the engine chooses: %(value)s") % {"value": value_words(path, taken)}
    pattern = _("taken: %(value)s") if offered(path) else _("not stated; taken: %(value)s")
    return pattern % {"value": value_words(path, taken)}


def value_words(path: str, value: Any) -> str:
    """A value of the task in words; a scheme by its name in the field."""
    scheme = path == SCHEME and value not in (None, "none")
    return layout_name(value) if scheme else value_text(path, value)
