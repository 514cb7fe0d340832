"""What people say to one another about a revision: threads of comments, open or resolved."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.audit import services as audit
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.requisitions import policy
from apps.requisitions.models import OPEN_THREAD, Annotation, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.talk_news import announce_comment
from apps.requisitions.workflow import State

TARGET_MAX_CHARS = 100
# What an approver would sign contains what the reviewers wrote.
_SIGNED_NEXT = frozenset({State.IN_REVIEW, State.IN_APPROVAL})


def _held(revision: Revision, deed: Deed, actor: User) -> Revision:
    """The row as it is now, held: a step taken at the same moment comes before or after.

    Raises:
        NotAllowed: the wrong person.
        Conflict: nobody writes about the revision any more.
    """
    row = (
        Revision.objects.select_for_update(of=("self",))
        .select_related("requisition__company", "requisition__owner", "engineer")
        .get(pk=revision.pk)
    )
    if State(row.state) not in policy.TALKED_ABOUT:
        raise Conflict(
            _("Comments are not possible now: the requisition is in the state “%(state)s”.")
            % {"state": State(row.state).label}
        )
    if not policy.may(actor, deed, row):
        raise NotAllowed(_("Your role does not allow this step."))
    return row


def _words(text: str) -> str:
    said = text.strip()
    if not said:
        raise DomainError(_("Write the remark first."))
    return said


def _side(actor: User, revision: Revision, visibility: str) -> Annotation.Side:
    reviews = actor.has_role(Role.ENGINEER, Role.APPROVER)
    if visibility == Annotation.Visibility.INTERNAL:
        return Annotation.Side.REVIEW
    if policy.is_client_of(actor, revision.requisition):
        return Annotation.Side.CLIENT
    return Annotation.Side.REVIEW if reviews else Annotation.Side.MANAGER


def _deed(visibility: str) -> Deed:
    return Deed.NOTE if visibility == Annotation.Visibility.INTERNAL else Deed.COMMENT


@transaction.atomic
def annotation_add(
    *,
    revision: Revision,
    actor: User,
    text: str,
    visibility: str,
    target: str = "",
    parent: Annotation | None = None,
) -> Annotation:
    """Open a thread, or answer one; who follows it is told. The same words by the same person twice
    in a row are one comment.

    Args:
        parent: any comment of the thread that is answered; its target and visibility are taken.
            Answering a resolved thread opens it again.

    Raises:
        NotAllowed: the wrong person.
        Conflict: the revision takes no more comments.
        DomainError: nothing was written.
    """
    if parent is not None:
        visibility, target = parent.visibility, parent.target
    row = _held(revision, _deed(visibility), actor)
    said = _words(text)
    fields = {"visibility": visibility, "target": target[:TARGET_MAX_CHARS]}
    thread = parent.thread_id if parent else None
    last = row.annotations.order_by("created_at", "id").last()
    same = fields | {"text": said, "author_id": actor.pk, "parent_id": thread, "removed_at": None}
    if last and all(getattr(last, name) == value for name, value in same.items()):
        return last
    if thread:
        _reopen(thread)
    comment = Annotation.objects.create(
        revision=row,
        author=actor,
        text=said,
        parent_id=thread,
        side=_side(actor, row, visibility),
        **fields,
    )
    audit.record(actor=actor, action="review.annotate", subject=row, visibility=visibility)
    _bump(row, comment)
    revision.version = row.version
    announce_comment(comment)
    return comment


def _bump(revision: Revision, comment: Annotation) -> None:
    """What an approver would sign has changed, or may have: a page opened before must not decide.

    The talk of clients and managers is no part of a document and disturbs nobody's form.
    """
    if comment.side == Annotation.Side.REVIEW and State(revision.state) in _SIGNED_NEXT:
        Revision.objects.filter(pk=revision.pk).update(version=F("version") + 1)
        revision.version += 1


def _mended(comment: Annotation, actor: User) -> Revision:
    row = _held(comment.revision, _deed(comment.visibility), actor)
    if not policy.may_mend(actor, comment):
        raise NotAllowed(_("Only a new comment of your own that nobody has answered can change."))
    return row


@transaction.atomic
def comment_change(*, comment: Annotation, actor: User, text: str) -> None:
    """Mend the own words; nobody is told a second time.

    Raises:
        NotAllowed: somebody else's, answered, resolved, or too old.
        DomainError: nothing was written.
    """
    row = _mended(comment, actor)
    said = _words(text)
    if said == comment.text:
        return
    changed = Annotation.objects.filter(pk=comment.pk, removed_at__isnull=True)
    if changed.update(text=said, edited_at=timezone.now()):
        audit.record(actor=actor, action="talk.change", subject=row, visibility=comment.visibility)
        _bump(row, comment)


@transaction.atomic
def comment_remove(*, comment: Annotation, actor: User) -> None:
    """Take the own words back; `comment_restore` brings them back. Twice is once."""
    row = _mended(comment, actor)
    standing = Annotation.objects.filter(pk=comment.pk, removed_at__isnull=True)
    if standing.update(removed_at=timezone.now()):
        audit.record(actor=actor, action="talk.remove", subject=row, visibility=comment.visibility)
        _bump(row, comment)


@transaction.atomic
def comment_restore(*, comment: Annotation, actor: User) -> None:
    """Undo `comment_remove`. Twice is once."""
    row = _mended(comment, actor)
    if Annotation.objects.filter(pk=comment.pk, removed_at__isnull=False).update(removed_at=None):
        audit.record(actor=actor, action="talk.restore", subject=row, visibility=comment.visibility)
        _bump(row, comment)


@transaction.atomic
def thread_settle(*, thread: Annotation, actor: User, resolved: bool) -> bool:
    """Call a thread resolved, or open it again. False when it was so already: of two people at the
    same moment one does it.

    Raises:
        NotAllowed: the wrong person.
        Conflict: the revision takes no more comments.
    """
    row = _held(thread.revision, _deed(thread.visibility), actor)
    if thread.parent_id is not None or not policy.may_settle(actor, thread):
        raise NotAllowed(_("Your role does not allow this step."))
    threads = Annotation.objects.filter(pk=thread.pk, resolved_at__isnull=resolved)
    after = {"resolved_at": timezone.now(), "resolved_by": actor} if resolved else _OPEN
    if not threads.update(**after):
        return False
    audit.record(
        actor=actor,
        action="talk.resolve" if resolved else "talk.reopen",
        subject=row,
        visibility=thread.visibility,
    )
    return True


_OPEN = {"resolved_at": None, "resolved_by": None}


def _reopen(thread_id: UUID) -> None:
    Annotation.objects.filter(pk=thread_id).update(**_OPEN)


def threads_carry(*, revision: Revision) -> None:
    """Open threads of the letter before go on in this one, their words and hands unchanged.

    Call it once the letter is sent, in the same transaction.
    """
    earlier = revision.requisition.revisions.filter(index__lt=revision.index)
    before = earlier.filter(submitted_at__isnull=False).last()
    if before is None:
        return
    standing = before.annotations.filter(removed_at__isnull=True)
    for thread in standing.filter(OPEN_THREAD):
        root = _copy(thread, revision, None)
        for answer in standing.filter(parent=thread):
            _copy(answer, revision, root)


def _copy(comment: Annotation, revision: Revision, parent: Annotation | None) -> Annotation:
    names = ("target", "visibility", "side", "text", "author_id", "edited_at")
    copy = Annotation.objects.create(
        revision=revision,
        parent=parent,
        carried_from=comment,
        **{name: getattr(comment, name) for name in names},
    )
    # The moment at which it was said, not that of the client's sending.
    Annotation.objects.filter(pk=copy.pk).update(created_at=comment.created_at)
    return copy
