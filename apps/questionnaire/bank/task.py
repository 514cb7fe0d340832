"""The business task in words, how success is measured, and whom to ask."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire.question import LONG_TEXT, Influence, Kind, Question
from apps.questionnaire.when import is_

BUSINESS_TASK: Final = Question(
    key="business_task",
    name=pgettext_lazy("short name of a question", "Business task"),
    kind=Kind.LONG,
    label=_("What task should the trained model solve?"),
    hint=_("Who uses it, what goes in, what comes out. Two or three sentences are enough."),
    why=_(
        "From the task the engineer sees whether the chosen method and volume make sense; facts say more than “a powerful graphics card”."
    ),
    influences=(Influence.METHOD, Influence.REVIEW),
    examples=(
        _(
            "Operators of the support line get a draft answer in the style of the company; 400 requests a day, answers in Russian"
        ),
    ),
    length=LONG_TEXT,
    required=True,
    weight=3,
)

SUCCESS: Final = Question(
    key="success_criterion",
    name=pgettext_lazy("short name of a question", "Success criterion"),
    kind=Kind.LONG,
    label=_("How will you know that training has worked?"),
    hint=_("A metric and the value that is enough."),
    why=_(
        "Without a measure the pilot has nothing to decide by, and a bigger server does not prove that training helped."
    ),
    influences=(Influence.REVIEW,),
    examples=(_("At least 85 percent of correct answers on 200 held-out questions"),),
    length=LONG_TEXT,
    weight=2,
)

HELD_OUT: Final = Question(
    key="held_out_set",
    name=pgettext_lazy("short name of a question", "Held-out data"),
    kind=Kind.BOOLEAN,
    label=_("Do you have held-out data to check quality on?"),
    hint=_("Data that the model will never see in training."),
    why=_(
        "Quality on held-out data is what the pilot is judged by; without it a rent or a purchase is a guess."
    ),
    influences=(Influence.REVIEW, Influence.PLATFORM),
    weight=2,
)

HELD_OUT_SAMPLES: Final = Question(
    key="held_out_samples",
    name=pgettext_lazy("short name of a question", "Contents of the held-out set"),
    kind=Kind.TEXT,
    label=_("What is in the held-out set?"),
    hint=_("How many samples and where they come from."),
    why=_(
        "A small or one-sided set widens the error of the result; the engineer will take it into account."
    ),
    influences=(Influence.REVIEW,),
    examples=(_("200 questions of the support line for October"),),
    relevant=is_("held_out_set", True),
    material=False,
    optional=True,
)

CONTACT_NAME: Final = Question(
    key="contact_name",
    name=pgettext_lazy("short name of a question", "Contact person"),
    kind=Kind.TEXT,
    label=_("Who answers questions about this requisition?"),
    hint=_("Name and role."),
    why=_("The engineer asks this person when something is unclear."),
    influences=(Influence.REVIEW,),
    examples=(_("Anna Vereshchagina, ML engineer"),),
    material=False,
    required=True,
    autocomplete="name",
)

CONTACT_EMAIL: Final = Question(
    key="contact_email",
    name=pgettext_lazy("short name of a question", "Contact e-mail"),
    kind=Kind.EMAIL,
    label=_("Where to write to this person?"),
    hint=_("One e-mail address."),
    why=_("Questions of the engineer and the assessment go there."),
    influences=(Influence.REVIEW,),
    examples=("name@company.com",),
    material=False,
    required=True,
    autocomplete="email",
)

ABOUT: Final = (BUSINESS_TASK, SUCCESS, HELD_OUT, HELD_OUT_SAMPLES)
CONTACT: Final = (CONTACT_NAME, CONTACT_EMAIL)
