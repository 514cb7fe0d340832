"""Who is told of a comment. Its words stay on the page: a mail says where they are."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from apps.accounts.models import Role, User
from apps.notices.services import announce
from apps.requisitions import policy
from apps.requisitions.announcements import (
    client_side,
    engineer_of,
    page_of,
    params_of,
    with_role,
)
from apps.requisitions.mentions import mentioned_in
from apps.requisitions.models import Annotation


def announce_comment(comment: Annotation) -> None:
    """A mail to who takes part, who has it, and who is named; a notice to who only follows."""
    named = [person for person in mentioned_in(comment) if _may_read(person, comment)]
    _tell(comment, "mention", named, by_mail=True)
    told = {comment.author_id, *(person.pk for person in named)}
    concerned = [p for p in _concerned(comment) if p.pk not in told and _may_read(p, comment)]
    _tell(comment, _event(comment), concerned, by_mail=True)
    told |= {person.pk for person in concerned}
    followers = [p for p in _followers(comment) if p.pk not in told and _may_read(p, comment)]
    _tell(comment, _event(comment), followers, by_mail=False)


def _event(comment: Annotation) -> str:
    if comment.is_internal:
        return "note"
    return "client-comment" if comment.side == Annotation.Side.CLIENT else "comment"


def _concerned(comment: Annotation) -> list[User]:
    """Those who wrote in the thread, the client's people, the engineer, the manager who began it."""
    revision = comment.revision
    spoken = User.objects.filter(
        pk__in=Annotation.objects.filter(
            Q(pk=comment.thread_id) | Q(parent=comment.thread_id)
        ).values("author")
    )
    engineer = engineer_of(revision)
    hands = [*spoken, *([engineer] if engineer else [])]
    if comment.is_internal:
        return hands
    manager = revision.requisition.created_by
    return [*hands, *client_side(revision), *([manager] if manager.is_staff_member else [])]


def _followers(comment: Annotation) -> list[User]:
    """Nobody has it yet: every engineer may look. Managers follow what is said to the client."""
    free = [] if engineer_of(comment.revision) else with_role(Role.ENGINEER)
    return [*free, *([] if comment.is_internal else with_role(Role.MANAGER))]


def _may_read(person: User, comment: Annotation) -> bool:
    staff = person.has_role(Role.ENGINEER, Role.APPROVER, Role.MANAGER)
    if comment.is_internal:
        return staff
    return staff or policy.is_client_of(person, comment.revision.requisition)


def _tell(comment: Annotation, event: str, people: Iterable[User], *, by_mail: bool) -> None:
    for person in {p.pk: p for p in people}.values():
        announce(
            event=event,
            recipients=[person],
            actor=comment.author,
            subject=comment.revision,
            params=params_of(comment.revision),
            path=f"{page_of(person, comment.revision)}#thread-{comment.thread_id}",
            by_mail=by_mail,
            occurrence=str(comment.pk),
        )
