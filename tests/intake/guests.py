"""A draft whose rack section somebody is asked to answer by a link."""

import re
from typing import Any

from django.core import mail as outbox
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.requisitions.guest_keys import Secret, key_make
from apps.requisitions.models import GuestInvitation, Revision
from apps.requisitions.services import Wish, guest_invite
from tests.helpers import run_jobs
from tests.intake.pages import url


def make_guest(draft: Revision, inviter: User | None = None, **wish: Any) -> GuestInvitation:
    values = {"section": "site", "name": "Пётр Стойкин", "email": "petr@test.example"} | wish
    actor = inviter or draft.requisition.owner
    return guest_invite(revision=draft, wish=Wish(**values), actor=actor)


def path_of(secret: Secret) -> str:
    """The link without the host."""
    return secret.url.removeprefix("http://testserver")


def link_to(guest: GuestInvitation) -> str:
    return path_of(key_make(guest))


def phone() -> Client:
    """A browser in which nobody is signed in, reading English."""
    return Client(headers={"accept-language": "en"})


def begun(guest: GuestInvitation, **form: str) -> Client:
    """A browser that has opened the link and pressed the button."""
    client = phone()
    answer = client.post(link_to(guest), {"begin": "1", **form})
    assert answer.status_code == 302, answer.content[:500]
    guest.refresh_from_db()
    return client


def page(guest: GuestInvitation, name: str = "section", *args: str) -> str:
    return reverse(f"intake:guest-{name}", args=[guest.pk, *args])


def ask(browser: Client, draft: Revision, **form: str) -> Any:
    """The owner fills in the form; `send` writes a letter, without it a link is taken."""
    values = {"section": "site", "name": "Пётр Стойкин", "days": "7", "tell_by_mail": "on"}
    return browser.post(url("guests", draft), values | form)


def letter() -> tuple[str, str, str]:
    """Link without the host, code and whole text of the only letter that goes out to a guest."""
    outbox.outbox.clear()
    run_jobs("mail")
    (message,) = [mail for mail in outbox.outbox if "/guest/link/" in mail.body]
    text = str(message.body)
    found = re.search(r"http://testserver(/guest/link/\S+)", text)
    code = re.search(r"\d{5} \d{5}", text)
    assert found
    assert code
    return found[1], code[0], message.subject + "\n" + text
