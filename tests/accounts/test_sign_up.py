"""Signing up: the form, the letter, the link."""

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from apps.accounts import links, services
from apps.accounts.models import Company, Role, SignUp, User
from apps.audit.models import AuditEvent
from tests.accounts.letters import (
    ABOUT_ME,
    PASSWORD,
    ask,
    has_link,
    letter_to,
    letters_to,
    link_in,
    seen,
)
from tests.factories import make_client, make_company, make_invitation, make_sign_up, make_user

pytestmark = pytest.mark.django_db
NEW = "new@vostok.example"


def test_from_the_form_through_the_letter_to_an_own_company(client):
    make_company(name="Восток")
    sent = ask(client, "  New@Vostok.example ", language="en")
    assert sent.url == "/accounts/sign-up/sent/"
    assert NEW in client.get(sent.url).content.decode()
    assert not User.objects.filter(email=NEW).exists()
    letter = letter_to(NEW)
    assert "confirm your address" in letter.subject
    path = link_in(letter)
    assert client.get(path).status_code == 200
    answer = client.post(path, {"password": PASSWORD})
    assert answer.url == "/requisitions/"
    assert answer.cookies["django_language"].value == "en"
    person = User.objects.get(email=NEW)
    assert person.roles == {Role.CLIENT}
    assert person.company.name == "Восток"
    assert Company.objects.filter(name="Восток").count() == 2
    assert client.get("/requisitions/").status_code == 200
    assert AuditEvent.objects.get(action="account.sign-up").actor == person


def test_before_the_address_is_confirmed_nobody_signs_in(client):
    ask(client)
    said = {"username": NEW, "password": PASSWORD}
    assert client.post("/accounts/sign-in/", said).status_code == 200
    assert "_auth_user_id" not in client.session


def test_opening_the_link_any_number_of_times_does_nothing(client):
    ask(client)
    path = link_in(letter_to(NEW))
    for _ in range(3):
        assert Client().get(path).status_code == 200
    assert not User.objects.filter(email=NEW).exists()
    assert client.post(path, {"password": PASSWORD}).status_code == 302


def test_a_used_link_says_that_all_is_done(client):
    ask(client)
    path = link_in(letter_to(NEW))
    client.post(path, {"password": PASSWORD})
    for answer in (Client().get(path), Client().post(path, {"password": PASSWORD})):
        assert answer.status_code == 200
        assert "Адрес уже подтверждён" in answer.content.decode()
    assert User.objects.filter(email=NEW).count() == 1


def test_who_was_on_the_way_somewhere_arrives_there(client):
    """From the page that asked to sign in, through signing up and the letter, to that page."""
    wanted = "/requisitions/new/?kind=vision"
    asked = client.get("/accounts/sign-in/", {"next": wanted}).content.decode()
    carried = f"next={quote(wanted, safe='/')}"
    assert f'href="/accounts/sign-up/?{carried}"' in asked
    form = client.get(f"/accounts/sign-up/?{carried}").content.decode()
    assert f'name="next" value="{wanted}"' in form
    assert f'href="/accounts/sign-in/?{carried}"' in form
    again = client.post("/accounts/sign-up/", {"next": wanted, "email": ""}).content.decode()
    assert f'name="next" value="{wanted}"' in again
    ask(client, next=wanted)
    other_browser = Client()
    answer = other_browser.post(link_in(letter_to(NEW)), {"password": PASSWORD})
    assert answer.url == wanted


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/" * 600,
    ],
)
def test_signing_up_leads_to_no_page_of_others(client, elsewhere):
    form = client.get("/accounts/sign-up/", {"next": elsewhere}).content.decode()
    assert 'name="next"' not in form.partition("<main")[2].partition("</main>")[0]
    ask(client, next=elsewhere)
    answer = client.post(link_in(letter_to(NEW)), {"password": PASSWORD})
    assert answer.url == "/requisitions/"


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_used_link_does_not_ask_to_sign_in_who_is(language):
    """Both kinds of link, opened once more by whoever used it."""
    browser = Client(headers={"accept-language": language})
    person = make_client(email=NEW, full_name="Ольга Воронцова", language=language)
    browser.force_login(person)
    used = [
        f"/accounts/confirm/{links.token_of(make_sign_up(email=NEW))}/",
        f"/accounts/invitation/{links.token_of(make_invitation(accepted_at=timezone.now()))}/",
    ]
    SignUp.objects.update(password="")
    for path in used:
        html = browser.get(path).content.decode().partition("<main")[2].partition("</main>")[0]
        assert "Ольга Воронцова" in html
        assert 'href="/requisitions/"' in html
        assert "/accounts/sign-in/" not in html
        assert not re.search(r"Sign in|Войдите", html)
        assert "/accounts/sign-in/" in Client().get(path).content.decode()


def test_a_stranger_cannot_prepare_an_account_with_a_password_of_their_own(client):
    ask(Client(), password="the-strangers-secret-1")
    path = link_in(letter_to(NEW))
    wrong = client.post(path, {"password": "my-own-long-secret-2"})
    assert wrong.status_code == 200
    assert "Это не тот пароль" in wrong.content.decode()
    assert not User.objects.filter(email=NEW).exists()


def test_a_link_confirms_the_sign_up_that_the_password_belongs_to(client):
    ask(client, company_name="Моя")
    mine = link_in(letter_to(NEW))
    ask(Client(), company_name="Чужая", password="the-strangers-secret-1")
    assert client.post(mine, {"password": PASSWORD}).status_code == 302
    assert User.objects.get(email=NEW).company.name == "Моя"


def test_the_password_beside_a_link_cannot_be_guessed_for_long(client):
    path = f"/accounts/confirm/{links.token_of(make_sign_up())}/"
    for _ in range(10):
        assert client.post(path, {"password": "wrong"}).status_code == 200
    assert client.post(path, {"password": "long-enough-password"}).status_code == 429


def test_an_old_link_and_a_forged_one_open_nothing(client):
    old = make_sign_up(expires_at=timezone.now() - timedelta(minutes=1))
    path = f"/accounts/confirm/{links.token_of(old)}/"
    for answer in (client.get(path), client.post(path, {"password": "long-enough-password"})):
        assert answer.status_code == 410
    forged = f"/accounts/confirm/{old.pk.hex}:{'A' * 43}/"
    assert client.get(forged).status_code == 404
    other_kind = links.token_of(make_invitation())
    assert client.get(f"/accounts/confirm/{other_kind}/").status_code == 404
    assert not User.objects.filter(email=old.email).exists()


KNOWN = {
    "an account": lambda: make_client(email=NEW),
    "staff": lambda: make_user(Role.ENGINEER, email=NEW),
    "one switched off": lambda: User.objects.filter(pk=make_client(email=NEW).pk).update(
        is_active=False
    ),
    "nobody": lambda: None,
}


@pytest.mark.parametrize("know", KNOWN.values(), ids=KNOWN)
@pytest.mark.parametrize("url", ["/accounts/sign-up/", "/accounts/sign-up/again/"])
def test_neither_page_nor_work_tells_whether_an_address_is_known(know, url):
    know()
    first, other = (
        seen(Client(headers={"accept-language": "ru"}), url, address, **ABOUT_ME)
        for address in (NEW, "other@vostok.example")
    )
    assert first == other
    assert len(letters_to(NEW)) == len(letters_to("other@vostok.example")) == 1


def test_the_letter_says_what_is_the_case(client):
    person = make_client(email=NEW)
    ask(client)
    known = letter_to(NEW)
    assert "уже есть учётная запись" in known.body
    assert "/accounts/confirm/" not in known.body
    User.objects.filter(pk=person.pk).update(is_active=False)
    client.post("/accounts/sign-up/again/", {"email": NEW})
    assert "отключена" in letter_to(NEW).body
    client.post("/accounts/sign-up/again/", {"email": "nobody@vostok.example"})
    assert not has_link(letter_to("nobody@vostok.example"))


def test_nothing_that_a_stranger_typed_is_carried_to_an_address(client):
    ask(client, full_name="Срочно позвоните", company_name="Ваш счёт закрыт")
    letter = letter_to(NEW)
    assert "Срочно" not in letter.subject + letter.body
    assert "счёт" not in letter.subject + letter.body


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("email", "nobody", "Напишите адрес целиком"),
        ("email", "", "Напишите адрес почты"),
        ("full_name", "", "Напишите имя"),
        ("full_name", "Зайдите на http://evil.example", "без адреса страницы"),
        ("full_name", "Анна\u202eавон", "невидимые знаки"),
        ("company_name", "evil.example/win", "без адреса страницы"),
        ("company_name", "***", "буквами"),
        ("password", "коротко", "12 символов"),
        ("password", "password1234", "распростран"),
        ("password", "new@vostok.example", "похож"),
    ],
)
@pytest.mark.one_stack
def test_an_error_stands_at_its_field_and_says_how_to_mend_it(client, field, value, says):
    page = ask(client, **{field: value})
    text = page.content.decode()
    assert "<title>Ошибка:" in text
    assert f'href="#id_{field}"' in text
    near = text.split(f'id="div_id_{field}"')[1].split('id="div_id_')[0]
    assert says in near
    assert not SignUp.objects.exists()


def test_what_a_password_must_be_like_is_said_before_typing(client):
    assert "12 символов" in client.get("/accounts/sign-up/").content.decode()


def test_letters_to_one_mailbox_stop_after_five_in_an_hour(client):
    for _ in range(5):
        assert client.post("/accounts/sign-up/again/", {"email": NEW}).status_code == 302
    assert client.post("/accounts/sign-up/again/", {"email": NEW}).status_code == 429
    assert ask(client).status_code == 429
    assert client.post("/accounts/reset/", {"email": NEW}).status_code == 429
    assert ask(client, "other@vostok.example").status_code == 302
    assert len(letters_to(NEW)) == 5


def test_letters_that_one_place_asks_for_stop_too(client, settings):
    settings.TRUST_FORWARDED_FOR = True
    for number in range(60):
        said = {"email": f"a{number}@vostok.example"}
        place = {"x-forwarded-for": "203.0.113.7, 198.51.100.1"}
        assert client.post("/accounts/reset/", said, headers=place).status_code == 302
    said = {"email": "one-more@vostok.example"}
    there = {"x-forwarded-for": "203.0.113.8, 198.51.100.1"}
    elsewhere = {"x-forwarded-for": "198.51.100.1, 198.51.100.2"}
    assert client.post("/accounts/reset/", said, headers=there).status_code == 429
    assert client.post("/accounts/reset/", said, headers=elsewhere).status_code == 302


def test_a_house_by_invitation_only_has_no_such_pages(client, settings):
    row = make_sign_up()
    settings.SIGN_UP_OPEN = False
    for url in ("sign-up/", "sign-up/sent/", "sign-up/again/"):
        assert client.get(f"/accounts/{url}").status_code == 404
    assert ask(client).status_code == 404
    assert "sign-up" not in client.get("/accounts/sign-in/").content.decode()
    assert client.get(f"/accounts/confirm/{links.token_of(row)}/").status_code == 200


def test_an_embedded_installation_says_where_its_letters_are(client, settings):
    settings.EMAIL_FILE_PATH = "/srv/podbor/var/mail"
    ask(client)
    assert "/srv/podbor/var/mail" in client.get("/accounts/sign-up/sent/").content.decode()
    settings.EMBEDDED = False
    assert "/srv/podbor" not in client.get("/accounts/sign-up/sent/").content.decode()


def test_old_sign_ups_and_sessions_that_are_over_do_not_stay(client):
    gone = make_sign_up(expires_at=timezone.now() - timedelta(days=31))
    late = make_sign_up(expires_at=timezone.now() - timedelta(days=29))
    client.force_login(make_client())
    live = client.session.session_key
    over = timezone.now() - timedelta(minutes=1)
    Session.objects.create(session_key="a" * 32, session_data="x", expire_date=over)
    assert services.leftovers_purge() == 1
    assert not SignUp.objects.filter(pk=gone.pk).exists()
    assert SignUp.objects.filter(pk=late.pk).exists()
    assert list(Session.objects.values_list("session_key", flat=True)) == [live]


def test_whoever_is_signed_in_is_led_to_their_work(client):
    client.force_login(make_client())
    assert client.get("/accounts/sign-up/").url == "/requisitions/"
