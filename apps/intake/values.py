"""The engineer's values as the client reads and answers them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.accounts.models import User
from apps.estimation.inputs import evaluated_of, task_of_answers, value_in
from apps.estimation.texts import field_label, value_text
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.requisitions.selectors import values_shown_to
from apps.requisitions.services.replies import reply_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow:
    """One value of the engineer beside the client's. `reason` is "" until the approval, for it may name
    hardware, unless the engineer lets the client read it. `answer` is accepted, declined or "" while nobody has answered.
    """

    id: UUID
    label: str
    was: str
    now: str
    reason: str
    answer: str
    words: str
    by: str
    at: datetime | None


def value_rows(user: User, revision: Revision) -> list[ValueRow]:
    """What the client may read of the engineer's values of a revision."""
    shown = values_shown_to(user, revision)
    if not shown:
        return []
    asked = task_of_answers(revision, evaluated_of(revision))
    rows = []
    for override in shown:
        reply = reply_of(override)
        rows.append(
            ValueRow(
                id=override.pk,
                label=field_label(override.field),
                was=value_text(override.field, value_in(asked, override.field)),
                now=value_text(override.field, override.value),
                reason=override.reason if revision.was_approved or override.reason_shown else "",
                answer="" if reply is None else "accepted" if reply.accepted else "declined",
                words=reply.words if reply else "",
                by=str(reply.by) if reply else "",
                at=reply.at if reply else None,
            )
        )
    return rows


def may_answer(user: User, revision: Revision) -> bool:
    """Whether the client answers the engineer's values now."""
    return policy.may(user, Deed.REPLY_TO_VALUES, revision)
