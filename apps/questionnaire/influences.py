"""What the influences of a question are called."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from apps.questionnaire.question import Influence, Question
from apps.questionnaire.sentences import Text

NAMES: Final[dict[Influence, Text]] = {
    Influence.MEMORY: pgettext_lazy("influence", "memory"),
    Influence.LINK: pgettext_lazy("influence", "link between GPUs"),
    Influence.TIME: pgettext_lazy("influence", "time"),
    Influence.STORAGE: pgettext_lazy("influence", "storage"),
    Influence.HOST: pgettext_lazy("influence", "processors and RAM"),
    Influence.RACK: pgettext_lazy("influence", "rack"),
    Influence.METHOD: pgettext_lazy("influence", "method"),
    Influence.PLATFORM: pgettext_lazy("influence", "choice of platform"),
    Influence.REVIEW: pgettext_lazy("influence", "check by the engineer"),
}


def influence_names(question: Question) -> str:
    """«память, время»: what the answer moves."""
    return ", ".join(str(NAMES[i]) for i in question.influences)
