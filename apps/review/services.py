"""What the screens do: requisitions, estimates and documents moved together, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.core.prices import words_for_client
from apps.documents import services as documents
from apps.estimation.inputs import engine_input, evaluated_of, task_of_answers, value_in
from apps.estimation.models import Calculation
from apps.estimation.selectors import latest_calculation
from apps.estimation.services import calculation_start
from apps.estimation.texts import field_label
from apps.requisitions import policy
from apps.requisitions import services as requisitions
from apps.requisitions.models import Decision, OpenQuestion, Revision
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import active_overrides
from apps.requisitions.services.review import Ask
from apps.requisitions.workflow import Action, State
from apps.review.checks import blockers_of
from apps.review.dossier import dossier_of
from apps.review.holding import held
from apps.review.selectors import current_drafts
from apps.sizing.errors import TaskError


def _calculate(revision: Revision, actor: User, reason: str) -> Calculation:
    """Start the estimators over the frozen answers with the engineer's values in them."""
    task, context = engine_input(revision)
    try:
        return calculation_start(
            revision=revision, task=task, context=context, actor=actor, reason=reason
        )
    except TaskError as problem:
        raise DomainError(
            _("The values contradict each other: %(field)s.")
            % {"field": field_label(problem.field or "")}
        ) from problem


@transaction.atomic
def override_apply(
    *,
    revision: Revision,
    actor: User,
    field: str,
    value: Any,
    reason: str,
    expected_version: int,
    reason_shown: bool = False,
) -> Calculation | None:
    """Put the engineer's value beside the client's and estimate again.

    Returns:
        The new calculation; None when the same value with the same reason stands already, so a
        second click changes nothing.

    Raises:
        Conflict: the revision changed since the form was shown.
        DomainError: no reason, a price in one that the client reads at once, or the value
            contradicts the rest of the task.
    """
    same = revision.overrides.filter(
        field=field,
        reason=reason.strip(),
        reason_shown=reason_shown,
        author=actor,
        removed_at__isnull=True,
    )
    if any(override.value == value for override in same):
        return None
    row = held(revision, expected_version)
    requisitions.override_set(
        revision=row,
        actor=actor,
        field=field,
        value=value,
        reason=reason,
        reason_shown=reason_shown,
    )
    return _calculate(row, actor, f"override {field}")


@transaction.atomic
def trial_take(
    *,
    revision: Revision,
    actor: User,
    values: Mapping[str, Any],
    reason: str,
    expected_version: int,
) -> Calculation | None:
    """Make the values of a trial the engineer's, all with one reason, and estimate again once.

    A value that the client gave takes the engineer's back.

    Returns:
        The new calculation; None when all of it stands already, so a second click changes nothing.

    Raises:
        NotAllowed: the person, or the state of the revision.
        Conflict: the revision changed since the page was shown.
        DomainError: no reason, nothing chosen, or the values contradict the rest of the task.
    """
    if not policy.may(actor, Deed.OVERRIDE, revision):
        raise NotAllowed(_("Your role does not allow this step."))
    if not values:
        raise DomainError(_("Choose at least one difference."))
    standing = active_overrides(revision)
    asked = task_of_answers(revision, evaluated_of(revision))
    undone = [f for f, value in values.items() if value_in(asked, f) == value]
    new = {f: v for f, v in values.items() if f not in undone and standing.get(f) != v}
    back = [field for field in undone if field in standing]
    if not new and not back:
        return None
    row = held(revision, expected_version)
    for field in back:
        requisitions.override_remove(revision=row, actor=actor, field=field)
    for field, value in new.items():
        requisitions.override_set(
            revision=row, actor=actor, field=field, value=value, reason=reason
        )
    return _calculate(row, actor, "what-if")


@transaction.atomic
def override_undo(
    *, revision: Revision, actor: User, field: str, expected_version: int
) -> Calculation | None:
    """Take the engineer's value back and estimate again; None when there was none."""
    if not revision.overrides.filter(field=field, removed_at__isnull=True).exists():
        return None
    row = held(revision, expected_version)
    requisitions.override_remove(revision=row, actor=actor, field=field)
    return _calculate(row, actor, f"override-remove {field}")


@transaction.atomic
def value_drop(*, revision: Revision, actor: User, field: str) -> None:
    """Settle that an engineer's value of an earlier letter is not needed; twice is once."""
    rows = requisitions.revisions_hold(revision.requisition_id)
    row = next(row for row in rows if row.pk == revision.pk)
    requisitions.recheck_settle(revision=row, actor=actor, field=field)


@transaction.atomic
def recalculate(*, revision: Revision, actor: User) -> Calculation:
    """Estimate again with the same values; the calculation that runs already if one does."""
    if not policy.may(actor, Deed.RECALCULATE, revision):
        raise NotAllowed(_("Your role does not allow this step."))
    row = Revision.objects.select_for_update().get(pk=revision.pk)
    latest = latest_calculation(row)
    if latest is not None and latest.state == Calculation.State.RUNNING:
        return latest
    audit.record(actor=actor, action="review.recalculate", subject=row)
    return _calculate(revision, actor, "asked for")


def _repeats(revision: Revision, kind: Decision.Kind, actor: User, expected_version: int) -> bool:
    """Is this the second click of a decision that has been taken already?"""
    last = revision.decisions.order_by("at", "id").last()
    if last is None or (last.kind, last.by_id) != (kind, actor.pk):
        return False
    return revision.version == expected_version + 1


@transaction.atomic
def clarification_request(
    *, revision: Revision, actor: User, asks: Sequence[Ask], comment: str, expected_version: int
) -> None:
    """Send the revision back to the client with questions.

    Raises:
        DomainError: no question was asked.
        Conflict: the revision changed since the form was shown.
    """
    if _repeats(revision, Decision.Kind.REQUEST_CHANGES, actor, expected_version):
        return
    row = held(revision, expected_version)
    requisitions.changes_request(revision=row, actor=actor, asks=asks, comment=comment)


@transaction.atomic
def question_settle(*, question: OpenQuestion, actor: User, answered: bool) -> None:
    """Close an open question as answered or as not needed any more."""
    requisitions.question_close(question=question, actor=actor, answered=answered)


@transaction.atomic
def question_assign(*, question: OpenQuestion, actor: User, owner_name: str, due_text: str) -> None:
    """Write down who answers an open question and by when."""
    if not policy.may(actor, Deed.ASK, question.revision):
        raise NotAllowed(_("Your role does not allow this step."))
    OpenQuestion.objects.filter(pk=question.pk).update(
        owner_name=owner_name.strip(), due_text=due_text.strip()
    )
    audit.record(
        actor=actor,
        action="review.question-assign",
        subject=question.revision,
        question=question.key,
    )


@transaction.atomic
def drafts_print(*, revision: Revision, actor: User) -> None:
    """Have the draft documents of the facts as they are now made."""
    if not policy.may(actor, Deed.PRINT_DRAFT, revision):
        raise NotAllowed(_("Your role does not allow this step."))
    documents.draft_documents_create(revision=revision, actor=actor)


def _refuse_blocked(revision: Revision, actor: User) -> None:
    blockers = blockers_of(dossier_of(revision), actor)
    if blockers:
        raise DomainError(_("This is not possible yet: %(first)s") % {"first": blockers[0].text})


@transaction.atomic
def approval_request(
    *, revision: Revision, actor: User, comment: str, expected_version: int
) -> None:
    """Hand the revision to the approvers and have the draft documents made.

    Raises:
        DomainError: a blocking check is not met.
        Conflict: the revision changed since the page was shown.
    """
    if _repeats(revision, Decision.Kind.SEND_TO_APPROVAL, actor, expected_version):
        return
    row = held(revision, expected_version)
    if policy.can(actor, Action.SEND_TO_APPROVAL, row):
        _refuse_blocked(row, actor)
    requisitions.revision_transition(
        revision=row,
        action=Action.SEND_TO_APPROVAL,
        actor=actor,
        comment=comment,
        expected_version=expected_version,
    )
    documents.draft_documents_create(revision=row, actor=actor)


@transaction.atomic
def redirect_elsewhere(
    *, revision: Revision, actor: User, way: OtherWay, reason: str, expected_version: int
) -> None:
    """End the requisition with the advice that another way comes first, and with its document.

    Raises:
        DomainError: no reason was given, or it names a price.
        Conflict: the revision changed since the page was shown.
    """
    if _repeats(revision, Decision.Kind.REDIRECT, actor, expected_version):
        return
    decision = requisitions.revision_redirect(
        revision=held(revision, expected_version),
        actor=actor,
        way=way,
        reason=_explained(reason),
        expected_version=expected_version,
    )
    documents.notes_create(decision=decision)


@transaction.atomic
def revision_return(
    *, revision: Revision, actor: User, comment: str, expected_version: int
) -> None:
    """Give the revision back to the engineer; the comment says what is missing."""
    if _repeats(revision, Decision.Kind.RETURN, actor, expected_version):
        return
    if not comment.strip():
        raise DomainError(_("Say why: without a reason nobody can go on from here."))
    requisitions.revision_transition(
        revision=held(revision, expected_version),
        action=Action.RETURN,
        actor=actor,
        comment=comment.strip(),
        expected_version=expected_version,
    )


@transaction.atomic
def revision_reject(
    *, revision: Revision, actor: User, refusal: Refusal, comment: str, expected_version: int
) -> None:
    """Refuse the requisition for good, with a document that says why.

    Raises:
        DomainError: no reason was given, or it names a price.
        Conflict: the revision changed since the page was shown.
    """
    if _repeats(revision, Decision.Kind.REJECT, actor, expected_version):
        return
    decision = requisitions.revision_reject(
        revision=held(revision, expected_version),
        actor=actor,
        refusal=refusal,
        reason=_explained(comment),
        expected_version=expected_version,
    )
    documents.notes_create(decision=decision)


def _explained(words: str) -> str:
    """Words that go to the client as they are, into a document that is not an offer."""
    return words_for_client(words, _("Say why: without a reason nobody can go on from here."))


@transaction.atomic
def revision_approve(
    *,
    revision: Revision,
    actor: User,
    comment: str,
    document_sha256: str,
    expected_version: int,
) -> None:
    """Approve the document that was on the screen and have the final ones made.

    Earlier approved revisions of the requisition become superseded.

    Raises:
        Conflict: the revision or its document changed since the page was shown, or somebody else
            decided first.
        NotAllowed: the wrong person; also whoever worked on the revision.
        DomainError: a blocking check is not met.
    """
    if _repeats(revision, Decision.Kind.APPROVE, actor, expected_version):
        return
    row = held(revision, expected_version)
    if policy.can(actor, Action.APPROVE, row):
        _refuse_other_document(row, document_sha256)
        _refuse_blocked(row, actor)
    _supersede_earlier(row)
    requisitions.revision_transition(
        revision=row,
        action=Action.APPROVE,
        actor=actor,
        comment=comment.strip(),
        document_sha256=document_sha256,
        expected_version=expected_version,
    )
    decision = row.decisions.get(kind=Decision.Kind.APPROVE)
    documents.final_documents_create(revision=row, decision=decision)


def _refuse_other_document(revision: Revision, document_sha256: str) -> None:
    drafts = current_drafts(revision)
    ready = {draft.sha256 for draft in drafts if draft.is_ready}
    if document_sha256 not in ready:
        raise Conflict(_("The document is not the one you had on the screen."))


def _supersede_earlier(revision: Revision) -> None:
    earlier = Revision.objects.filter(
        requisition=revision.requisition, state=State.APPROVED
    ).exclude(pk=revision.pk)
    for replaced in earlier.select_related("requisition"):
        requisitions.revision_transition(revision=replaced, action=Action.SUPERSEDE, actor=None)
