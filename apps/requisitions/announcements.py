"""Who is told of what, and how: a table, and one function for each kind of event.

The services call these functions in the transaction of the step. A step that is rolled back tells
nobody, one that is committed always does: the mail waits in the outbox for a worker. Whoever took
the step is not told, but for the receipt. Nothing goes out beyond event, number and letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.notices.services import announce
from apps.requisitions import policy
from apps.requisitions.models import GuestInvitation, OverrideReply, Revision
from apps.requisitions.workflow import Action, State


class Happening(Enum):
    """What people are told of."""

    CONFIRMATION_ASKED = "confirmation-asked"
    SUBMITTED = "submitted"
    RESUBMITTED = "resubmitted"
    ESTIMATION_FAILED = "estimation-failed"
    TAKEN = "taken"
    CHANGES_REQUESTED = "changes-requested"
    SENT_TO_APPROVAL = "sent-to-approval"
    RETURNED = "returned"
    APPROVED = "approved"
    REJECTED = "rejected"
    REDIRECTED = "redirected"
    REDIRECTED_AT_ONCE = "redirected-at-once"  # by its own answers, before anybody worked on it
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    VALUE_ACCEPTED = "value-accepted"
    VALUE_DECLINED = "value-declined"
    GUEST_ANSWERED = "guest-answered"
    GUEST_LACKING = "guest-lacking"
    GUEST_ASKS_AGAIN = "guest-asks-again"


class Audience(Enum):
    """`CLIENT`: the owner, and the colleague who sent it. `ENGINEER`: who has it; nobody has it:
    every engineer, and then without a mail. `READERS` are given by the caller. `INVITER`: the owner,
    and whoever sent a colleague the link; a mail only when they wished for it."""

    CLIENT = "client"
    ENGINEER = "engineer"
    ENGINEER_AT_ONCE = "engineer-at-once"  # with a mail also when nobody has it
    APPROVERS = "approvers"
    MANAGERS = "managers"
    READERS = "readers"
    INVITER = "inviter"


class Channel(Enum):
    """A notice on the page, or a mail beside it."""

    NOTICE = "notice"
    MAIL = "mail"


@dataclass(frozen=True, slots=True)
class Line:
    """`event` names the words. `receipt`: also for the one who took the step."""

    audience: Audience
    channel: Channel
    event: str
    receipt: bool = False


_CLIENT, _ENGINEER, _MANAGERS = Audience.CLIENT, Audience.ENGINEER, Audience.MANAGERS
_MAIL, _NOTICE = Channel.MAIL, Channel.NOTICE

TABLE: Mapping[Happening, tuple[Line, ...]] = {
    Happening.CONFIRMATION_ASKED: (Line(_CLIENT, _MAIL, "please-confirm"),),
    Happening.SUBMITTED: (
        Line(_CLIENT, _MAIL, "receipt", receipt=True),
        Line(_ENGINEER, _NOTICE, "submitted"),
        Line(_MANAGERS, _MAIL, "submitted"),
    ),
    Happening.RESUBMITTED: (
        Line(_CLIENT, _MAIL, "receipt", receipt=True),
        Line(_ENGINEER, _MAIL, "resubmitted"),
        Line(_MANAGERS, _NOTICE, "resubmitted"),
    ),
    Happening.ESTIMATION_FAILED: (Line(Audience.ENGINEER_AT_ONCE, _MAIL, "estimation-failed"),),
    Happening.TAKEN: (
        Line(_CLIENT, _NOTICE, "taken"),
        Line(_MANAGERS, _NOTICE, "taken"),
    ),
    Happening.CHANGES_REQUESTED: (
        Line(_CLIENT, _MAIL, "questions"),
        Line(_MANAGERS, _MAIL, "changes-requested"),
    ),
    Happening.SENT_TO_APPROVAL: (
        Line(Audience.APPROVERS, _MAIL, "sent-to-approval"),
        Line(_MANAGERS, _NOTICE, "sent-to-approval"),
    ),
    Happening.RETURNED: (
        Line(_ENGINEER, _MAIL, "returned"),
        Line(_MANAGERS, _NOTICE, "returned"),
    ),
    Happening.APPROVED: (
        Line(_CLIENT, _MAIL, "approved"),
        Line(_ENGINEER, _NOTICE, "approved"),
        Line(_MANAGERS, _MAIL, "approved"),
    ),
    Happening.REJECTED: (
        Line(_CLIENT, _MAIL, "rejected"),
        Line(_ENGINEER, _NOTICE, "rejected"),
        Line(_MANAGERS, _NOTICE, "rejected"),
    ),
    Happening.REDIRECTED: (
        Line(_CLIENT, _MAIL, "redirected"),
        Line(_ENGINEER, _NOTICE, "redirected"),
        Line(_MANAGERS, _NOTICE, "redirected"),
    ),
    Happening.REDIRECTED_AT_ONCE: (
        Line(_CLIENT, _MAIL, "redirected"),
        Line(_MANAGERS, _NOTICE, "redirected"),
    ),
    Happening.WITHDRAWN: (Line(_ENGINEER, _NOTICE, "withdrawn"),),
    Happening.VALUE_ACCEPTED: (Line(_ENGINEER, _NOTICE, "value-accepted"),),
    Happening.VALUE_DECLINED: (Line(_ENGINEER, _NOTICE, "value-declined"),),
    Happening.GUEST_ANSWERED: (Line(Audience.INVITER, _MAIL, "guest-answered"),),
    Happening.GUEST_LACKING: (Line(Audience.INVITER, _MAIL, "guest-lacking"),),
    Happening.GUEST_ASKS_AGAIN: (Line(Audience.INVITER, _MAIL, "guest-asks-again"),),
    Happening.SUPERSEDED: (
        Line(Audience.READERS, _MAIL, "superseded"),
        Line(_CLIENT, _MAIL, "superseded"),
        Line(_ENGINEER, _NOTICE, "superseded"),
        Line(_MANAGERS, _MAIL, "superseded"),
    ),
}

_WITH_DUE = frozenset(
    {Happening.SUBMITTED, Happening.RESUBMITTED, Happening.SENT_TO_APPROVAL, Happening.RETURNED}
)

_OF_STEP = {
    Action.REQUEST_CHANGES: Happening.CHANGES_REQUESTED,
    Action.SEND_TO_APPROVAL: Happening.SENT_TO_APPROVAL,
    Action.RETURN: Happening.RETURNED,
    Action.APPROVE: Happening.APPROVED,
    Action.REJECT: Happening.REJECTED,
    Action.REDIRECT: Happening.REDIRECTED,
    Action.WITHDRAW: Happening.WITHDRAWN,
}


def announce_step(*, revision: Revision, action: Action, source: State, actor: User | None) -> None:
    """Tell of a step that has just been taken from `source`.

    Steps out of a draft have announcements of their own, once the requisition has its number; a
    draft that is given up never left its client. Superseding is told where the readers are known.
    """
    happening = _OF_STEP.get(action)
    if happening is not None and source != State.DRAFT:
        _tell(happening, revision, actor, occurrence=f"v{revision.version}")


def announce_confirmation_asked(*, revision: Revision, actor: User) -> None:
    """Ask the client to confirm what a manager has filled in: every time it is handed over."""
    asked = revision.confirmation_asked_at
    assert asked is not None, "asking comes first"
    _tell(Happening.CONFIRMATION_ASKED, revision, actor, occurrence=asked.isoformat())


def announce_draft_kept(*, revision: Revision, actor: User) -> None:
    """The way back to a draft, for whoever leaves it: once a day."""
    if not revision.is_draft:
        return
    announce(
        event="draft-kept",
        recipients=[actor],
        actor=None,
        subject=revision,
        params={"days": settings.DRAFTS_KEPT_DAYS},
        path=reverse("intake:hub", args=[revision.requisition_id]),
        by_mail=True,
        occurrence=str(timezone.localdate()),
    )


def announce_submitted(*, revision: Revision, actor: User) -> None:
    """Tell of a letter that was sent: the first one of its requisition, or a later one."""
    earlier = Revision.objects.filter(
        requisition=revision.requisition, index__lt=revision.index, submitted_at__isnull=False
    )
    again = earlier.exists()
    _tell(Happening.RESUBMITTED if again else Happening.SUBMITTED, revision, actor)


def announce_redirected_at_once(*, revision: Revision, actor: User) -> None:
    """Tell of a draft that its own answers led another way; an engineer, when one had the letter
    before it."""
    known = Happening.REDIRECTED if revision.engineer_id else Happening.REDIRECTED_AT_ONCE
    _tell(known, revision, actor)


def announce_taken(*, revision: Revision, actor: User) -> None:
    """Tell that an engineer has it now; one that takes it again is no news."""
    _tell(Happening.TAKEN, revision, actor, occurrence=f"engineer {actor.pk}")


def announce_value_answered(*, revision: Revision, reply: OverrideReply, actor: User) -> None:
    """Tell the engineer what the client says of a value: every answer, for it may change."""
    happening = Happening.VALUE_ACCEPTED if reply.accepted else Happening.VALUE_DECLINED
    _tell(happening, revision, actor, occurrence=str(reply.pk))


def announce_estimation_failed(*, revision: Revision, calculation_id: UUID) -> None:
    """Tell that a calculation, or a part of it, will not come: once a calculation."""
    if revision.state in {State.ESTIMATING, State.IN_REVIEW}:
        _tell(Happening.ESTIMATION_FAILED, revision, None, occurrence=str(calculation_id))


def announce_superseded(
    *, revision: Revision, successor: Revision, readers: Iterable[User], actor: User
) -> None:
    """Tell everybody who holds the document of `revision` that it counts no more.

    Args:
        readers: who downloaded it; those who may not see the requisition any more are left out.
    """
    holding = [person for person in readers if _may_follow(person, revision)]
    _tell(Happening.SUPERSEDED, revision, actor, readers=holding, successor=successor.letter)


def announce_guest(*, invitation: GuestInvitation, happening: Happening, at: datetime) -> None:
    """Tell what a guest has done with a link: every time, for an answer may be mended."""
    requisition = invitation.revision.requisition
    hands = (invitation.invited_by, requisition.owner)
    for line in TABLE[happening]:
        announce(
            event=line.event,
            recipients=[p for p in hands if policy.acts_for_client(p, requisition)],
            actor=None,
            subject=invitation,
            params={},
            path=reverse("intake:guests", args=[requisition.pk]),
            by_mail=line.channel == Channel.MAIL and invitation.tell_by_mail,
            occurrence=at.isoformat(),
        )


def params_of(revision: Revision) -> dict[str, Any]:
    """What every mail about a revision names it by."""
    return {"number": revision.requisition.display_number, "letter": revision.letter}


def _details_of(happening: Happening, revision: Revision) -> dict[str, Any]:
    """By when the assessment is expected, or how many questions the engineer asks."""
    if happening in _WITH_DUE and revision.due_at:
        return {"due": timezone.localdate(revision.due_at).isoformat()}
    if happening == Happening.CHANGES_REQUESTED:
        asked = revision.open_questions.filter(origin="engineer", state="open").count()
        return {"questions": asked} if asked else {}
    return {}


def page_of(person: User, revision: Revision) -> str:
    """Where the person reads about the revision: their own page, or that of the house."""
    if policy.is_client_of(person, revision.requisition):
        status = reverse("intake:status", args=[revision.requisition_id])
        return f"{status}?letter={revision.letter}"
    return reverse("review:workspace", args=[revision.pk])


def _may_follow(person: User, revision: Revision) -> bool:
    return policy.is_client_of(person, revision.requisition) or person.is_staff_member


def _tell(
    happening: Happening,
    revision: Revision,
    actor: User | None,
    *,
    occurrence: str = "",
    readers: Iterable[User] = (),
    **params: Any,
) -> None:
    named = params_of(revision) | _details_of(happening, revision)
    told: set[int] = set()
    for line in TABLE[happening]:
        found = [p for p in _people(line.audience, revision, readers) if p.pk not in told]
        told |= {person.pk for person in found}
        for path, people in _by_page(line.audience, revision, found).items():
            announce(
                event=line.event,
                recipients=people,
                actor=None if line.receipt else actor,
                subject=revision,
                params=named | params,
                path=path,
                by_mail=line.channel == Channel.MAIL and _mailed(line.audience, revision),
                occurrence=occurrence,
            )


def _people(audience: Audience, revision: Revision, readers: Iterable[User]) -> list[User]:
    """Active people of an audience; who is of several hears it as the first of the table."""
    if audience == Audience.READERS:
        return list(readers)
    if audience == Audience.CLIENT:
        return client_side(revision)
    if audience == Audience.MANAGERS:
        return with_role(Role.MANAGER)
    if audience == Audience.APPROVERS:
        approvers = with_role(Role.APPROVER)
        return [p for p in approvers if policy.may_ever(p, Action.APPROVE, revision)]
    engineer = engineer_of(revision)
    return [engineer] if engineer else with_role(Role.ENGINEER)


def client_side(revision: Revision) -> list[User]:
    """Whoever still belongs to the company; a manager who acts for it hears it as a manager."""
    requisition = revision.requisition
    hands = (requisition.owner, revision.submitted_by)
    return [p for p in hands if p is not None and policy.is_client_of(p, requisition)]


def engineer_of(revision: Revision) -> User | None:
    """Who has it, unless they were switched off."""
    engineer = revision.engineer
    return engineer if engineer is not None and engineer.is_active else None


def with_role(role: Role) -> list[User]:
    """Active people who hold a role."""
    return list(User.objects.filter(is_active=True, grants__role=role).order_by("pk"))


def _mailed(audience: Audience, revision: Revision) -> bool:
    """Nobody writes to every engineer because of one requisition that waits in the queue."""
    return audience != Audience.ENGINEER or engineer_of(revision) is not None


def _by_page(
    audience: Audience, revision: Revision, people: list[User]
) -> Mapping[str, list[User]]:
    """People by the page where each goes on."""
    pages: dict[str, list[User]] = {}
    for person in people:
        pages.setdefault(_page_of(person, audience, revision), []).append(person)
    return pages


def _page_of(person: User, audience: Audience, revision: Revision) -> str:
    as_client = audience in {Audience.CLIENT, Audience.READERS}
    if as_client and policy.is_client_of(person, revision.requisition):
        page = "intake:check" if revision.is_draft else "intake:status"
        return reverse(page, args=[revision.requisition_id])
    page = "review:approval" if audience == Audience.APPROVERS else "review:workspace"
    return reverse(page, args=[revision.pk])
