"""Reading the letters that a test caused."""

import re

from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.helpers import run_jobs

PASSWORD = "сосна-весна-17"
ABOUT_ME = {
    "full_name": "Ольга Воронцова",
    "company_name": "Восток",
    "password": PASSWORD,
    "language": "ru",
}


def letters_to(address: str) -> list[EmailMessage]:
    """Everything that was sent there, after the workers did what was due."""
    run_jobs()
    return [letter for letter in mail.outbox if letter.to == [address]]


def letter_to(address: str) -> EmailMessage:
    return letters_to(address)[-1]


def link_in(letter: EmailMessage) -> str:
    """The path of the link that a letter asks to open."""
    found = re.search(r"http://testserver(/accounts/\S+)", str(letter.body))
    assert found, letter.body
    return found[1]


def has_link(letter: EmailMessage) -> bool:
    return "http://testserver/accounts/" in str(letter.body)


def seen(client: Client, url: str, email: str, **said: str) -> tuple[int, str, str, int]:
    """What a stranger can tell from asking for a letter: status, page, and the work done for it."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(url, {"email": email} | said)
    page = client.get(answer.url).content.decode().replace(email, "ADDRESS")
    page = re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]+', "", page)
    return answer.status_code, answer.url, page, len(queries)


def ask(client: Client, email: str = "new@vostok.example", **said):
    """Sign up through the form."""
    return client.post("/accounts/sign-up/", {"email": email} | ABOUT_ME | said)
