"""Rules of relevance, in words: small functions that make functions over the answers.

A rule may look only at questions that come earlier; what is unknown or blank is not there. So one
pass decides everything, and deciding twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from apps.questionnaire.question import Answers, Parsed

Rule: TypeAlias = Callable[[Answers], bool]


def is_(key: str, *values: Parsed) -> Rule:
    """The question was answered with one of `values`."""
    return lambda answers: answers.get(key) in values


def is_not(key: str, *values: Parsed) -> Rule:
    """The question was not answered with any of `values`; true also while nobody knows."""
    return lambda answers: answers.get(key) not in values


def at_least(key: str, bound: float) -> Rule:
    """The number was given and is not below `bound`."""

    def rule(answers: Answers) -> bool:
        value = answers.get(key)
        return isinstance(value, int | float) and not isinstance(value, bool) and value >= bound

    return rule


def all_of(*rules: Rule) -> Rule:
    return lambda answers: all(rule(answers) for rule in rules)


def any_of(*rules: Rule) -> Rule:
    return lambda answers: any(rule(answers) for rule in rules)
