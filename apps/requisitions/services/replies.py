"""What the client says of the engineer's values."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import NotAllowed
from apps.requisitions import policy
from apps.requisitions.announcements import announce_value_answered
from apps.requisitions.models import Override, OverrideReply, Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import values_shown_to
from apps.requisitions.services.holding import revisions_hold
from apps.requisitions.services.review import revision_touch


@transaction.atomic
def value_reply(
    *, revision: Revision, override_id: UUID, actor: User, accepted: bool, words: str = ""
) -> OverrideReply:
    """Accept or decline an engineer's value. The same answer twice is one.

    Raises:
        NotAllowed: the person, or the state of the revision.
        Http404: the value is not there any more, or not shown to the client yet.
    """
    if not policy.may(actor, Deed.REPLY_TO_VALUES, revision):
        raise NotAllowed(_("The engineer's values are not answered now."))
    held = revisions_hold(revision.requisition_id)
    row = next(row for row in held if row.pk == revision.pk)
    if not policy.may(actor, Deed.REPLY_TO_VALUES, row):
        raise NotAllowed(_("The engineer's values are not answered now."))
    override = next((o for o in values_shown_to(actor, row) if o.pk == override_id), None)
    if override is None:
        raise Http404
    said = "" if accepted else words.strip()
    last = reply_of(override)
    if last is not None and (last.accepted, last.words) == (accepted, said):
        return last
    reply = OverrideReply.objects.create(override=override, accepted=accepted, words=said, by=actor)
    action = "review.value-accept" if accepted else "review.value-decline"
    audit.record(actor=actor, action=action, subject=row, field=override.field)
    revision_touch(row)
    announce_value_answered(revision=row, reply=reply, actor=actor)
    return reply


def reply_of(override: Override) -> OverrideReply | None:
    """What the client said last of a value, read with its replies at once where there are many."""
    replies = list(override.replies.all())
    return replies[-1] if replies else None
