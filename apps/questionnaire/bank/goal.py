"""The gate: what is to change and by when, and whether training is the way to it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire.bank.timing import TARGET
from apps.questionnaire.gate import needs_reason
from apps.questionnaire.question import LONG_TEXT, Influence, Kind, Option, Question
from apps.questionnaire.when import is_, is_not

PURPOSE: Final = Question(
    key="purpose",
    name=pgettext_lazy("short name of a question", "Goal of the project"),
    kind=Kind.CHOICE,
    label=_("What do you want to get?"),
    hint=_("Choose the main goal; you can describe the details in the next section."),
    why=_(
        "The goal decides whether a training server is needed at all: for some goals a ready model solves the task sooner and cheaper."
    ),
    influences=(Influence.METHOD, Influence.PLATFORM),
    options=(
        Option(
            "behaviour",
            _("A steady format, style or behaviour of the model"),
            _("For example, answers by a template, classification, your terminology"),
        ),
        Option(
            "knowledge",
            _("Answers over our own documents"),
            _("Search and answers over rules, contracts, a knowledge base"),
        ),
        Option(
            "domain",
            _("A model that knows a new field or language"),
            _("Continued training on a large body of texts"),
        ),
        Option(
            "vision", _("A model for images or video"), _("Detection, segmentation, generation")
        ),
        Option(
            "scratch", _("Our own model from scratch"), _("An architecture or data of your own")
        ),
        Option(
            "serve",
            _("Run a ready model for users"),
            _("The weights do not change; that is inference, not training"),
        ),
        Option("other", _("Something else")),
    ),
    weight=3,
    required=True,
)

WEIGHTS_CHANGE: Final = Question(
    key="weights_change",
    name=pgettext_lazy("short name of a question", "Weights change"),
    kind=Kind.BOOLEAN,
    label=_("Will the weights of the model change?"),
    hint=_("Weights change in any training, adapters such as LoRA included."),
    why=_(
        "If the weights stay as they are, you need a server for inference, and it is sized in another way."
    ),
    influences=(Influence.METHOD, Influence.MEMORY),
    weight=3,
)

ALTERNATIVES: Final = Question(
    key="alternatives",
    name=pgettext_lazy("short name of a question", "Ready model and search (RAG)"),
    kind=Kind.CHOICE,
    label=_("Would a ready model do, alone or with search over your documents (RAG)?"),
    hint=_("Search adds fresh documents to the prompt, so nothing has to be trained again."),
    why=_(
        "Training is not the only way to add knowledge: a check that takes days may save the purchase of a server."
    ),
    influences=(Influence.METHOD,),
    options=(
        Option("not-enough", _("We tested it, the quality is not enough")),
        Option("enough", _("Yes, it would do")),
        Option("not-tested", _("We have not tested it")),
    ),
    relevant=is_not("purpose", "scratch", "serve"),
    weight=2,
)

EVIDENCE: Final = Question(
    key="evidence",
    name=pgettext_lazy("short name of a question", "Result of the test"),
    kind=Kind.LONG,
    label=_("What did the test show?"),
    hint=_("Which model, on what data, by what metric, what it lacked."),
    why=_("The result is kept in the assessment as the ground for training."),
    influences=(Influence.REVIEW,),
    examples=(
        _(
            "Llama-3.1-8B-Instruct with search: 61 % of correct answers on 200 questions, 85 % needed"
        ),
    ),
    length=LONG_TEXT,
    relevant=is_("alternatives", "not-enough"),
    material=False,
)

INFERENCE_SERVER: Final = Question(
    key="inference_server",
    name=pgettext_lazy("short name of a question", "Existing inference server"),
    kind=Kind.BOOLEAN,
    label=_("Do you already have a server for inference of this model?"),
    hint=_("A server where the ready model answers users."),
    why=_(
        "Memory that is enough for inference says nothing about training: we will not carry its size over, and will say so in the assessment."
    ),
    influences=(Influence.MEMORY, Influence.REVIEW),
    relevant=is_not("purpose", "serve"),
    optional=True,
)

CONTINUE_REASON: Final = Question(
    key="continue_reason",
    name=pgettext_lazy("short name of a question", "Reason to go on with training"),
    kind=Kind.LONG,
    label=_("Why continue with training all the same?"),
    hint=_("We advise another way for this goal; you may go on with a reason."),
    why=_("The reason is recorded with the requisition; the engineer will see it."),
    influences=(Influence.REVIEW,),
    examples=(_("Documents may not leave the contour, and a search service is not allowed there"),),
    length=LONG_TEXT,
    relevant=needs_reason,
    material=False,
    required=True,
)

QUESTIONS: Final = (
    PURPOSE,
    WEIGHTS_CHANGE,
    TARGET,
    ALTERNATIVES,
    EVIDENCE,
    INFERENCE_SERVER,
    CONTINUE_REASON,
)
