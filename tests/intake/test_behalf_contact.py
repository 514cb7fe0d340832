"""A client who has no account yet: what waits for them, and how they come to it."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from apps.accounts import links
from apps.accounts.models import Invitation, Role, User
from apps.notices.models import Notice
from apps.requisitions.models import Requisition, Revision
from tests.factories import make_user
from tests.helpers import run_jobs
from tests.intake.pages import answer_all, url
from tests.intake.test_behalf import ENGLISH, NEW, ask, page, questioned, reader

JOINING = {
    "full_name": "Мария Кольцова",
    "password1": "сосна-весна-17",
    "password2": "сосна-весна-17",
    "language": "en",
}


@pytest.fixture
def manager(db) -> User:
    return make_user(Role.MANAGER, full_name="Павел Ершов")


def filled_for_new(manager: User) -> Revision:
    """A complete draft of the manager for somebody whose address nobody knew."""
    form = {"who": "new", "company_name": "Онега", "full_name": "Мария", "email": "m@onega.example"}
    reader(manager).post(NEW, form)
    draft = Requisition.objects.get().revisions.get()
    answer_all(draft, by=manager)
    return draft


def test_a_contact_without_an_account_is_invited_again(manager):
    draft = filled_for_new(manager)
    run_jobs()
    mail.outbox.clear()
    ask(manager, draft)
    run_jobs()
    assert [m.to for m in mail.outbox] == [["m@onega.example"]]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_joining_leads_to_the_requisition_that_waits(manager, language):
    """The letter says what waits, accepting opens it, and the notice is there."""
    User.objects.filter(pk=manager.pk).update(language=language)
    manager.refresh_from_db()
    draft = filled_for_new(manager)
    run_jobs()
    plain = mail.outbox[-1]
    ask(manager, draft)
    run_jobs()
    letter = mail.outbox[-1]
    assert letter.subject != plain.subject
    assert {"en": "requisition", "ru": "заявк"}[language] in letter.subject.casefold()
    assert "Llama" not in letter.body
    link = re.search(r"/accounts/invitation/\S+/", letter.body)
    assert link is not None
    guest = Client(headers={"accept-language": language})
    said = {"en": "filled in for you waits", "ru": "заполненная для вас"}
    assert said[language] in guest.get(link[0]).content.decode()
    answer = guest.post(link[0], JOINING | {"language": language})
    assert answer["Location"] == url("check", draft)
    assert page(guest, url("check", draft))
    notice = Notice.objects.get(event="please-confirm")
    assert (notice.user.email, notice.read_at) == ("m@onega.example", None)
    assert notice.path == url("check", draft)
    assert str(notice.pk) in page(guest, reverse("notices:list"))


def test_a_draft_that_was_taken_back_waits_for_nobody(manager):
    draft = filled_for_new(manager)
    ask(manager, draft)
    reader(manager).post(url("take-back", draft))
    path = links.link_to(Invitation.objects.get()).removeprefix("http://testserver")
    guest = Client(headers=ENGLISH)
    assert "waits" not in guest.get(path).content.decode()
    assert guest.post(path, JOINING)["Location"] == reverse("intake:list")


def test_who_joins_later_finds_what_was_told_meanwhile(manager):
    """Sent on their behalf, and asked about: the contact has no mailbox of ours, but the notices."""
    draft = filled_for_new(manager)
    reader(manager).post(url("submit", draft))
    draft.refresh_from_db()
    questioned(draft)
    run_jobs()
    told = Notice.objects.filter(user__email="m@onega.example").values_list("event", flat=True)
    assert {"receipt", "questions"} <= set(told)
    assert [m.subject for m in mail.outbox if m.to == ["m@onega.example"]] == [
        m.subject for m in mail.outbox if "/accounts/invitation/" in m.body
    ]
