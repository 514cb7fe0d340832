"""A calculation of a visitor becomes a draft of a requisition, with nothing lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from apps.accounts.models import User
from apps.estimation.texts import value_text
from apps.intake import services as intake
from apps.intake.posted import change_of
from apps.intake.selectors import Draft
from apps.requisitions import services as requisitions
from apps.tryout.kept import Kept
from apps.tryout.recipe import GPUS, PASTED_NAME, Typed

TYPED_NAME = "calculated-before.txt"
REPORT_NAME = "memory-report.txt"


@transaction.atomic
def requisition_from(*, kept: Kept, actor: User) -> Draft:
    """Open a requisition with these answers, each with where it comes from.

    The texts that were pasted become its files, so that the questionnaire offers what the settings
    leave to the framework; so does what no question asks for: the number of GPUs and the layout.

    Raises:
        NotAllowed: the person works for nobody who could ask.
    """
    draft = intake.requisition_start(actor=actor)
    files = {
        PASTED_NAME: kept.settings,
        REPORT_NAME: kept.report,
        TYPED_NAME: "\n".join(_beside(kept.typed)),
    }
    for name, text in files.items():
        if text:
            requisitions.attachment_add(
                requisition=draft.requisition,
                revision=draft.revision,
                name=name,
                content=text.encode("utf-8"),
                actor=actor,
            )
    changes = [
        change_of(key, answer, draft.version(key)) for key, answer in kept.typed.answers.items()
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)
    return draft


def _beside(typed: Typed) -> Iterator[str]:
    """Lines for what no question asks for."""
    if typed.text(GPUS.key):
        yield f"{GPUS.name}: {typed.text(GPUS.key)}"
    for name, text in typed.layout.items():
        yield f"{name}: {value_text(f'placement.{name}', text)}"
