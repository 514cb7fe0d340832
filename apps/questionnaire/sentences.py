"""Sentences that are put together when they are shown, in the language of that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.utils.functional import Promise

Text: TypeAlias = str | Promise
"""Plain text, or text that waits for the language: gettext_lazy gives it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A translatable template with named parameters.

    A parameter may itself be lazy, or a callable that gives its text: a number has to be written
    the way the language of the page writes it, and that is known only when the page is made.
    """

    template: Text
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.params:
            return str(self.template)
        return str(self.template) % {name: _said(value) for name, value in self.params.items()}


def _said(value: object | Callable[[], object]) -> str:
    return str(value()) if callable(value) else str(value)
