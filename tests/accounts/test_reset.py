"""A new password through a letter."""

from datetime import timedelta

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEvent
from apps.jobs.models import Job
from apps.mail.models import Mail
from tests.accounts.letters import PASSWORD, has_link, letter_to, letters_to, link_in, seen
from tests.factories import make_client, make_invitation, make_user

pytestmark = pytest.mark.django_db


def ask(client: Client, email: str):
    return client.post("/accounts/reset/", {"email": email})


def set_password(client: Client, path: str, password: str = PASSWORD):
    form = client.get(path)
    if form.status_code != 302:
        return form
    return client.post(form.url, {"new_password1": password, "new_password2": password})


def test_from_the_letter_to_a_new_password_that_ends_every_other_session(client):
    person = make_client()
    elsewhere = Client()
    elsewhere.force_login(person)
    assert ask(client, person.email.upper()).url == "/accounts/reset/sent/"
    answer = set_password(client, link_in(letter_to(person.email)))
    assert answer.url == "/accounts/sign-in/"
    person.refresh_from_db()
    assert person.check_password(PASSWORD)
    assert elsewhere.get("/requisitions/").status_code == 302
    assert "пароль изменён" in letter_to(person.email).subject
    assert AuditEvent.objects.get(action="account.reset").actor == person


def test_a_link_works_once_and_is_not_used_up_by_opening_it(client):
    person = make_client()
    ask(client, person.email)
    path = link_in(letter_to(person.email))
    for _ in range(3):
        assert Client().get(path).status_code == 302
    assert set_password(client, path).status_code == 302
    again = Client().get(path)
    assert again.status_code == 410
    assert "Эта ссылка не действует" in again.content.decode()


def test_the_token_is_nowhere_in_the_database(client):
    person = make_client()
    ask(client, person.email)
    token = link_in(letter_to(person.email)).split("/")[-2]
    stored = [str(vars(row)) for model in (Job, Mail) for row in model.objects.all()]
    assert stored
    assert not any(token in text for text in stored)


def test_a_day_later_the_link_is_dead(client, monkeypatch):
    person = make_client()
    ask(client, person.email)
    path = link_in(letter_to(person.email))
    later = timezone.now().replace(tzinfo=None) + timedelta(days=1, hours=4)
    monkeypatch.setattr(default_token_generator, "_now", lambda: later)
    assert client.get(path).status_code == 410


@pytest.mark.parametrize("path", ["MQ/abc-def/", "!!/x/", "OTk5OTk5OTk5/abc-def/"])
def test_a_forged_link_opens_nothing(client, path):
    assert client.get(f"/accounts/reset/{path}").status_code == 410


def test_one_persons_link_does_not_open_anothers_account(client):
    mine, other = make_client(), make_client()
    ask(client, mine.email)
    ask(client, other.email)
    token = link_in(letter_to(mine.email)).split("/")[-2]
    place = link_in(letter_to(other.email)).split("/")[-3]
    assert client.get(f"/accounts/reset/{place}/{token}/").status_code == 410


def test_neither_page_nor_work_tells_whether_an_address_is_known():
    known, off = make_client(), make_client()
    User.objects.filter(pk=off.pk).update(is_active=False)
    addresses = (known.email, off.email, "nobody@vostok.example")
    browsers = (Client(headers={"accept-language": "ru"}) for _ in addresses)
    answers = {seen(b, "/accounts/reset/", a) for b, a in zip(browsers, addresses, strict=True)}
    assert len(answers) == 1
    assert [len(letters_to(address)) for address in addresses] == [1, 1, 1]


def test_only_the_letter_says_why_there_is_no_link(client):
    off = make_client()
    User.objects.filter(pk=off.pk).update(is_active=False)
    ask(client, off.email)
    assert "отключена" in letter_to(off.email).body
    ask(client, "nobody@vostok.example")
    assert "нет учётной записи" in letter_to("nobody@vostok.example").body
    assert not has_link(letter_to(off.email))


def test_whoever_is_invited_gets_the_invitation_instead(client):
    contact = User.objects.create(email="contact@vostok.example", full_name="К", is_active=False)
    make_invitation(email=contact.email, person=contact)
    ask(client, contact.email)
    assert link_in(letter_to(contact.email)).startswith("/accounts/invitation/")


def test_a_person_switched_off_after_asking_gets_no_new_password(client):
    person = make_user()
    ask(client, person.email)
    path = link_in(letter_to(person.email))
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert client.get(path).status_code == 410


def test_passwords_that_differ_or_are_weak_are_refused_at_their_field(client):
    person = make_client()
    ask(client, person.email)
    form = client.get(link_in(letter_to(person.email)))
    said = {"new_password1": PASSWORD, "new_password2": PASSWORD + "x"}
    page = client.post(form.url, said).content.decode()
    assert 'href="#id_new_password2"' in page
    page = client.post(form.url, {"new_password1": "short", "new_password2": "short"})
    assert "12 символов" in page.content.decode()
    person.refresh_from_db()
    assert person.check_password("long-enough-password")
