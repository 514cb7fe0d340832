"""Signing in and out."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role, User
from tests.factories import make_client, make_user

pytestmark = pytest.mark.django_db
SIGN_IN = "/accounts/sign-in/"


def sign_in(client: Client, email: str, password: str = "long-enough-password", **more):
    return client.post(SIGN_IN, {"username": email, "password": password} | more)


@pytest.mark.parametrize(
    ("role", "home"),
    [
        (Role.CLIENT, "intake:list"),
        (Role.ENGINEER, "review:queue"),
        (Role.APPROVER, "review:approvals"),
        (Role.MANAGER, "review:board"),
        (Role.ADMINISTRATOR, "catalog:list"),
    ],
)
def test_everybody_lands_where_their_work_starts(client, role, home):
    person = make_client() if role == Role.CLIENT else make_user(role)
    assert sign_in(client, person.email.upper() + " ").url == reverse(home)


def test_a_wrong_password_says_so_beside_the_form_and_keeps_the_e_mail(client):
    person = make_user()
    page = sign_in(client, person.email, "wrong")
    assert page.status_code == 200
    text = page.content.decode()
    assert "Такой пары почты и пароля нет" in text
    assert "<title>Ошибка:" in text
    assert person.email in text


def test_ten_wrong_passwords_slow_that_account_down_and_nobody_else(client):
    victim, other = make_user(), make_user()
    for _ in range(10):
        assert sign_in(client, victim.email, "wrong").status_code == 200
    assert sign_in(client, victim.email).status_code == 429
    assert sign_in(client, other.email).status_code == 302


def test_a_right_password_forgets_the_wrong_ones(client):
    person = make_user()
    for _ in range(9):
        sign_in(client, person.email, "wrong")
    assert sign_in(client, person.email).status_code == 302
    assert sign_in(Client(), person.email, "wrong").status_code == 200


def test_a_switched_off_person_cannot_sign_in_and_loses_the_session(client):
    person = make_user()
    client.force_login(person)
    person.is_active = False
    person.save()
    assert client.get("/requisitions/").status_code == 302
    assert sign_in(Client(), person.email).status_code == 200


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"]
)
def test_after_signing_in_nobody_is_led_elsewhere(client, target):
    person = make_client()
    assert sign_in(client, person.email, next=target).url == reverse("intake:list")


def test_signing_out_is_a_post(client):
    client.force_login(make_user())
    assert client.get("/accounts/sign-out/").status_code == 405
    assert client.post("/accounts/sign-out/").status_code == 302
    assert client.get("/requisitions/").url.startswith(SIGN_IN)


def test_what_a_signed_in_person_sees_is_never_cached(client):
    assert "no-store" not in client.get("/").headers.get("Cache-Control", "")
    client.force_login(make_client())
    assert client.get("/requisitions/")["Cache-Control"] == "no-store"


def test_the_first_administrator_can_be_made_on_the_command_line(client, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "long-enough-password")
    call_command("createsuperuser", interactive=False, email="root@test.example", full_name="Root")
    made = User.objects.get(email="root@test.example")
    assert made.roles == {Role.ADMINISTRATOR}
    assert sign_in(client, made.email).url == reverse("catalog:list")
