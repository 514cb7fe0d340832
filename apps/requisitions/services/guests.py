"""Inviting a colleague to one section by a link, and what the colleague says."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.mail.services import mail_queue
from apps.requisitions import policy
from apps.requisitions.announcements import Happening, announce_guest
from apps.requisitions.guest_keys import Secret, key_make
from apps.requisitions.models import GuestInvitation, Revision
from apps.requisitions.models.guests import NAME_MAX_CHARS, NOTE_MAX_CHARS
from apps.requisitions.services.answers import section_finish

MOST_INVITATIONS: Final = 40
ASKED_AGAIN_AT_MOST: Final = timedelta(hours=1)
"""The inviter hears of a link that is over at most this often."""


class LinkOver(DomainError):
    """The link was revoked, its time is over, or the revision takes no answers any more."""

    status = 410
    code = "link-over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Whom to ask for what, and for how long the link works."""

    section: str
    question: str = ""
    name: str = ""
    email: str = ""
    due: date | None = None
    days: int = 7
    tell_by_mail: bool = True

    @property
    def expires_at(self) -> datetime:
        """After the days that were chosen, and never before the day of the answer is over."""
        chosen = timezone.now() + timedelta(days=self.days)
        if self.due is None:
            return chosen
        due_ends = datetime.combine(self.due + timedelta(days=1), time.min)
        return max(chosen, timezone.make_aware(due_ends))


@transaction.atomic
def guest_invite(
    *, revision: Revision, wish: Wish, actor: User, pk: uuid.UUID | None = None
) -> GuestInvitation:
    """Let somebody without an account answer one section of a draft.

    Args:
        pk: of the form that asks; sent twice, it makes one invitation.

    Raises:
        NotAllowed: the person may not edit this draft.
        Conflict: it is not a draft any more.
        DomainError: there are too many already.
    """
    _check_may_invite(actor, revision)
    if revision.guest_invitations.count() >= MOST_INVITATIONS:
        raise DomainError(_("There are very many links to this requisition. Revoke some first."))
    invitation, made = GuestInvitation.objects.get_or_create(
        pk=pk or uuid.uuid4(),
        revision=revision,
        defaults={
            "section": wish.section,
            "question": wish.question,
            "name": wish.name[:NAME_MAX_CHARS],
            "email": wish.email,
            "due": wish.due,
            "tell_by_mail": wish.tell_by_mail,
            "language": actor.language,
            "invited_by": actor,
            "expires_at": wish.expires_at,
        },
    )
    if made:
        _record(invitation, "guest.invite", actor)
    return invitation


def _check_may_invite(actor: User, revision: Revision) -> None:
    if not policy.acts_for_client(actor, revision.requisition):
        raise NotAllowed(_("Your role does not allow this step."))
    if not policy.may(actor, policy.Deed.EDIT_ANSWERS, revision):
        raise Conflict(_("This revision was sent already; its answers cannot change any more."))


@transaction.atomic
def guest_link(*, invitation: GuestInvitation, actor: User) -> Secret:
    """A link to hand over by oneself. It is shown this once: only its hash is kept."""
    _check_may_invite(actor, invitation.revision)
    _check_usable(invitation)
    secret = key_make(invitation)
    _record(invitation, "guest.link", actor)
    return secret


@transaction.atomic
def guest_letter(*, invitation: GuestInvitation, actor: User) -> None:
    """Write to the guest; the link in the letter is made when it is sent."""
    _check_may_invite(actor, invitation.revision)
    _check_usable(invitation)
    if not invitation.email:
        raise DomainError(_("There is no e-mail address: copy the link and hand it over."))
    mail_queue(
        key=f"guest:{uuid.uuid4().hex}",
        to=invitation.email,
        language=invitation.language,
        template="guest",
        params={"invitation": invitation.pk},
    )
    _record(invitation, "guest.letter", actor)


@transaction.atomic
def guest_prolong(*, invitation: GuestInvitation, days: int, actor: User) -> None:
    """Let a link work longer; the links that were handed out before work again with it."""
    _check_may_invite(actor, invitation.revision)
    open_ones = GuestInvitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True)
    until = max(invitation.expires_at, timezone.now() + timedelta(days=days))
    if not open_ones.update(expires_at=until, asked_again_at=None):
        raise LinkOver(_("This link was revoked. Invite anew."))
    invitation.refresh_from_db(fields=["expires_at", "asked_again_at"])
    _record(invitation, "guest.prolong", actor)


@transaction.atomic
def guest_revoke(*, invitation: GuestInvitation, actor: User) -> None:
    """The link opens nothing from now on; answers that came by it stay."""
    if not policy.acts_for_client(actor, invitation.revision.requisition):
        raise NotAllowed(_("Your role does not allow this step."))
    open_ones = GuestInvitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True)
    if open_ones.update(revoked_at=timezone.now()):
        _record(invitation, "guest.revoke", actor)


def _check_usable(invitation: GuestInvitation) -> None:
    if not invitation.is_usable:
        raise LinkOver(_("This link does not work any more."))


@transaction.atomic
def guest_begin(*, invitation: GuestInvitation, name: str = "") -> GuestInvitation:
    """Somebody has opened the link and pressed the button: programs that read mail do not.

    A name is taken once, when the inviter gave none.

    Raises:
        LinkOver: it was revoked, or is over, meanwhile.
    """
    held = _held(invitation)
    if not held.name:
        held.name = " ".join(name.split())[:NAME_MAX_CHARS]
    held.begun_at = held.begun_at or timezone.now()
    held.save(update_fields=["name", "begun_at"])
    _record(held, "guest.open", None)
    return held


@transaction.atomic
def guest_answer(*, invitation: GuestInvitation, verdict: str, note: str) -> GuestInvitation:
    """The guest's own word on the section: answered, or looked and data is missing.

    Raises:
        LinkOver: it was revoked, or is over, meanwhile.
    """
    held = _held(invitation)
    held.verdict = GuestInvitation.Verdict(verdict)
    held.note = note.strip()[:NOTE_MAX_CHARS]
    held.answered_at = timezone.now()
    held.save(update_fields=["verdict", "note", "answered_at"])
    done = held.verdict == GuestInvitation.Verdict.DONE
    section_finish(revision=held.revision, section=held.section, finished=done, actor=held)
    _record(held, "guest.answer" if done else "guest.lacking", None)
    happening = Happening.GUEST_ANSWERED if done else Happening.GUEST_LACKING
    announce_guest(invitation=held, happening=happening, at=held.answered_at)
    return held


def _held(invitation: GuestInvitation) -> GuestInvitation:
    """The row as it is now, held until the transaction ends."""
    rows = GuestInvitation.objects.select_for_update(of=("self",))
    held = rows.select_related("revision__requisition__owner", "invited_by").get(pk=invitation.pk)
    _check_usable(held)
    return held


@transaction.atomic
def guest_ask_again(*, invitation: GuestInvitation) -> bool:
    """Tell the inviter that somebody stands before a link whose time is over. False: they know."""
    now = timezone.now()
    waiting = GuestInvitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True)
    heard_long_ago = Q(asked_again_at__isnull=True) | Q(
        asked_again_at__lt=now - ASKED_AGAIN_AT_MOST
    )
    if not waiting.filter(heard_long_ago).update(asked_again_at=now):
        return False
    invitation.asked_again_at = now
    _record(invitation, "guest.ask-again", None)
    announce_guest(invitation=invitation, happening=Happening.GUEST_ASKS_AGAIN, at=now)
    return True


def _record(invitation: GuestInvitation, action: str, actor: User | None) -> None:
    """On the revision, where its people look; the trail holds no address and no word of a note."""
    audit.record(
        actor=actor,
        guest="" if actor else invitation.name or _("a guest"),
        action=action,
        subject=invitation.revision,
        invitation=str(invitation.pk),
        section=invitation.section,
    )
