"""Something to say about one answer."""

from __future__ import annotations

from dataclasses import dataclass

from apps.questionnaire.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Problem:
    """`key` is the question it belongs to: pages link it to that field."""

    key: str
    message: Sentence
