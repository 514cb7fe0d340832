"""The only way to get at requisitions: always for somebody, 404 when they may not see it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.accounts.models import Role, User
from apps.requisitions.models import (
    Annotation,
    Attachment,
    GuestInvitation,
    OpenQuestion,
    Override,
    Requisition,
    Revision,
)
from apps.requisitions.policy import acts_for_client
from apps.requisitions.workflow import State

# Part of the task that says on what it runs.
_HARDWARE: Final = "placement."


def requisitions_for(user: User) -> QuerySet[Requisition]:
    """Clients see their company's; engineers, approvers and managers all that were ever sent."""
    return Requisition.objects.filter(_seen_by(user)).select_related("company", "owner")


def _seen_by(user: User, requisition: str = "") -> Q:
    """The condition on a requisition, or on what is `requisition` away from it (`…__`).

    A condition and no subquery: lists of thousands of rows are counted with it.
    """
    seen = Q(pk__in=[])
    if not user.is_active:
        return seen
    if user.has_role(Role.CLIENT) and user.company_id:
        seen |= Q(**{f"{requisition}company_id": user.company_id})
    if user.has_role(Role.ENGINEER, Role.APPROVER, Role.MANAGER):
        seen |= Q(**{f"{requisition}number__isnull": False})
        seen |= Q(**{f"{requisition}created_by": user})
    return seen


def requisition_get_for(user: User, requisition_id: UUID) -> Requisition:
    """Return a requisition the user may see, or raise Http404: that it exists is itself private."""
    return get_object_or_404(requisitions_for(user), pk=requisition_id)


def revisions_for(user: User) -> QuerySet[Revision]:
    """Revisions the user may see; an unsent draft is seen by those who fill it in."""
    visible = Revision.objects.filter(_seen_by(user, "requisition__"))
    if not user.has_role(Role.CLIENT):
        own = Q(requisition__created_by=user) & Q(~_client_has_sent("requisition"))
        visible = visible.exclude(Q(state=State.DRAFT) & ~own)
    return visible.select_related("requisition__company", "requisition__owner", "engineer")


def _client_has_sent(requisition: str) -> Exists:
    """Whether a person of the client has sent a revision; see `policy.fills_in_for_client`."""
    sent = Revision.objects.filter(
        requisition=OuterRef(requisition), submitted_at__isnull=False, on_behalf_of__isnull=True
    )
    return Exists(sent)


def own_requisitions_for(user: User) -> QuerySet[Requisition]:
    """What the user asks for or fills in for a client: `policy.acts_for_client`, as a query."""
    own = Q(pk__in=[])
    if user.has_role(Role.CLIENT) and user.company_id:
        own |= Q(company_id=user.company_id)
    if user.has_role(Role.MANAGER):
        own |= Q(created_by=user) & Q(~_client_has_sent("pk"))
    return requisitions_for(user).filter(own)


def drafts_for_clients(user: User) -> QuerySet[Revision]:
    """Drafts that a manager fills in for clients, the latest first."""
    drafts = revisions_for(user).filter(state=State.DRAFT, prepared_by=user)
    return drafts.order_by("-created_at")


def revision_get_for(user: User, revision_id: UUID) -> Revision:
    return get_object_or_404(revisions_for(user), pk=revision_id)


def current_revision(requisition: Requisition) -> Revision:
    """The latest revision: the draft when there is one."""
    revision = requisition.revisions.select_related(
        "requisition__company", "requisition__owner", "engineer"
    ).last()
    assert revision is not None, "a requisition is made with its first revision"
    return revision


def leading_revision(requisition: Requisition) -> Revision:
    """The revision by which the requisition is judged; a draft only when nothing was ever sent."""
    revisions = requisition.revisions.select_related(
        "requisition__company", "requisition__owner", "engineer"
    )
    return leading_of(list(revisions))


def leading_of(revisions: Sequence[Revision]) -> Revision:
    """Of a requisition's revisions by letter, the one by which it is judged.

    The latest that was sent; one that was withdrawn leaves the word to what is approved.
    """
    sent = [revision for revision in revisions if not revision.never_sent]
    if not sent:
        return revisions[-1]
    if sent[-1].state == State.WITHDRAWN:
        return next((r for r in sent if r.state == State.APPROVED), sent[-1])
    return sent[-1]


def draft_after(revision: Revision) -> Revision | None:
    """The next letter, while its client prepares it."""
    revisions = revision.requisition.revisions.all()
    return next((r for r in revisions if r.is_draft and r.index > revision.index), None)


def attachments_of(requisition: Requisition) -> QuerySet[Attachment]:
    """Files of the client that are not taken away."""
    kept = requisition.attachments.filter(removed_at__isnull=True)
    return kept.exclude(kind=Attachment.Kind.EVIDENCE)


def attachment_get_for(user: User, attachment_id: UUID) -> Attachment:
    """A file the user may download: the client's people any of theirs, others only what has been
    sent. Evidence of an engineer stays in the house: a supplier's letter may name prices.
    """
    attachment = get_object_or_404(
        Attachment.objects.filter(
            requisition__in=requisitions_for(user), removed_at__isnull=True
        ).select_related("requisition"),
        pk=attachment_id,
    )
    requisition = attachment.requisition
    if attachment.kind == Attachment.Kind.EVIDENCE:
        if not user.is_staff_member:
            raise Http404
        return attachment
    if not acts_for_client(user, requisition) and not _was_sent(attachment):
        raise Http404
    return attachment


def _was_sent(attachment: Attachment) -> bool:
    """Is it part of a revision that left the client's hands?"""
    return attachment.requisition.revisions.filter(
        submitted_at__gte=attachment.uploaded_at
    ).exists()


def guest_invitation_get(invitation_id: UUID) -> GuestInvitation | None:
    """An invitation by its id, which is no secret: the caller asks for a pass before showing it."""
    related = ("revision__requisition__company", "revision__requisition__owner", "invited_by")
    return GuestInvitation.objects.select_related(*related).filter(pk=invitation_id).first()


def annotations_for(user: User, revision: Revision) -> QuerySet[Annotation]:
    """Comments the user may read, those taken back too: a client sees what the client may."""
    related = ("author", "resolved_by", "carried_from__revision")
    remarks = revision.annotations.select_related(*related)
    if user.is_staff_member:
        return remarks
    return remarks.filter(visibility=Annotation.Visibility.CLIENT)


def annotation_get_for(user: User, annotation_id: UUID) -> Annotation:
    """A comment on a revision that the user may see, or 404."""
    comment = get_object_or_404(Annotation.objects.select_related("parent"), pk=annotation_id)
    comment.revision = revision_get_for(user, comment.revision_id)
    return get_object_or_404(annotations_for(user, comment.revision), pk=annotation_id)


def open_questions_of(revision: Revision) -> QuerySet[OpenQuestion]:
    """Still open, the most influential first."""
    return revision.open_questions.filter(state=OpenQuestion.State.OPEN)


def raw_answers(revision: Revision) -> dict[str, dict[str, Any]]:
    """Answers as stored: from the rows of a draft, from the frozen text afterwards.

    Returns:
        key -> `{value, unknown, who, when, provenance, note}`, and in a draft also `version`.
    """
    if revision.answers_text:
        frozen: dict[str, dict[str, Any]] = json.loads(revision.answers_text)["answers"]
        return frozen
    fields = ("value", "unknown", "who", "when", "provenance", "note", "version")
    # Plain values: a page is read anew at every save, and objects would cost a third of it.
    rows = revision.answers.values_list("key", *fields)
    return {key: dict(zip(fields, values, strict=True)) for key, *values in rows}


def active_overrides(revision: Revision) -> dict[str, Any]:
    """Task field -> the engineer's value."""
    rows = revision.overrides.filter(removed_at__isnull=True)
    return {row.field: row.value for row in rows}


def values_shown_to(user: User, revision: Revision) -> list[Override]:
    """The engineer's values that the user may read: until the approval a client reads none that
    names hardware.
    """
    rows = revision.overrides.filter(removed_at__isnull=True).select_related("author")
    if not user.is_staff_member and not revision.was_approved:
        rows = rows.exclude(field__startswith=_HARDWARE)
    return list(rows.prefetch_related("replies__by"))


def letter_get(requisition: Requisition, letter: str) -> Revision:
    """The revision of a letter, or Http404. The caller has got the requisition for somebody."""
    related = ("requisition__company", "requisition__owner", "engineer", "submitted_by")
    for revision in requisition.revisions.select_related(*related):
        if revision.letter == letter:
            return revision
    raise Http404


def base_of(revision: Revision) -> Revision | None:
    """The earlier revision that this one is compared with; None for the first."""
    return base_among(list(revision.requisition.revisions.all()), revision)


def base_among(revisions: Sequence[Revision], revision: Revision) -> Revision | None:
    """The latest before it that was approved, because its client has the document; else the latest
    that was sent.
    """
    earlier = [r for r in revisions if r.index < revision.index and r.submitted_at]
    approved = [r for r in earlier if r.was_approved]
    candidates = approved or earlier
    return candidates[-1] if candidates else None
