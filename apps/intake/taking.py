"""Answers taken over: from the words of a request, from a file of a draft, from an earlier requisition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction

from apps.accounts.models import User
from apps.intake.draft_files import DraftFile
from apps.intake.posted import change_of
from apps.intake.selectors import Draft, draft_of
from apps.intake.services import requisition_start
from apps.phrases.found import Found
from apps.questionnaire.answers import RawAnswer
from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision
from apps.requisitions.services import SaveOutcome

# What belongs to one purchase, or to one person, and not to the next.
_NOT_CARRIED: Final = frozenset(
    {"contact_name", "contact_email", "wanted_date", "budget", "continue_reason"}
)
_OURS: Final = frozenset({"engineer", "pilot"})


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A value that the client confirmed or changed, over the version of the answer that was shown."""

    value: str
    version: int


def words_take(
    *, draft: Draft, found: Iterable[Found], confirmed: Mapping[str, Confirmed], actor: User
) -> SaveOutcome:
    """Answer with what the client confirmed; each answer keeps the words that it came from.

    A value that the client changed is the client's own.
    """
    changes = []
    for one in found:
        taken = confirmed.get(one.key)
        if taken is None:
            continue
        same = taken.value == one.value
        answer = RawAnswer(
            taken.value,
            provenance="words" if same else "client",
            note=f"«{one.quote}»" if same else "",
        )
        changes.append(change_of(one.key, answer, taken.version))
    return requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)


@transaction.atomic
def draft_restore(*, file: DraftFile, actor: User) -> Draft:
    """A new requisition with the answers, the unknowns and the notes of a draft's file.

    An answer of an engineer or of a pilot comes back as the client's: a file proves nothing.
    """
    draft = requisition_start(actor=actor)
    _put(draft, file.answers, actor)
    for section in file.finished_sections:
        requisitions.section_finish(
            revision=draft.revision, section=section, finished=True, actor=actor
        )
    return draft_of(draft.revision)


@transaction.atomic
def earlier_take(*, earlier: Revision, actor: User) -> Draft:
    """A new requisition with the answers of one that was sent, each naming its number."""
    number = earlier.requisition.display_number
    known = {
        key: replace(answer, provenance="earlier", note=number)
        for key, answer in draft_of(earlier).raw.items()
        if key not in _NOT_CARRIED and not answer.unknown and not answer.blank
    }
    draft = requisition_start(actor=actor)
    _put(draft, known, actor)
    return draft_of(draft.revision)


def _put(draft: Draft, answers: Mapping[str, RawAnswer], actor: User) -> None:
    fresh = draft_of(draft.revision)
    changes = [
        change_of(
            key,
            replace(answer, provenance="client") if answer.provenance in _OURS else answer,
            fresh.version(key),
        )
        for key, answer in answers.items()
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)
