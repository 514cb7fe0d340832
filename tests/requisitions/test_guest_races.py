"""Two people at one link, or one link and its end, at the same instant."""

from collections.abc import Callable

import pytest

from apps.audit.models import AuditEvent
from apps.requisitions.models import GuestInvitation
from apps.requisitions.services import (
    Change,
    LinkOver,
    SaveOutcome,
    Wish,
    answers_save,
    guest_begin,
    guest_invite,
    guest_revoke,
)
from tests.factories import make_draft
from tests.helpers import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def make_guest(**wish) -> GuestInvitation:
    draft = make_draft()
    asked = Wish(section="site", **wish)
    return guest_invite(revision=draft, wish=asked, actor=draft.requisition.owner)


def beginning(guest: GuestInvitation, name: str = "") -> Callable[[], GuestInvitation]:
    return lambda: guest_begin(invitation=guest, name=name)


def test_two_posts_of_a_nameless_link_leave_one_name():
    for _ in range(10):
        guest = make_guest()
        names = ("Олег Щитов", "Иван Вводов")
        done = at_once(*(beginning(guest, name) for name in names))
        guest.refresh_from_db()
        assert guest.name in names
        assert {row.name for row in done} == {guest.name}
        opened = AuditEvent.objects.filter(action="guest.open", payload_text__contains=guest.pk)
        assert {event.actor_name for event in opened} == {guest.name}


def revoking(guest: GuestInvitation) -> Callable[[], None]:
    return lambda: guest_revoke(invitation=guest, actor=guest.invited_by)


def test_a_link_is_revoked_while_somebody_begins():
    for _ in range(10):
        guest = make_guest(name="Олег Щитов")
        begun, revoked = at_once(beginning(guest), revoking(guest))
        assert isinstance(begun, GuestInvitation | LinkOver)
        assert revoked is None
        guest.refresh_from_db()
        assert guest.revoked_at is not None


def test_two_guests_of_one_link_save_one_field_and_one_of_them_is_asked():
    guest = make_guest(name="Олег Щитов")
    changes = [Change(key="kw_usable", value=value) for value in ("12", "9")]
    done = at_once(
        *(
            lambda c=c: answers_save(revision=guest.revision, changes=[c], actor=guest)
            for c in changes
        )
    )
    assert all(isinstance(outcome, SaveOutcome) for outcome in done)
    assert sorted(len(outcome.clashes) for outcome in done) == [0, 1]


def test_a_form_that_is_sent_twice_at_once_makes_one_invitation():
    draft = make_draft()
    wish, form = Wish(section="site"), draft.requisition.pk
    made = at_once(
        *(
            lambda: guest_invite(revision=draft, wish=wish, actor=draft.requisition.owner, pk=form)
            for _press in range(2)
        )
    )
    assert {row.pk for row in made} == {form}
    assert GuestInvitation.objects.count() == 1
    assert AuditEvent.objects.filter(action="guest.invite").count() == 1
