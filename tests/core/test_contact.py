"""Wherever people are told to write to us, the address stands there, or nobody is named."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils import translation

from apps.accounts import throttle
from apps.accounts.models import User
from apps.core.contact import contact_html, contact_words
from tests.accounts.letters import letter_to
from tests.factories import make_client

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "help@podbor.example"


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_sentence_has_the_address_or_names_nobody(settings, language):
    with translation.override(language):
        settings.CONTACT_EMAIL = ADDRESS
        assert ADDRESS in contact_words()
        assert f'<a href="mailto:{ADDRESS}">{ADDRESS}</a>' in contact_html()
        settings.CONTACT_EMAIL = ""
        assert contact_html() == contact_words()
        assert not re.search(r"@|write to us|напишите нам", contact_words(), re.IGNORECASE)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.one_stack
def test_pages_letters_and_the_footer_say_it(settings, address):
    settings.CONTACT_EMAIL = address
    person = make_client()
    User.objects.filter(pk=person.pk).update(is_active=False)
    browser = Client(headers={"accept-language": "ru"})
    key = throttle.SIGN_IN.key("x@test.example", "127.0.0.1")
    for _ in range(10):
        throttle.record(key)
    page = browser.post("/accounts/sign-in/", {"username": "x@test.example", "password": "x"})
    assert page.status_code == 429
    browser.post("/accounts/reset/", {"email": person.email})
    for text in (page.content.decode(), str(letter_to(person.email).body)):
        assert ("Напишите нам" in text) == bool(address)
        assert (ADDRESS in text) == bool(address)
        assert address or "Сообщите тому, кто работает с вами" in text
    footer = browser.get("/accounts/sign-in/").content.decode().partition("<footer")[2]
    assert (f"mailto:{ADDRESS}" in footer) == bool(address)


def test_no_text_asks_to_write_to_nobody():
    """One place knows whom to write to; a sentence of its own would forget the address."""
    asking = re.compile(r"\bwrite to us\b", re.IGNORECASE)
    sources = [*(ROOT / "apps").rglob("*.py"), *(ROOT / "templates").rglob("*.*")]
    found = [path.name for path in sources if asking.search(path.read_text(encoding="utf-8"))]
    assert found == ["contact.py"]
