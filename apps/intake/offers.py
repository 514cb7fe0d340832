"""Values that may be taken with a button: typical ones, and what the catalog knows of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.intake.selectors import Draft, published_model
from apps.questionnaire.echo import display
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Question
from apps.questionnaire.sentences import Text

_FROM_CATALOG: Final = frozenset({"params", "model_kind"})


@dataclass(frozen=True, slots=True)
class Offer:
    """`value` is what would be typed; nothing is ever filled in without the button."""

    value: str
    provenance: str
    note: str
    text: Text
    label: str


def offer_for(draft: Draft, question: Question) -> Offer | None:
    """What to offer for a question that has no answer yet."""
    answer = draft.raw.get(question.key)
    if answer is not None and not answer.blank:
        return None
    if question.key in _FROM_CATALOG:
        return _catalog_offer(draft, question)
    if question.typical is None:
        return None
    value = question.typical.value
    return Offer(value, "typical", "", question.typical.text, _label(question, value))


def _catalog_offer(draft: Draft, question: Question) -> Offer | None:
    name = draft.evaluated.effective.get("model_name")
    facts = published_model(name) if isinstance(name, str) else None
    if facts is None:
        return None
    value = facts.kind if question.key == "model_kind" else str(int(facts.params_count))
    text = _("The catalog knows this model as %(name)s.") % {"name": facts.name}
    return Offer(value, "catalog", facts.name[:500], text, _label(question, value))


def _label(question: Question, value: str) -> str:
    parsed = parse(question, value)
    shown = display(question, parsed) if parsed is not None else value
    return _("Take “%(value)s”") % {"value": shown}
