"""What engineers do to a revision in review, short of moving it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.core.prices import names_a_price
from apps.requisitions import policy
from apps.requisitions.announcements import announce_taken
from apps.requisitions.models import OpenQuestion, Override, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.services.clock import clock_looked
from apps.requisitions.services.requisition import next_draft
from apps.requisitions.services.transition import revision_transition
from apps.requisitions.workflow import Action


def _require(user: User, deed: Deed, revision: Revision) -> None:
    if not policy.may(user, deed, revision):
        raise NotAllowed(_("Your role does not allow this step."))


@transaction.atomic
def revision_take(*, revision: Revision, actor: User) -> None:
    """Make the engineer responsible. Taking what is one's own already changes nothing.

    Raises:
        Conflict: another engineer has it.
    """
    _require(actor, Deed.TAKE, revision)
    if revision.engineer_id == actor.pk:
        return
    taken = Revision.objects.filter(pk=revision.pk, engineer__isnull=True).update(engineer=actor)
    if not taken:
        raise Conflict(_("Another engineer has taken this requisition."))
    revision.engineer = actor
    clock_looked(revision=revision, at=timezone.now())
    audit.record(actor=actor, action="requisition.take", subject=revision)
    announce_taken(revision=revision, actor=actor)


@transaction.atomic
def revision_give_back(*, revision: Revision, actor: User) -> None:
    """Put the requisition back into the queue."""
    _require(actor, Deed.GIVE_BACK, revision)
    if Revision.objects.filter(pk=revision.pk, engineer=actor).update(engineer=None):
        revision.engineer = None
        audit.record(actor=actor, action="requisition.give-back", subject=revision)


@transaction.atomic
def override_set(
    *,
    revision: Revision,
    actor: User,
    field: str,
    value: Any,
    reason: str,
    reason_shown: bool = False,
) -> Override:
    """Set the engineer's value beside the client's; an earlier one of the field steps back.

    Args:
        reason_shown: the client reads the reason before the approval already.

    Raises:
        DomainError: no reason was given, or a price stands in one that the client reads at once.
    """
    _require(actor, Deed.OVERRIDE, revision)
    if not reason.strip():
        raise DomainError(_("Say why: the client will read the reason beside the value."))
    if reason_shown and names_a_price(reason):
        raise DomainError(_("The client reads the reason at once: leave the price out."))
    revision.overrides.filter(field=field, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    override = Override.objects.create(
        revision=revision,
        field=field,
        value=value,
        reason=reason.strip(),
        reason_shown=reason_shown,
        author=actor,
    )
    _settle(revision, actor, field)
    audit.record(actor=actor, action="review.override", subject=revision, field=field)
    revision_touch(revision)
    return override


@transaction.atomic
def override_remove(*, revision: Revision, actor: User, field: str) -> bool:
    """Take the engineer's value back. False when there was none."""
    _require(actor, Deed.OVERRIDE, revision)
    removed = revision.overrides.filter(field=field, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    if removed:
        audit.record(actor=actor, action="review.override-remove", subject=revision, field=field)
        revision_touch(revision)
    return bool(removed)


@transaction.atomic
def recheck_settle(*, revision: Revision, actor: User, field: str) -> bool:
    """Say that an engineer's value of an earlier revision is not needed here. False: said before."""
    _require(actor, Deed.OVERRIDE, revision)
    settled = _settle(revision, actor, field)
    if settled:
        audit.record(actor=actor, action="review.recheck", subject=revision, field=field)
        revision_touch(revision)
    return settled


def _settle(revision: Revision, actor: User, field: str) -> bool:
    waiting = revision.rechecks.filter(override__field=field, settled_at__isnull=True)
    return bool(waiting.update(settled_at=timezone.now(), settled_by=actor))


def revision_touch(revision: Revision) -> None:
    """What an approver would sign has changed: a page opened before must not decide."""
    Revision.objects.filter(pk=revision.pk).update(version=F("version") + 1)
    revision.version += 1


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to the client; `key` leads to a question of the questionnaire."""

    text: str
    key: str = ""


@transaction.atomic
def changes_request(
    *, revision: Revision, actor: User, asks: Sequence[Ask], comment: str = ""
) -> Revision:
    """Send the revision back with questions and open the next letter for the answers.

    Returns:
        The draft for the answers: a new one with a copy of them, or the one that the client has
        opened already.

    Raises:
        DomainError: no question was asked.
    """
    questions = [ask for ask in asks if ask.text.strip() or ask.key]
    if not questions:
        raise DomainError(_("Ask at least one question, so that the client knows what to do."))
    OpenQuestion.objects.bulk_create(
        OpenQuestion(
            revision=revision,
            key=ask.key,
            text=ask.text.strip(),
            origin=OpenQuestion.Origin.ENGINEER,
            created_by=actor,
        )
        for ask in questions
    )
    revision_transition(
        revision=revision, action=Action.REQUEST_CHANGES, actor=actor, comment=comment
    )
    return next_draft(revision.requisition, actor)


@transaction.atomic
def question_close(*, question: OpenQuestion, actor: User, answered: bool) -> None:
    """Mark a question answered or dropped."""
    _require(actor, Deed.ASK, question.revision)
    state = OpenQuestion.State.ANSWERED if answered else OpenQuestion.State.DROPPED
    OpenQuestion.objects.filter(pk=question.pk).update(state=state)
    audit.record(
        actor=actor,
        action="review.question-close",
        subject=question.revision,
        question=question.key,
        outcome=state.value,
    )


def questions_rank(*, revision: Revision, influence: Mapping[str, float]) -> None:
    """Store by how much each open question moves the result (question key -> ratio)."""
    for question in revision.open_questions.filter(key__in=influence.keys()):
        question.influence = influence[question.key]
        question.save(update_fields=["influence"])
