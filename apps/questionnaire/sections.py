"""The order of everything: address, task list, pages, summary and document all read this tuple."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.bank import (
    data,
    goal,
    horizon,
    measured,
    memory,
    method,
    model,
    purchase,
    recipe,
    site,
    task,
    timing,
)
from apps.questionnaire.question import Answers, Question, always
from apps.questionnaire.sentences import Text
from apps.questionnaire.when import any_of, is_, is_not


@dataclass(frozen=True, slots=True)
class Page:
    """A few questions of one thing. `title` is asked as a question and heads the page."""

    key: str
    title: Text
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A row of the task list.

    `key` stands in addresses and is never renamed. `name` is the short noun for summaries and
    documents, `title` says what to do. A section without pages has a screen of its own.
    """

    key: str
    name: Text
    title: Text
    intro: Text
    pages: tuple[Page, ...] = ()
    relevant: Callable[[Answers], bool] = always
    optional: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(chain.from_iterable(page.questions for page in self.pages))


SECTIONS: Final = (
    Section(
        "goal",
        _("Goal"),
        _("State the goal"),
        _("We first find out whether training is needed: sometimes a ready model is enough."),
        (Page("goal", _("What is your goal?"), goal.QUESTIONS),),
    ),
    Section(
        "task",
        _("Task"),
        _("Describe the task"),
        _("In your own words. It is read by the engineer who will check the calculation."),
        (
            Page("task", _("What task will the model solve?"), task.ABOUT),
            Page("contact", _("Whom may we ask?"), task.CONTACT),
        ),
    ),
    Section(
        "method",
        _("Strategy and method"),
        _("Choose the strategy and the method"),
        _("What changes in the model, and how. It moves the result more than the choice of a GPU."),
        (Page("method", _("How do you train?"), method.QUESTIONS),),
    ),
    Section(
        "model",
        _("Model"),
        _("Name the model"),
        _(
            "For a published model the name is enough; for your own architecture we ask its dimensions."
        ),
        (
            Page("model", _("Which model do you train?"), model.IDENTITY),
            Page("dimensions", _("What are its dimensions?"), model.DIMENSIONS),
        ),
    ),
    Section(
        "data",
        _("Data"),
        _("Describe the data"),
        _("The dataset decides not only the drives but the processors and the time as well."),
        (
            Page("volume", _("What do you train on?"), data.CONTENTS),
            Page("reading", _("How is it read, and what else has to fit?"), data.READING),
        ),
    ),
    Section(
        "timing",
        _("Time and experiments"),
        _("Set the time and the experiments"),
        _(
            "The wish and the estimate are compared in the assessment; the wish does not become a promise."
        ),
        (
            Page("time", _("What kind of time limit is it?"), timing.DEADLINE),
            Page("experiments", _("How many runs will there be?"), timing.SERIES),
        ),
    ),
    Section(
        "horizon",
        _("Horizon"),
        _("State the horizon"),
        _("How long the server will serve and who will share it."),
        (Page("horizon", _("What comes after this project?"), horizon.QUESTIONS),),
    ),
    Section(
        "recipe",
        _("Recipe"),
        _("Fill in the training recipe"),
        _(
            "Most of this stands in the configuration file of the training. What you do not know we will count in several ways."
        ),
        (
            Page("software", _("With what, and in what precision?"), recipe.SOFTWARE),
            Page("adapters", _("Which adapters?"), recipe.ADAPTERS),
            Page("batch", _("How much goes into one step?"), recipe.BATCH),
            Page("savings", _("What saves memory?"), memory.SAVINGS),
            Page("course", _("How long does it run and what is saved?"), memory.COURSE),
            Page("measured", _("Has it been measured?"), measured.WHERE),
            Page("figures", _("What was measured?"), measured.FIGURES),
            Page("stages", _("What does it consist of?"), measured.STAGES),
        ),
    ),
    Section(
        "purchase",
        _("Rent or purchase"),
        _("Say whether to rent or to buy"),
        _("We name no prices and promise no dates: this narrows the variants."),
        (Page("purchase", _("How do you want to have the server?"), purchase.QUESTIONS),),
    ),
    Section(
        "site",
        _("Rack"),
        _("Check the rack"),
        _("Ask the person who runs the server room. What is not known will be an open question."),
        (
            Page("power", _("How much power is there?"), site.POWER),
            Page("room", _("Is there room and cooling?"), site.ROOM),
            Page("network", _("What if one server is not enough?"), site.BETWEEN),
        ),
        relevant=any_of(is_not("acquisition", "rent"), is_("own_rack", True)),
    ),
    Section(
        "files",
        _("Files"),
        _("Attach files"),
        _(
            "Configuration of the training, a memory profile, a specification, a drawing of the rack."
        ),
        optional=True,
    ),
    Section(
        "check",
        _("Check"),
        _("Check and send"),
        _(
            "After sending, the answers of this revision do not change; a new revision can correct them."
        ),
    ),
)

QUESTIONS: Final[dict[str, Question]] = {q.key: q for s in SECTIONS for q in s.questions}
SECTION_OF: Final[dict[str, Section]] = {q.key: s for s in SECTIONS for q in s.questions}
_BY_KEY: Final = {s.key: s for s in SECTIONS}


def section_for(key: str) -> Section | None:
    """The section of that address, or None."""
    return _BY_KEY.get(key)
