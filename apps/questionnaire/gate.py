"""The gate: whether training, and so a training server, is the way to the goal.

An outcome that advises another way is a valid end of the requisition. The client may still go on,
with a reason that the engineer sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.question import Answers
from apps.questionnaire.sentences import Text


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What the answers about the goal lead to.

    `advised` says that another way comes first: the requisition may end here, or go on with a
    reason. `way` is its name and `steps` what to do on it.
    """

    key: str
    title: Text
    text: Text
    advised: bool = False
    way: str = ""
    steps: tuple[Text, ...] = ()


CONTINUE: Final = GateOutcome(
    "continue",
    _("Training looks justified: go on"),
    _(
        "The weights change and a ready model is not enough, or cannot be. Fill in the other sections."
    ),
)
UNDECIDED: Final = GateOutcome(
    "undecided",
    _("Not clear yet whether training is needed"),
    _(
        "You may fill in the rest: the engineer will look at the goal first and ask what is missing."
    ),
)
RAG_FIRST: Final = GateOutcome(
    "rag-first",
    _("First check search over documents (RAG) with a ready model"),
    _(
        "For answers over documents training is not the mandatory way: facts change, and search shows fresh ones at once, with links and access rights."
    ),
    advised=True,
    way="rag",
    steps=(
        _("Collect 100–200 real questions with the right answers."),
        _("Take a ready model and search over your documents, without any training."),
        _("Measure the share of right answers, of refusals and of wrong links."),
        _("Come back with the result if the quality is not enough: the answers here are kept."),
    ),
)
INFERENCE: Final = GateOutcome(
    "inference",
    _("You need a server for inference, not for training"),
    _(
        "The weights do not change, so there are no gradients, no optimizer and no checkpoints. Inference is sized by the number of users, the length of the answer and the cache of keys and values."
    ),
    advised=True,
    way="inference",
    steps=(
        _("Count requests a second at the peak and the length of a question and an answer."),
        _("Decide how long a person may wait for the first word."),
        _("Hand these figures over together with the answers given here."),
    ),
)
PILOT_FIRST: Final = GateOutcome(
    "pilot-first",
    _("Start with a small pilot on rented GPUs"),
    _(
        "A ready model has not been tested on your task yet. A test and a short LoRA run on rented GPUs cost days and show whether training gives a gain at all."
    ),
    advised=True,
    way="pilot",
    steps=(
        _("Test a ready model on held-out data and write the result down."),
        _("Train an adapter on a part of the data on rented GPUs."),
        _("Compare the two: without a gain on held-out data a bigger server will not help."),
    ),
)

JUDGED_BY: Final = ("purpose", "weights_change", "alternatives")
"""The questions whose answers decide."""

OUTCOMES: Final = {o.key: o for o in (CONTINUE, UNDECIDED, RAG_FIRST, INFERENCE, PILOT_FIRST)}


def gate_outcome(answers: Answers) -> GateOutcome:
    """Judge the goal by the answers given so far; a missing answer is never an error."""
    purpose = answers.get("purpose")
    changes = answers.get("weights_change")
    alternatives = answers.get("alternatives")
    if purpose == "knowledge" and (
        alternatives == "not-tested" or (changes is not False and alternatives != "not-enough")
    ):
        return RAG_FIRST
    if purpose == "serve" or changes is False or alternatives == "enough":
        return INFERENCE
    if purpose is None or changes is None:
        return UNDECIDED
    if alternatives == "not-tested" and purpose in ("behaviour", "other"):
        return PILOT_FIRST
    return CONTINUE


def needs_reason(answers: Answers) -> bool:
    """Going on against the advice is possible, with a reason."""
    return gate_outcome(answers).advised
