"""How a check of several answers looks at them and says what it has found."""

from __future__ import annotations

from apps.questionnaire.problem import Problem
from apps.questionnaire.question import Answers
from apps.questionnaire.sentences import Sentence, Text


def number_of(answers: Answers, key: str) -> float | None:
    value = answers.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def found(key: str, template: Text, **params: object) -> Problem:
    return Problem(key, Sentence(template, params))
