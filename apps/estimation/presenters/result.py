"""The conclusion of a result, its assumptions, questions and what it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core.formatting import percent
from apps.estimation.presenters.variants import VariantView, variants_of
from apps.estimation.texts import code_word, field_label, sentences
from apps.questionnaire.to_task import TASK_FIELDS

_PASSES = frozenset({"fits", "tight"})


def headline(result: Mapping[str, Any]) -> str:
    """The conclusion in one sentence, without a full stop: the title of a page."""
    verdict = result.get("verdict")
    if not verdict:
        return _("There is no conclusion yet")
    conclusion = code_word("verdict_headline", verdict)
    variants = variants_of(result)
    timed = any((v.block.get("time") or {}).get("cycle") for v in variants)
    said = _variants_in_short(variants) if timed else _held_in_short(variants)
    return f"{conclusion}: {said}" if said else conclusion


def _variants_in_short(variants: list[VariantView]) -> str:
    """«проходит V2; не проходит V3»."""
    passing = [v.key for v in variants if v.overall in _PASSES]
    failing = [v.key for v in variants if v.overall == "does-not-fit"]
    parts = []
    if passing:
        passes = ngettext("%(keys)s passes", "%(keys)s pass", len(passing))
        parts.append(passes % {"keys": ", ".join(passing)})
    if failing:
        fails = ngettext("%(keys)s does not", "%(keys)s do not", len(failing))
        parts.append(fails % {"keys": ", ".join(failing)})
    return "; ".join(parts)


def _held_in_short(variants: list[VariantView]) -> str:
    """Without a length of the run only the memory can be judged."""
    held = [v.key for v in variants if v.cell("memory").state in _PASSES]
    return (
        _("%(keys)s hold it by memory, time is not known") % {"keys": ", ".join(held)}
        if held
        else ""
    )


def assumption_texts(result: Mapping[str, Any]) -> list[str]:
    return sentences(result.get("assumptions", ()))


def not_counted_texts(result: Mapping[str, Any]) -> list[str]:
    return sentences(result.get("not_counted", ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineQuestion:
    """A field the engine does not know. `influence` is text: how far it moves the result."""

    field: str
    label: str
    influence: str
    question_key: str


def question_rows(result: Mapping[str, Any]) -> list[EngineQuestion]:
    """In the document's order: the most influential first."""
    return [
        EngineQuestion(
            field=question["field"],
            label=field_label(question["field"]),
            influence=percent(question["influence"]),
            question_key=TASK_FIELDS.get(question["field"], ""),
        )
        for question in result.get("open_questions", ())
    ]
