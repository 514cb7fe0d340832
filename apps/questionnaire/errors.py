"""What can be wrong with one answer."""

from __future__ import annotations

from typing import Any

from apps.questionnaire.sentences import Sentence, Text


class ParseError(ValueError):
    """An answer that cannot be read. `message` says how to mend it."""

    def __init__(self, template: Text, **params: Any) -> None:
        self.message = Sentence(template, params)
        super().__init__(template)

    def __str__(self) -> str:
        return str(self.message)
