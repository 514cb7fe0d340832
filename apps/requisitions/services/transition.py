"""Moving a revision along the workflow: the only code that writes a state."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import Conflict, NotAllowed
from apps.requisitions import policy
from apps.requisitions.announcements import announce_step
from apps.requisitions.models import Decision, Revision
from apps.requisitions.services.clock import clock_step
from apps.requisitions.workflow import Action, IllegalTransition, State, target_of

_DECISIONS = {
    Action.REQUEST_CHANGES: Decision.Kind.REQUEST_CHANGES,
    Action.SEND_TO_APPROVAL: Decision.Kind.SEND_TO_APPROVAL,
    Action.RETURN: Decision.Kind.RETURN,
    Action.APPROVE: Decision.Kind.APPROVE,
    Action.REJECT: Decision.Kind.REJECT,
    Action.REDIRECT: Decision.Kind.REDIRECT,
}


@transaction.atomic
def revision_transition(
    *,
    revision: Revision,
    action: Action,
    actor: User | None,
    comment: str = "",
    category: str = "",
    document_sha256: str = "",
    expected_version: int | None = None,
) -> Revision:
    """Take one step of the workflow and record who did it.

    The state is written with a conditional UPDATE: of two people who click at the same moment
    exactly one succeeds. `actor` is None only for workers. `expected_version` is the version that
    the person had on the screen. `category` says which other way or what kind of refusal it is.

    Raises:
        NotAllowed: the wrong person.
        Conflict: the wrong moment; somebody moved the revision first, or it was never possible.
    """
    source = State(revision.state)
    try:
        target = target_of(action, source)
    except IllegalTransition as problem:
        raise Conflict(
            _("This step is not possible now: the requisition is in the state “%(state)s”.")
            % {"state": source.label}
        ) from problem
    if not policy.can(actor, action, revision):
        raise NotAllowed(_not_allowed_text(action, actor, revision))
    version = revision.version if expected_version is None else expected_version
    now = timezone.now()
    approved = {"approved_at": now} if target == State.APPROVED else {}
    moved = Revision.objects.filter(pk=revision.pk, state=source, version=version).update(
        state=target, version=F("version") + 1, state_since=now, **approved
    )
    if not moved:
        raise Conflict(_("Somebody was quicker: the requisition changed meanwhile."))
    if action in _DECISIONS and actor is not None:
        Decision.objects.create(
            revision=revision,
            kind=_DECISIONS[action],
            by=actor,
            comment=comment,
            category=category,
            document_sha256=document_sha256,
        )
    _record(revision, action, actor, document_sha256, target, has_comment=bool(comment))
    revision.state, revision.version = target, version + 1
    clock_step(revision=revision, action=action, target=target, at=now)
    announce_step(revision=revision, action=action, source=source, actor=actor)
    return revision


def _record(
    revision: Revision,
    action: Action,
    actor: User | None,
    document_sha256: str,
    target: State,
    *,
    has_comment: bool,
) -> None:
    audit.record(
        actor=actor,
        action=f"requisition.{action.value}",
        subject=revision,
        source=revision.state,
        target=target.value,
        document_sha256=document_sha256,
        has_comment=has_comment,
    )


def _not_allowed_text(action: Action, actor: User | None, revision: Revision) -> str:
    if action == Action.APPROVE and not policy.may_ever(actor, action, revision):
        return _("You worked on this revision, so somebody else must approve it.")
    return _("Your role does not allow this step.")
