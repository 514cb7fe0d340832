"""What people set about themselves."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts import links
from apps.accounts.models import EmailChange, User
from apps.audit.models import AuditEvent
from tests.accounts.letters import PASSWORD, has_link, letter_to, letters_to, link_in
from tests.factories import make_client, make_email_change

pytestmark = pytest.mark.django_db
PROFILE = "/accounts/profile/"
OLD = "long-enough-password"
NEW = "new@vostok.example"


@pytest.fixture
def person(client) -> User:
    user = make_client()
    client.force_login(user)
    return user


def test_name_and_language_are_saved_and_pages_follow_the_language(client, person):
    answer = client.post(PROFILE, {"full_name": "Анна Новая", "language": "en"})
    assert answer.url == PROFILE
    page = client.get(PROFILE).content.decode()
    assert '<html lang="en"' in page
    assert "Your profile is saved." in page
    person.refresh_from_db()
    assert (person.full_name, person.language) == ("Анна Новая", "en")


def test_a_senseless_profile_is_refused_at_its_field(client, person):
    answer = client.post(PROFILE, {"full_name": "", "language": "xx"})
    page = answer.content.decode()
    assert 'href="#id_full_name"' in page
    assert 'href="#id_language"' in page


def test_the_switch_in_the_footer_is_kept_in_the_profile(client, person):
    client.post("/preferences/language/", {"language": "en", "next": PROFILE})
    person.refresh_from_db()
    assert (person.language, person.language_chosen) == ("en", True)


def test_the_language_once_chosen_comes_along_to_another_browser(client, person):
    client.post("/preferences/language/", {"language": "en"})
    elsewhere = Client(headers={"accept-language": "ru"})
    elsewhere.post("/accounts/sign-in/", {"username": person.email, "password": OLD})
    assert '<html lang="en"' in elsewhere.get(PROFILE).content.decode()


def test_until_a_language_is_chosen_letters_follow_the_browser(person):
    elsewhere = Client(headers={"accept-language": "en"})
    elsewhere.post("/accounts/sign-in/", {"username": person.email, "password": OLD})
    person.refresh_from_db()
    assert (person.language, person.language_chosen) == ("en", False)
    assert '<html lang="en"' in elsewhere.get(PROFILE).content.decode()


def test_a_new_password_ends_the_other_sessions_and_keeps_this_one(client, person):
    elsewhere = Client()
    elsewhere.force_login(person)
    said = {"old_password": OLD, "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post("/accounts/profile/password/", said).url == PROFILE
    assert client.get(PROFILE).status_code == 200
    assert elsewhere.get(PROFILE).status_code == 302
    assert "пароль изменён" in letter_to(person.email).subject
    assert AuditEvent.objects.get(action="account.password").actor == person


def test_without_the_old_password_there_is_no_new_one(client, person):
    said = {"old_password": "wrong", "new_password1": PASSWORD, "new_password2": PASSWORD}
    page = client.post("/accounts/profile/password/", said).content.decode()
    assert "не ваш нынешний пароль" in page
    person.refresh_from_db()
    assert person.check_password(OLD)


def test_signing_out_everywhere_ends_every_session(client, person):
    elsewhere = Client()
    elsewhere.force_login(person)
    assert client.post("/accounts/profile/sign-out/").status_code == 302
    for browser in (client, elsewhere):
        assert browser.get(PROFILE).status_code == 302
    answer = client.post("/accounts/sign-in/", {"username": person.email, "password": OLD})
    assert answer.status_code == 302


def ask(client: Client, email: str = NEW, password: str = OLD):
    return client.post("/accounts/profile/email/", {"email": email, "password": password})


def test_a_new_address_is_confirmed_there_and_the_old_one_is_told(client, person):
    old = person.email
    assert ask(client).url == "/accounts/profile/email/sent/"
    path = link_in(letter_to(NEW))
    assert client.get(path).status_code == 200
    person.refresh_from_db()
    assert person.email == old
    assert client.post(path).url == PROFILE
    person.refresh_from_db()
    assert person.email == NEW
    assert NEW in letter_to(old).body
    assert "Адрес уже подтверждён" in client.post(path).content.decode()
    answer = Client().post("/accounts/sign-in/", {"username": NEW, "password": OLD})
    assert answer.status_code == 302


def test_somebody_elses_session_does_not_confirm_it(client, person):
    ask(client)
    path = link_in(letter_to(NEW))
    other = Client()
    other.force_login(make_client())
    assert other.post(path).status_code == 404
    assert Client().post(path).status_code == 302
    person.refresh_from_db()
    assert person.email != NEW


def test_an_address_with_an_account_cannot_be_taken_and_the_page_does_not_say(client, person):
    taken = make_client()
    assert ask(client, taken.email).url == "/accounts/profile/email/sent/"
    assert not has_link(letter_to(taken.email))
    path = f"/accounts/profile/email/{links.token_of(EmailChange.objects.get())}/"
    assert client.post(path).status_code == 410
    person.refresh_from_db()
    assert person.email != taken.email


@pytest.mark.parametrize(
    "change", [{"expires_at": timezone.now() - timedelta(days=1)}, {"old_email": "x@x.example"}]
)
def test_a_change_that_is_old_or_overtaken_does_nothing(client, person, change):
    row = make_email_change(person, email=NEW, **change)
    assert client.post(f"/accounts/profile/email/{links.token_of(row)}/").status_code == 410
    person.refresh_from_db()
    assert person.email != NEW


def test_a_new_address_needs_the_password(client, person):
    assert "не ваш пароль" in ask(client, password="wrong").content.decode()
    assert "ваш нынешний адрес" in ask(client, person.email).content.decode()
    assert letters_to(NEW) == []
