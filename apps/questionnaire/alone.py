"""One section by itself, for somebody who may know of no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from apps.questionnaire.answers import Evaluated
from apps.questionnaire.checks import contradictions, doubts
from apps.questionnaire.problem import Problem
from apps.questionnaire.sections import SECTION_OF


def section_alone(evaluated: Evaluated, section: str, *, today: date | None) -> Evaluated:
    """The same, but no remark on an answer of the section speaks of an answer elsewhere.

    What is asked still follows from all answers.
    """
    own = {k: v for k, v in evaluated.effective.items() if SECTION_OF[k].key == section}
    unread = tuple(
        Problem(key, answer.error)
        for key, answer in evaluated.answers.items()
        if answer.error is not None and SECTION_OF[key].key == section
    )
    return replace(
        evaluated,
        errors=(*unread, *contradictions(own)),
        warnings=doubts(own, today=today, model=None),
    )
