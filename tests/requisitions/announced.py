"""The people around one requisition, the steps that they are told of, and what each was told."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from apps.accounts.models import Role, User
from apps.mail.models import Mail
from apps.notices.models import Notice
from apps.requisitions import announcements as said
from apps.requisitions.models import GuestInvitation, Revision
from apps.requisitions.outcomes import OtherWay
from apps.requisitions.services import (
    Wish,
    confirmation_ask,
    draft_redirect,
    guest_answer,
    guest_ask_again,
    guest_invite,
    override_set,
    requisition_create,
    revision_submit,
    revision_take,
    revision_transition,
    value_reply,
)
from apps.requisitions.workflow import Action, State
from tests.factories import ANSWERS, make_client, make_company, make_draft, make_user

PLANTED = "SYS-821GE-TNHR, 8 × H200, internal: margin 12 %"


@dataclass(frozen=True, slots=True)
class Cast:
    """`sender` is the owner's colleague who sends; `engineer` is the one who has it."""

    owner: User
    sender: User
    colleague: User
    stranger: User
    engineer: User
    other_engineer: User
    approver: User
    manager: User
    administrator: User
    switched_off: User

    def name_of(self, user_id: int) -> str:
        return next(n for n in self.__slots__ if getattr(self, n).pk == user_id)


def make_cast() -> Cast:
    company = make_company()
    off = make_user(*Role)
    off.is_active, off.company = False, company
    off.save()
    return Cast(
        owner=make_client(company=company),
        sender=make_client(company=company),
        colleague=make_client(company=company),
        stranger=make_client(),
        engineer=make_user(Role.ENGINEER),
        other_engineer=make_user(Role.ENGINEER),
        approver=make_user(Role.APPROVER),
        manager=make_user(Role.MANAGER),
        administrator=make_user(Role.ADMINISTRATOR),
        switched_off=off,
    )


def send(cast: Cast) -> Revision:
    draft = make_draft(cast.owner)
    return revision_submit(revision=draft, actor=cast.sender, effective=ANSWERS, title=PLANTED)


def in_state(cast: Cast, state: State, *, free: bool = False) -> Revision:
    """Sent by the colleague, in `state`, with its engineer unless `free`."""
    revision = send(cast)
    engineer = None if free else cast.engineer
    Revision.objects.filter(pk=revision.pk).update(state=state, engineer=engineer)
    return Revision.objects.select_related("requisition", "engineer", "submitted_by").get(
        pk=revision.pk
    )


def next_letter(cast: Cast, before: Revision) -> Revision:
    """The draft after it, with the engineer of the one before, as sending hands it on."""
    return Revision.objects.create(
        requisition=before.requisition, index=before.index + 1, previous=before
    )


Step = Callable[[], object]


def submitted(cast: Cast) -> Step:
    draft = make_draft(cast.owner)
    return lambda: revision_submit(
        revision=draft, actor=cast.sender, effective=ANSWERS, title=PLANTED
    )


def resubmitted(cast: Cast) -> Step:
    draft = next_letter(cast, in_state(cast, State.CHANGES_REQUESTED))
    draft.engineer = cast.engineer
    draft.save(update_fields=["engineer"])
    return lambda: revision_submit(
        revision=draft, actor=cast.owner, effective=ANSWERS, title=PLANTED
    )


def resubmitted_to_nobody(cast: Cast) -> Step:
    draft = next_letter(cast, in_state(cast, State.CHANGES_REQUESTED, free=True))
    return lambda: revision_submit(
        revision=draft, actor=cast.owner, effective=ANSWERS, title=PLANTED
    )


def failed(cast: Cast, *, free: bool = False) -> Step:
    revision = in_state(cast, State.IN_REVIEW, free=free)
    return lambda: said.announce_estimation_failed(
        revision=revision, calculation_id=uuid.UUID(int=1)
    )


def failed_in_the_queue(cast: Cast) -> Step:
    return failed(cast, free=True)


def taken(cast: Cast) -> Step:
    revision = in_state(cast, State.IN_REVIEW, free=True)
    return lambda: revision_take(revision=revision, actor=cast.engineer)


def value_accepted(cast: Cast) -> Step:
    return _answered(cast, accepted=True)


def value_declined(cast: Cast) -> Step:
    return _answered(cast, accepted=False)


def _answered(cast: Cast, *, accepted: bool) -> Step:
    revision = in_state(cast, State.IN_REVIEW)
    override = override_set(
        revision=revision, actor=cast.engineer, field="recipe.micro_batch", value=1, reason="r"
    )
    return lambda: value_reply(
        revision=revision, override_id=override.pk, actor=cast.owner, accepted=accepted
    )


def step(action: Action, source: State, by: str) -> Callable[[Cast], Step]:
    """`by` is a name of the cast; "" is a worker."""

    def prepare(cast: Cast) -> Step:
        revision = in_state(cast, source)
        actor = getattr(cast, by) if by else None
        document = "ab" * 32 if action == Action.APPROVE else ""
        return lambda: revision_transition(
            revision=revision,
            action=action,
            actor=actor,
            comment=PLANTED,
            document_sha256=document,
        )

    return prepare


def confirmation_asked(cast: Cast) -> Step:
    company = cast.owner.company
    assert company is not None
    draft = requisition_create(company=company, owner=cast.owner, actor=cast.manager)
    return lambda: confirmation_ask(revision=draft, actor=cast.manager)


def given_up_as_a_draft(cast: Cast) -> Step:
    draft = make_draft(cast.owner)
    return lambda: revision_transition(revision=draft, action=Action.WITHDRAW, actor=cast.owner)


def redirected_at_once(cast: Cast) -> Step:
    draft = make_draft(cast.owner)
    return lambda: draft_redirect(
        revision=draft, actor=cast.sender, way=OtherWay.RAG, effective=ANSWERS, title=PLANTED
    )


def guest_said(verdict: str) -> Callable[[Cast], Step]:
    """The owner hears it, and so does the colleague who sent the link."""

    def prepare(cast: Cast) -> Step:
        inviter = cast.colleague if verdict == "lacking" else cast.owner
        row = _guest(cast, inviter, "site")
        return lambda: guest_answer(invitation=row, verdict=verdict, note=PLANTED)

    return prepare


def guest_said_quietly(cast: Cast) -> Step:
    row = _guest(cast, cast.owner, "site", tell_by_mail=False)
    return lambda: guest_answer(invitation=row, verdict="done", note=PLANTED)


def guest_asks_again(cast: Cast) -> Step:
    row = _guest(cast, cast.owner, "site")
    return lambda: guest_ask_again(invitation=row)


def _guest(cast: Cast, inviter: User, section: str, **wish: bool) -> GuestInvitation:
    draft = make_draft(cast.owner)
    asked = Wish(section=section, name=PLANTED, email="guest@test.example", **wish)
    return guest_invite(revision=draft, wish=asked, actor=inviter)


def superseded(cast: Cast) -> Step:
    """The stranger, the colleague, a second engineer and the manager downloaded it once."""
    revision = in_state(cast, State.APPROVED)
    readers = [cast.stranger, cast.colleague, cast.other_engineer, cast.manager, cast.approver]
    return lambda: said.announce_superseded(
        revision=revision,
        successor=next_letter(cast, revision),
        readers=[*readers, cast.switched_off],
        actor=cast.approver,
    )


def told(cast: Cast) -> dict[str, str]:
    """Name of the person -> `event by mail`, or `event`. Nobody is told two things of one step."""
    mails = set(Mail.objects.values_list("key", flat=True))
    found: dict[str, str] = {}
    for notice in Notice.objects.all():
        name = cast.name_of(notice.user_id)
        assert name not in found, f"{name} was told twice"
        mailed = f"notice:{notice.pk}" in mails
        found[name] = f"{notice.event} by mail" if mailed else notice.event
    return found


def forget() -> None:
    """What the preparation of a test told."""
    Notice.objects.all().delete()
