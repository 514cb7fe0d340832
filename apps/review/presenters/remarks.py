"""Remarks of the review, and what they may be about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.estimation.texts import estimator_name, field_label
from apps.estimation.wording.fields import FIELD_LABELS
from apps.estimation.wording.values import ESTIMATORS
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import Annotation


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkRow:
    """One remark; `about` is empty when it is about the whole."""

    author: str
    at: datetime
    text: str
    about: str
    internal: bool


def remark_rows(remarks: Iterable[Annotation]) -> list[RemarkRow]:
    return [
        RemarkRow(
            author=str(remark.author),
            at=remark.created_at,
            text=remark.text,
            about=target_label(remark.target),
            internal=remark.visibility == Annotation.Visibility.INTERNAL,
        )
        for remark in remarks
    ]


def target_label(target: str) -> str:
    """`question:lora_rank`, `estimate:memory` or `field:…` in words; other texts as they are."""
    kind, _colon, key = target.partition(":")
    if kind == "question" and key in QUESTIONS:
        return str(QUESTIONS[key].label)
    if kind == "estimate" and key in ESTIMATORS:
        return estimator_name(key)
    if kind == "field" and key in FIELD_LABELS:
        return field_label(key)
    return target


def target_choices() -> list[tuple[str, str]]:
    """What a remark may be about besides the whole: the estimates."""
    shown = (key for key in ESTIMATORS if key != "assemble")
    return [(f"estimate:{key}", estimator_name(key)) for key in shown]
