"""Going the other way that the gate advises, and coming back with a test of it."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.core.errors import Conflict, DomainError
from apps.documents import services as documents
from apps.documents.notes.effort import result_of_task
from apps.intake.posted import change_of
from apps.intake.selectors import Draft, draft_of
from apps.questionnaire.answers import Evaluated, RawAnswer
from apps.questionnaire.question import LONG_TEXT
from apps.questionnaire.summary import headlines
from apps.questionnaire.to_task import to_context, to_task
from apps.requisitions import services as requisitions
from apps.requisitions.models import Revision
from apps.requisitions.outcomes import OtherWay

_TESTED = "not-enough"


def requisition_redirect(*, draft: Draft, actor: User) -> Revision:
    """End the requisition on the other way that the gate advises, with a document that says so.

    Raises:
        Conflict: the gate advises nothing of the kind, the draft is gone, or an answer was changed
            at the same moment.
    """
    read = draft_of(draft.revision)
    gate = read.evaluated.gate
    if not gate.advised:
        raise Conflict(_("There is no other way to go: training looks justified."))
    way = OtherWay(gate.way)
    # Before the transaction: the engine takes its time, and a writer would hold up all others.
    task, context = to_task(read.evaluated), to_context(read.evaluated)
    result = result_of_task(task, context) if way is OtherWay.PILOT else None
    with transaction.atomic():
        fresh = draft_of(draft.revision)
        if fresh.digest != read.digest:
            raise Conflict(
                _("The answers have changed since you looked at them. Check them again.")
            )
        decision = requisitions.draft_redirect(
            revision=fresh.revision,
            actor=actor,
            way=way,
            effective=effective_answers(fresh.evaluated),
            title=headlines(fresh.evaluated),
        )
        documents.notes_create(decision=decision, result=result)
    return fresh.revision


def effective_answers(evaluated: Evaluated) -> dict[str, dict[str, object]]:
    """The relevant answers in the form in which they are frozen."""
    return {key: a.raw.as_dict() for key, a in evaluated.answers.items() if not a.blank}


@transaction.atomic
def evidence_give(*, revision: Revision, evidence: str, actor: User) -> Draft:
    """Say what a test of the other way has shown; what has ended on that way is taken up again.

    Raises:
        DomainError: nothing was written.
        NotAllowed: the revision cannot be taken up, or not by this person.
    """
    said = evidence.strip()[:LONG_TEXT]
    if not said:
        raise DomainError(_("Write what the test has shown: it is the ground for training."))
    if not revision.is_draft:
        revision = requisitions.revision_open_next(revision=revision, actor=actor)
    draft = draft_of(revision)
    answers = {"alternatives": RawAnswer(_TESTED), "evidence": RawAnswer(said)}
    changes = [change_of(key, answer, draft.version(key)) for key, answer in answers.items()]
    requisitions.answers_save(revision=revision, changes=changes, actor=actor)
    return draft_of(revision)
