"""Whether training is needed: what was asked at the gate, and what speaks for another way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.documents.notes.reading import Said, answered
from apps.documents.sheets.differs import Point
from apps.documents.sheets.reading import Reading
from apps.questionnaire.gate import JUDGED_BY
from apps.questionnaire.ways import KNOWLEDGE, Comparison

_ASKED: Final = (*JUDGED_BY, "evidence", "continue_reason")
# Goals for which search over documents or an adapter comes before training all weights.
_BEFORE_TRAINING: Final = frozenset({"knowledge", "behaviour"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """`comparison` of the ways where the goal has one; `warnings` in whole sentences; `points`
    in what training differs from inference."""

    conclusion: str
    rows: tuple[Said, ...]
    comparison: Comparison | None
    warnings: tuple[str, ...]
    points: tuple[Point, ...] = ()


def need_of(reading: Reading, points: tuple[Point, ...] = ()) -> Need:
    effective = reading.evaluated.effective
    return Need(
        conclusion=_conclusion(reading.evaluated.gate.key),
        rows=answered(reading.evaluated, _ASKED),
        comparison=KNOWLEDGE if effective.get("purpose") == "knowledge" else None,
        warnings=tuple(_warnings(reading)),
        points=points,
    )


def _conclusion(key: str) -> str:
    """Whether training is the way to the goal, as it was judged before anything was sized."""
    return {
        "continue": _(
            "Training is justified: the weights change, and a ready model is not enough or cannot be."
        ),
        "undecided": _("It is not settled yet whether training is needed."),
        "rag-first": _(
            "For this goal we advise search over documents (RAG) with a ready model first."
        ),
        "inference": _(
            "The weights do not change: this is inference, which is sized in another way."
        ),
        "pilot-first": _(
            "A ready model has not been tested: a short LoRA run on rented GPUs comes first."
        ),
    }[key]


def _warnings(reading: Reading) -> list[str]:
    effective = reading.evaluated.effective
    found = []
    if effective.get("purpose") in _BEFORE_TRAINING:
        found.append(
            _(
                "Training is not the only way to add knowledge or to steady a format: search shows fresh facts, an adapter steadies behaviour, and the model itself stays as it is."
            )
        )
    if effective.get("inference_server") is True:
        found.append(
            _(
                "The client has a server for inference of this model. Its size is not carried over: inference holds the weights and a cache, training gradients, the state of the optimizer and activations beside them. A bigger inference server is not a training server."
            )
        )
    if effective.get("held_out_set") is not True:
        found.append(
            _(
                "There is no held-out set yet: without one no gain can be shown, and without a gain nothing is scaled up."
            )
        )
    return found
