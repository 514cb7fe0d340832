"""Values that may be taken with a button: from a file's framework, the catalog, or usual ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from apps.catalog.published import published_model
from apps.intake.configs import offered_by_files
from apps.intake.selectors import Draft
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.echo import display
from apps.questionnaire.own_model import params_of_dimensions
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import Question
from apps.questionnaire.sentences import Text

_FROM_CATALOG: Final = frozenset({"params", "model_kind"})


@dataclass(frozen=True, slots=True)
class Offer:
    """`answer` is what would be saved; nothing is ever filled in without the button."""

    answer: RawAnswer
    text: Text
    label: str


class Offers:
    """What can be offered for the questions of one draft that have no answer yet."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def of(self, question: Question) -> Offer | None:
        answer = self._draft.raw.get(question.key)
        if answer is not None and not answer.blank:
            return None
        if self._draft.guest is not None:  # who knows of no other section, and of no file
            return self._from_catalog(question) or _typical(question)
        return (
            self._from_file(question)
            or self._from_catalog(question)
            or self._from_dimensions(question)
            or self._from_goal(question)
            or _typical(question)
        )

    @cached_property
    def _files(self) -> dict[str, tuple[RawAnswer, str]]:
        return offered_by_files(self._draft)

    def _from_file(self, question: Question) -> Offer | None:
        if question.key not in self._files:
            return None
        answer, framework = self._files[question.key]
        if answer.provenance == "guess":
            text = _("This is likely, judging by the file; confirm it if it is so.")
        else:
            text = _("The file does not say; then %(framework)s does this.") % {
                "framework": framework
            }
        return Offer(answer, text, _label(question, answer.text))

    def _from_catalog(self, question: Question) -> Offer | None:
        if question.key not in _FROM_CATALOG:
            return None
        name = self._draft.evaluated.effective.get("model_name")
        facts = published_model(name) if isinstance(name, str) else None
        if facts is None:
            return None
        value = facts.kind if question.key == "model_kind" else str(int(facts.params_count))
        text = _("The catalog knows this model as %(name)s.") % {"name": facts.name}
        answer = RawAnswer(value, provenance="catalog", note=facts.name[:500])
        return Offer(answer, text, _label(question, value))

    def _from_dimensions(self, question: Question) -> Offer | None:
        """The size of an own architecture follows from its layers and widths."""
        if question.key != "params":
            return None
        counted = params_of_dimensions(self._draft.evaluated.effective)
        if counted is None:
            return None
        text = _("This is what the dimensions of your architecture make.")
        note = _("counted from the dimensions")
        answer = RawAnswer(str(round(counted)), note=note)
        return Offer(answer, text, _label(question, answer.text))

    def _from_goal(self, question: Question) -> Offer | None:
        """A steady format or behaviour in a narrow task: adapters are the first to be tested."""
        goal = self._draft.evaluated.effective.get("purpose")
        if question.key != "method" or goal != "behaviour":
            return None
        text = _("For a steady format or behaviour, adapters are the first method to test.")
        answer = RawAnswer("lora", provenance="typical")
        return Offer(answer, text, _label(question, answer.text))


def _typical(question: Question) -> Offer | None:
    if question.typical is None:
        return None
    value, source = question.typical.value, question.typical.source
    answer = RawAnswer(value, provenance="typical", note=source)
    text = _("A usual value. %(text)s Source: %(source)s.") % {
        "text": question.typical.text,
        "source": source,
    }
    return Offer(answer, text, _label(question, value))


def _label(question: Question, value: str) -> str:
    parsed = parse(question, value)
    shown = display(question, parsed) if parsed is not None else value
    return _("Take “%(value)s”") % {"value": shown}
