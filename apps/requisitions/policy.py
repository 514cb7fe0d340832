"""Who may do what. Views, templates and services ask here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from enum import Enum

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.questionnaire.sections import SECTION_OF
from apps.requisitions.models import Annotation, GuestInvitation, Requisition, Revision
from apps.requisitions.workflow import OPEN_FOR_NEXT, Action, State, roles_for


class Deed(Enum):
    """What a person may do to a revision beside moving it along the workflow."""

    EDIT_ANSWERS = "edit-answers"
    ATTACH = "attach"
    OPEN_NEXT_REVISION = "open-next-revision"
    ASK_CONFIRMATION = "ask-confirmation"
    TAKE_BACK = "take-back"
    SEE_ESTIMATES = "see-estimates"
    SEE_INTERNAL = "see-internal"
    TAKE = "take"
    GIVE_BACK = "give-back"
    COMMENT = "comment"
    NOTE = "note"
    PRINT_DRAFT = "print-draft"
    OVERRIDE = "override"
    ASK = "ask"
    RECALCULATE = "recalculate"
    DOWNLOAD_DRAFT = "download-draft"
    DOWNLOAD_FINAL = "download-final"
    DOWNLOAD_NOTE = "download-note"
    COMPARE_OFFERS = "compare-offers"
    REPLY_TO_VALUES = "reply-to-values"


TALKED_ABOUT = frozenset(State) - {State.DRAFT, State.WITHDRAWN, State.SUPERSEDED}
"""States in which people write comments: a later letter takes the open ones along."""

_REVIEW = frozenset({Role.ENGINEER})
_STAFF = frozenset({Role.ENGINEER, Role.APPROVER, Role.MANAGER})
# While the approver reads it, what would be signed stays as it is.
_VALUES_ANSWERED = frozenset({State.IN_REVIEW, State.CHANGES_REQUESTED, State.APPROVED})
_HAS_NOTE = frozenset({State.REDIRECTED, State.REJECTED})
_ENGINEER_DEEDS = frozenset({Deed.OVERRIDE, Deed.ASK, Deed.RECALCULATE, Deed.TAKE, Deed.GIVE_BACK})


def is_client_of(user: User, requisition: Requisition) -> bool:
    """A person of the company that asks."""
    return user.has_role(Role.CLIENT) and user.company_id == requisition.company_id


def acts_for_client(user: User, requisition: Requisition) -> bool:
    """The client, or the manager who fills it in for the client."""
    return is_client_of(user, requisition) or fills_in_for_client(user, requisition)


def fills_in_for_client(user: User, requisition: Requisition) -> bool:
    """The manager who opened it for the client. Once the client has sent a revision themself, the
    requisition is theirs alone: the manager follows it on the board like any other.
    """
    if requisition.created_by_id != user.pk or not user.has_role(Role.MANAGER):
        return False
    sent = requisition.revisions.filter(submitted_at__isnull=False)
    return not sent.filter(on_behalf_of__isnull=True).exists()


def _free_for_manager(user: User, revision: Revision) -> bool:
    """While the client is asked to confirm a draft, the manager's hands are off it."""
    at_client = revision.is_draft and revision.confirmation_asked_at is not None
    return not at_client and fills_in_for_client(user, revision.requisition)


def worked_on(user: User, revision: Revision) -> bool:
    """Has this person a hand in what would be approved?"""
    requisition = revision.requisition
    by_hand = {revision.engineer_id, revision.submitted_by_id, revision.prepared_by_id}
    by_hand |= {requisition.owner_id, requisition.created_by_id}
    return user.pk in by_hand or any(o.author_id == user.pk for o in revision.overrides.all())


def can(user: User | None, action: Action, revision: Revision) -> bool:
    """May `user` take this step of the workflow now? None stands for a worker.

    False when the step does not lead out of the revision's state; the difference between a wrong
    state and a wrong person is made by `services.revision_transition`.
    """
    if action == Action.RESTORE and not revision.never_sent:
        return False  # what was sent goes on in the next letter
    return may_ever(user, action, revision) and _role_fits(user, action, revision)


def _role_fits(user: User | None, action: Action, revision: Revision) -> bool:
    wanted = roles_for(action, State(revision.state))
    if user is None:
        return None in wanted
    if Role.CLIENT in wanted and is_client_of(user, revision.requisition):
        return True
    if Role.MANAGER in wanted and _free_for_manager(user, revision):
        return True
    return user.has_role(*(r for r in wanted if r not in {None, Role.CLIENT, Role.MANAGER}))


def may_ever(user: User | None, action: Action, revision: Revision) -> bool:
    """Is it the wrong person whatever the state? Approving one's own work is."""
    if user is None:
        return True
    if not user.is_active:
        return False
    if action == Action.APPROVE and not settings.APPROVE_OWN_WORK:
        return not worked_on(user, revision)
    return True


def may(user: User, deed: Deed, revision: Revision) -> bool:
    """May `user` do this to the revision in its present state?"""
    if not user.is_active:
        return False
    if deed in {Deed.EDIT_ANSWERS, Deed.ATTACH}:
        theirs = is_client_of(user, revision.requisition) or _free_for_manager(user, revision)
        return revision.is_draft and theirs
    if deed in {Deed.ASK_CONFIRMATION, Deed.TAKE_BACK}:
        return _may_hand_over(user, deed, revision)
    if deed == Deed.OPEN_NEXT_REVISION:
        open_now = State(revision.state) in OPEN_FOR_NEXT
        return open_now and acts_for_client(user, revision.requisition)
    if deed in _ENGINEER_DEEDS:
        return revision.state == State.IN_REVIEW and user.has_role(*_REVIEW)
    if deed in {Deed.COMMENT, Deed.NOTE}:
        return State(revision.state) in TALKED_ABOUT and _may_talk(user, deed, revision)
    if deed == Deed.PRINT_DRAFT:
        reading = revision.state in {State.IN_REVIEW, State.IN_APPROVAL}
        return reading and user.has_role(Role.ENGINEER, Role.APPROVER)
    if deed == Deed.REPLY_TO_VALUES:
        answered = State(revision.state) in _VALUES_ANSWERED
        return answered and is_client_of(user, revision.requisition)
    if deed == Deed.COMPARE_OFFERS:
        return revision.state == State.APPROVED and writes_offers(user, revision)
    return _may_read(user, deed, revision)


def _may_talk(user: User, deed: Deed, revision: Revision) -> bool:
    """Words that the client reads come from either side; internal ones from who reviews."""
    reviews = user.has_role(Role.ENGINEER, Role.APPROVER)
    if deed == Deed.NOTE:
        return reviews
    return reviews or user.has_role(Role.MANAGER) or is_client_of(user, revision.requisition)


def may_settle(user: User, thread: Annotation) -> bool:
    """May `user` call the thread resolved, or open it again? The house may any that it writes in,
    the client's people those that one of them opened.
    """
    wanted = Deed.NOTE if thread.is_internal else Deed.COMMENT
    if not may(user, wanted, thread.revision):
        return False
    return user.is_staff_member or thread.side == Annotation.Side.CLIENT


def may_mend(user: User, comment: Annotation, *, answered: bool | None = None) -> bool:
    """May `user` change the words, or take them back? The author, while nobody has answered and for
    `settings.COMMENT_MENDED_MINUTES`. Whoever has read the whole thread says whether it is `answered`.
    """
    wanted = Deed.NOTE if comment.is_internal else Deed.COMMENT
    until = comment.created_at + timedelta(minutes=settings.COMMENT_MENDED_MINUTES)
    own = comment.author_id == user.pk and comment.carried_from_id is None
    if not own or comment.is_resolved or timezone.now() > until:
        return False
    if not may(user, wanted, comment.revision):
        return False
    return not (_answered(comment) if answered is None else answered)


def _answered(comment: Annotation) -> bool:
    """Words that somebody answered stay: an answer without its question means something else."""
    thread = Annotation.objects.filter(
        Q(pk=comment.thread_id) | Q(parent=comment.thread_id), removed_at__isnull=True
    )
    return thread.filter(created_at__gt=comment.created_at).exclude(pk=comment.pk).exists()


def writes_offers(user: User, revision: Revision) -> bool:
    """The company that asks writes down what suppliers offer; engineers and managers help it."""
    helps = user.has_role(Role.ENGINEER, Role.MANAGER)
    return user.is_active and (helps or is_client_of(user, revision.requisition))


def guest_may_answer(guest: GuestInvitation, revision: Revision, keys: Iterable[str]) -> bool:
    """May whoever has this link answer these questions of the revision now?

    The row is read anew: it may have been revoked while they typed.
    """
    own = guest.revision_id == revision.pk and revision.is_draft
    if not own or any(SECTION_OF[key].key != guest.section for key in keys):
        return False
    return GuestInvitation.objects.usable().filter(pk=guest.pk).exists()


def _may_hand_over(user: User, deed: Deed, revision: Revision) -> bool:
    """Asking the client to confirm a draft, and taking it back from them."""
    requisition = revision.requisition
    if is_client_of(user, requisition) or not fills_in_for_client(user, requisition):
        return False
    at_client = revision.confirmation_asked_at is not None
    return revision.is_draft and at_client == (deed == Deed.TAKE_BACK)


def _may_read(user: User, deed: Deed, revision: Revision) -> bool:
    staff = user.has_role(*_STAFF)
    final = revision.was_approved
    if deed in {Deed.SEE_INTERNAL, Deed.DOWNLOAD_DRAFT}:
        return staff and not revision.is_draft
    if deed == Deed.SEE_ESTIMATES:
        return (staff and not revision.is_draft) or (
            final and is_client_of(user, revision.requisition)
        )
    if deed == Deed.DOWNLOAD_FINAL:
        return final and (staff or is_client_of(user, revision.requisition))
    if deed == Deed.DOWNLOAD_NOTE:
        ended = State(revision.state) in _HAS_NOTE
        return ended and (staff or is_client_of(user, revision.requisition))
    raise ValueError(f"no rule for {deed}")
