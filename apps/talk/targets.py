"""What a comment may be about, as a code and in words.

`question:lora_rank`, `estimate:memory`, `variant:…`, `section:rack`, or nothing for the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.estimation.presenters import variants_of
from apps.estimation.selectors import latest_assessment, result_of
from apps.estimation.texts import estimator_name, field_label
from apps.estimation.wording.fields import FIELD_LABELS
from apps.estimation.wording.values import ESTIMATORS
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import raw_answers

# Parts of the document as its contents name them.
SECTIONS: Final[Mapping[str, Promise]] = {
    "summary": gettext_lazy("Summary"),
    "need": gettext_lazy("Whether training is needed"),
    "inputs": gettext_lazy("Task and input"),
    "methods": gettext_lazy("Methods: full, LoRA, QLoRA"),
    "matrix": gettext_lazy("Variants of the platform"),
    "questions": gettext_lazy("Open questions"),
    "pilot": gettext_lazy("Pilot"),
    "memory": gettext_lazy("Memory"),
    "pace": gettext_lazy("Exchange and time"),
    "storage": gettext_lazy("Data and storage"),
    "rack": gettext_lazy("Rack, power, cooling"),
    "host": gettext_lazy("CPU and RAM"),
    "grounds": gettext_lazy("Assumptions"),
    "sources": gettext_lazy("Sources"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Choices of one kind under their heading."""

    label: str
    choices: tuple[tuple[str, str], ...]


def target_groups(user: User, revision: Revision) -> list[Group]:
    """What the user may write about: figures and variants only when they may see them."""
    groups = []
    if policy.may(user, Deed.SEE_ESTIMATES, revision):
        figures = ((f"estimate:{k}", estimator_name(k)) for k in ESTIMATORS if k != "assemble")
        sections = ((f"section:{key}", str(name)) for key, name in SECTIONS.items())
        groups = [
            Group(_("Figures"), tuple(figures)),
            Group(_("Variants"), tuple(_variants(revision))),
            Group(_("Sections of the document"), tuple(sections)),
        ]
    answered = (key for key in QUESTIONS if key in raw_answers(revision))
    asked = ((f"question:{key}", str(QUESTIONS[key].name)) for key in answered)
    groups.append(Group(_("Answers"), tuple(asked)))
    return [group for group in groups if group.choices]


def asked_about(about: str, groups: Iterable[Group]) -> tuple[Group, ...]:
    """A question of the form that has no answer may be written about too, when a page leads here
    with it."""
    kind, _colon, key = about.partition(":")
    known = {code for group in groups for code, _label in group.choices}
    if kind != "question" or key not in QUESTIONS or about in known:
        return ()
    return (Group(_("Without an answer"), ((about, str(QUESTIONS[key].name)),)),)


def _variants(revision: Revision) -> Iterable[tuple[str, str]]:
    assessment = latest_assessment(revision)
    if assessment is None:
        return
    for variant in variants_of(result_of(assessment)):
        code = f"variant:{variant.key}"
        if len(code) <= 100:
            yield code, f"{variant.name}: {variant.hardware}"


def target_names(user: User, revision: Revision, targets: Iterable[str]) -> dict[str, str]:
    """Targets in words. Whoever may not see figures yet reads of a variant that it is one."""
    wanted = set(targets)
    variants: dict[str, str] = {}
    if any(target.startswith("variant:") for target in wanted):
        seen = policy.may(user, Deed.SEE_ESTIMATES, revision)
        variants = dict(_variants(revision)) if seen else {}
    return {target: variants.get(target) or _name(target) for target in wanted}


def _name(target: str) -> str:
    kind, _colon, key = target.partition(":")
    if kind == "question" and key in QUESTIONS:
        return str(QUESTIONS[key].name)
    if kind == "estimate" and key in ESTIMATORS:
        return estimator_name(key)
    if kind == "field" and key in FIELD_LABELS:
        return field_label(key)
    if kind == "section" and key in SECTIONS:
        return _("Document: %(section)s") % {"section": SECTIONS[key]}
    return _("a variant") if kind == "variant" else ""
