"""What guests did is kept as promised, and a breach is noticed."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from apps.documents.invariants import CHECKS
from apps.requisitions.guest_keys import key_make
from apps.requisitions.invariants import CHECKS as GUEST_CHECKS
from apps.requisitions.models import Answer, GuestInvitation, GuestKey
from apps.requisitions.services import (
    Change,
    Wish,
    answers_save,
    guest_answer,
    guest_begin,
    guest_invite,
    guest_revoke,
)
from tests.factories import make_draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest() -> GuestInvitation:
    draft = make_draft()
    owner = draft.requisition.owner
    row = guest_invite(revision=draft, wish=Wish(section="site", name="Пётр"), actor=owner)
    key_make(row)
    row = guest_begin(invitation=row)
    answers_save(revision=draft, changes=[Change(key="kw_usable", value="12")], actor=row)
    row = guest_answer(invitation=row, verdict="done", note="")
    guest_revoke(invitation=row, actor=owner)
    return row


def broken() -> list[str]:
    return [line for check in GUEST_CHECKS for line in check()]


def test_what_the_product_does_keeps_every_promise(guest):
    assert set(GUEST_CHECKS) <= set(CHECKS)
    assert broken() == []


def answer_elsewhere() -> None:
    Answer.objects.update(key="business_task")


def answer_for_others() -> None:
    Answer.objects.update(revision=make_draft())


def never_begin() -> None:
    GuestInvitation.objects.update(begun_at=None)


def lack_silently() -> None:
    GuestInvitation.objects.update(verdict="lacking")


def invite_silently() -> None:
    row = GuestInvitation.objects.get()
    GuestInvitation.objects.create(
        revision=row.revision,
        section="site",
        language="ru",
        invited_by=row.invited_by,
        expires_at=timezone.now(),
    )


def keep_a_token() -> None:
    GuestKey.objects.update(token_hash="a-token-in-clear")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (answer_elsewhere, "a guest of site has answered business_task"),
        (answer_for_others, "by a guest of another requisition"),
        (never_begin, "by a guest who never began"),
        (lack_silently, "without guest.lacking in the audit trail"),
        (invite_silently, "without guest.invite in the audit trail"),
        (keep_a_token, "holds something else than hashes"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_broken_promise_is_named(guest, damage: Callable[[], None], said: str):
    damage()
    assert any(said in line for line in broken())
