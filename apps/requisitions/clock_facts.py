"""What the queue and the clock need of a client's answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from apps.catalog.published import published_model
from apps.questionnaire.dates import parse_date
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.sections import QUESTIONS
from apps.worktime.sizes import SizeClass

LARGE_PARAMS_COUNT: Final = 30e9
"""A model from here on does not fit one server with its optimizer: several nodes are weighed."""


def _text(answers: Mapping[str, Mapping[str, Any]], key: str) -> str:
    answer = answers.get(key) or {}
    value = answer.get("value")
    return value.strip() if isinstance(value, str) and not answer.get("unknown") else ""


def wanted_on(answers: Mapping[str, Mapping[str, Any]]) -> date | None:
    """The day by which the client wants the server; None when it is not said or no day."""
    try:
        return parse_date(_text(answers, "wanted_date"))
    except ParseError:
        return None


def size_class(answers: Mapping[str, Mapping[str, Any]]) -> SizeClass:
    """Training from scratch and large models take an engineer longer than the usual request."""
    from_scratch = _text(answers, "strategy") == "from-scratch"
    large = from_scratch or (_params_count(answers) or 0) >= LARGE_PARAMS_COUNT
    return SizeClass.LARGE if large else SizeClass.USUAL


def _params_count(answers: Mapping[str, Mapping[str, Any]]) -> float | None:
    if text := _text(answers, "params"):
        try:
            given = parse(QUESTIONS["params"], text)
        except ParseError:
            given = None
        if isinstance(given, int | float):
            return given
    name = _text(answers, "model_name")
    known = published_model(name) if name else None
    return known.params_count if known else None
