"""The page of a trial: fields, ready trials, the result, and what may be taken into the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.estimation.texts import field_label, sentences, variant_name
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.workflow import State
from apps.review.forms import TakeForm
from apps.review.presenters.what_if import ready_effect, trial_view, variant_view
from apps.review.presenters.what_if_form import field_groups_of, value_words
from apps.review.what_if import (
    FIELDS,
    HARDWARE,
    NAMES,
    Difference,
    Record,
    Trial,
    differences_of,
)
from apps.review.what_if_typed import VARIANT, Typed

_READY: Final[dict[str, Promise]] = {
    "qlora": gettext_lazy("QLoRA"),
    "lora": gettext_lazy("LoRA"),
    "half-batch": gettext_lazy("Half the micro-batch, the same global batch"),
    "recompute": gettext_lazy("Recompute all activations"),
    "no-recompute": gettext_lazy("No recomputation"),
    "twice-gpus": gettext_lazy("Twice the GPUs"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyView:
    label: str
    effect: str
    query: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceView:
    """`lost` says what of it cannot be taken."""

    key: str
    label: str
    was: str
    now: str
    lost: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeView:
    """`why_not` is empty when the person may take the differences."""

    rows: tuple[DifferenceView, ...]
    why_not: str
    remarks: tuple[str, ...]
    reason: str
    reason_error: str
    chosen_error: str


def page_of(
    user: User,
    revision: Revision,
    record: Record,
    typed: Typed,
    trial: Trial,
    sent: TakeForm | None = None,
) -> dict[str, Any]:
    left_out = [field_label(FIELDS[name]) for name in typed.errors]
    return {
        "revision": revision,
        "groups": field_groups_of(record, typed),
        "variant": record.key,
        "variant_links": _variant_links(record, typed),
        "savings": sentences(record.savings),
        "ready": _ready(record, typed, trial),
        "trial": trial_view(record, trial, left_out=left_out),
        "take": _take(user, revision, record, trial, sent),
        "pairs": typed.pairs(),
        "query": typed.query(),
        "clear": Typed(variant=typed.variant, texts={}, values={}, errors={}).query(),
    }


def address_of(revision: Revision, typed: Typed) -> str:
    """The shortest address of the trial."""
    page, query = reverse("review:what-if", args=[revision.pk]), typed.query()
    return f"{page}?{query}" if query else page


def _variant_links(record: Record, typed: Typed) -> list[dict[str, Any]]:
    """Switching the variant keeps the values."""
    pairs = [pair for pair in typed.pairs() if pair[0] != VARIANT]
    found = Typed(variant="", texts=dict(pairs), values={}, errors={})
    if len(record.keys) == 1:
        return []
    return [
        {
            "key": key,
            "name": variant_name(key),
            "query": Typed(variant=key, texts=found.texts, values={}, errors={}).query(),
            "current": key == record.key,
        }
        for key in record.keys
    ]


def _ready(record: Record, typed: Typed, trial: Trial) -> list[ReadyView]:
    return [
        ReadyView(
            label=str(_READY[name]),
            effect=ready_effect(one),
            query=_ready_query(typed, one),
            current=one.values == trial.values,
        )
        for name, one in record.ready
    ]


def _ready_query(typed: Typed, trial: Trial) -> str:
    texts = {NAMES[path]: str(value) for path, value in trial.values.items()}
    return Typed(variant=typed.variant, texts=texts, values={}, errors={}).query()


def _take(
    user: User, revision: Revision, record: Record, trial: Trial, sent: TakeForm | None
) -> TakeView | None:
    """None where there is nothing to take."""
    found = differences_of(record, trial)
    if not found:
        return None
    chosen = sent["take"].value() if sent is not None else [one.key for one in found]
    errors = sent.errors if sent is not None else {}
    return TakeView(
        rows=tuple(_difference(one, record, trial, chosen) for one in found),
        why_not=_why_not(user, revision),
        remarks=tuple(_remarks(record, found)),
        reason=sent["reason"].value() or "" if sent is not None else "",
        reason_error=str(errors["reason"][0]) if "reason" in errors else "",
        chosen_error=str(errors["take"][0]) if "take" in errors else "",
    )


def _why_not(user: User, revision: Revision) -> str:
    if policy.may(user, Deed.OVERRIDE, revision):
        return ""
    if revision.state != State.IN_REVIEW:
        return _("Values are taken while the revision is in review; this one is not.")
    return _("Only an engineer takes values into the estimate.")


def _difference(one: Difference, record: Record, trial: Trial, chosen: list[str]) -> DifferenceView:
    if one.key == HARDWARE:
        assert trial.document is not None  # or there would be no difference
        before, after = variant_view(record.document), variant_view(trial.document)
        was, now = (f"{view.hardware}, {view.layout}" for view in (before, after))
        label = _("Hardware")
    else:
        path = FIELDS.get(one.key, one.key)
        label = field_label(path)
        was, now = value_words(path, record.stated(path)), _now(path, one)
    return DifferenceView(
        key=one.key,
        label=label,
        was=was,
        now=now,
        lost=_lost(one, record),
        chosen=one.key in chosen,
    )


def _now(path: str, one: Difference) -> str:
    """The value itself, and what comes with it."""
    texts = [value_words(path, one.values[path])] if path in one.values else []
    texts += [
        f"{field_label(other)}: {value_words(other, value)}"
        for other, value in one.values.items()
        if other != path
    ]
    return ", ".join(texts)


def _lost(one: Difference, record: Record) -> str:
    if not one.lost:
        return ""
    stated = [f"{field_label(path)}: {value_words(path, record.stated(path))}" for path in one.lost]
    return _(
        "The trial goes without what is stated (%(stated)s), and that cannot be taken: an engineer's value replaces, it does not remove. Put another value in the review."
    ) % {"stated": "; ".join(stated)}


def _remarks(record: Record, found: list[Difference]) -> list[str]:
    """What else happens when it is taken."""
    if any(one.key == HARDWARE for one in found):
        remarks = [
            _(
                "With the hardware taken the estimate stands on it alone: the other variants fall away until the value is taken back."
            )
        ]
        if record.footing.rented:
            remarks.append(
                _(
                    "That it is rented cannot be taken: the hardware is then sized for the client's rack."
                )
            )
        return remarks
    return [
        _(
            "The variants are chosen anew for these values, so another one may come out than the hardware of this trial."
        )
    ]
