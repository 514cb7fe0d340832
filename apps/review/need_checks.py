"""Conditions about the question whether, and with what, to train at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.questionnaire.sections import QUESTIONS
from apps.review.check import Check, Rule
from apps.review.dossier import Dossier

# Without these a size of somebody's server says nothing about training.
_RECIPE: Final = ("method", "sequence_length", "micro_batch", "optimizer")
_RENTING: Final = frozenset({"rent", "hybrid"})


def _foreign_size(dossier: Dossier, user: User) -> Iterator[Check]:
    """The memory of an inference server, or a part number, is no specification of a training."""
    effective = dossier.evaluated.effective
    serves = effective.get("inference_server") is True
    if not serves and not effective.get("sku"):
        return
    lacking = [key for key in _RECIPE if key in dossier.evaluated.answers and key not in effective]
    if lacking:
        yield Check(
            key="foreign-size",
            state="tight",
            text=_("A server is named, the recipe is not: its memory is no specification."),
            sub=_("Unknown: %(what)s.")
            % {"what": ", ".join(str(QUESTIONS[key].name) for key in lacking)},
            href=reverse("review:ask", args=[dossier.revision.pk]),
            link=_("Ask the client"),
        )
    elif serves:
        yield Check(
            key="foreign-size",
            state="ok",
            text=_("The size of the inference server is not carried over; the document says so."),
        )


def _held_out_for_a_rent(dossier: Dossier, user: User) -> Iterator[Check]:
    """Before a rent is paid for it is known what the result will be judged by."""
    effective = dossier.evaluated.effective
    if effective.get("acquisition") not in _RENTING or "held_out_set" in effective:
        return
    question = next((q for q in dossier.questions if q.key == "held_out_set"), None)
    if question is not None and question.owner_name and question.due_text:
        return
    anchor = f"#q-{question.pk}" if question else ""
    yield Check(
        key="held-out-for-rent",
        state="blocked",
        text=_("A rent, and nobody knows whether there is a held-out set to judge it by."),
        sub=_("Name who finds it out and by when, or ask the client."),
        href=reverse("review:workspace", args=[dossier.revision.pk]) + anchor
        if question
        else reverse("review:ask", args=[dossier.revision.pk]),
        link=_("Name them") if question else _("Ask the client"),
    )


NEED_RULES: Final[tuple[Rule, ...]] = (_foreign_size, _held_out_for_a_rent)
