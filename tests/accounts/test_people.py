"""The administrator's list: who is there, roles, switching off and on."""

import pytest
from django.test import Client

from apps.accounts import links, services
from apps.accounts.errors import LastAdministrator
from apps.accounts.models import Invitation, Role, User
from apps.audit.models import AuditEvent
from apps.core.errors import Conflict, NotAllowed
from tests.accounts.letters import PASSWORD, has_link, letter_to, link_in
from tests.factories import make_client, make_company, make_invitation, make_user

pytestmark = pytest.mark.django_db
PEOPLE = "/accounts/people/"


@pytest.fixture
def admin(client) -> User:
    user = make_user(Role.ADMINISTRATOR, full_name="Дарья Мельник")
    client.force_login(user)
    return user


def listed(client: Client, **query: str) -> str:
    return client.get(PEOPLE, query).content.decode()


@pytest.mark.parametrize(
    "typed", ["ёлкин", "ЁЛКИН", "елкин", "Елкин сем", "СЕМЁН", "ladoga", "ладо"]
)
def test_a_person_is_found_in_any_case_by_name_address_and_company(client, admin, typed):
    make_client(
        full_name="Семён Ёлкин", email="semyon@ladoga.example", company=make_company(name="Ладога")
    )
    make_client(full_name="Пётр Сидоров")
    page = listed(client, q=typed)
    assert "Семён Ёлкин" in page
    assert "Пётр Сидоров" not in page


def test_the_list_shows_staff_clients_and_who_is_off(client, admin):
    engineer, customer = make_user(Role.ENGINEER, full_name="Сергей"), make_client(full_name="Анна")
    services.person_switch_off(person=engineer, actor=admin)
    assert "Сергей" in listed(client, kind="staff")
    assert "Анна" not in listed(client, kind="staff")
    assert "Анна" in listed(client, kind="clients")
    assert "Анна" not in listed(client, kind="off")
    assert "отключён" in listed(client, kind="off")
    assert customer.email in listed(client, kind="nonsense")


def test_a_renamed_person_is_found_by_the_new_name_only(client, admin):
    person = make_client(full_name="Анна")
    services.profile_save(person=person, full_name="Жанна", language="ru")
    assert person.email in listed(client, q="ЖАННА")
    services.profile_save(person=person, full_name="Мария", language="ru")
    assert person.email not in listed(client, q="жанна")


def test_staff_come_in_through_an_invitation_with_their_roles(client, admin):
    said = {
        "email": "new@podbor.example",
        "full_name": "Новый",
        "roles": ["engineer", "approver"],
    }
    assert client.post(f"{PEOPLE}invite/", said).url == PEOPLE
    assert not User.objects.filter(email=said["email"]).exists()
    path = link_in(letter_to(said["email"]))
    guest = Client()
    answer = guest.post(
        path,
        {"full_name": "Новый", "password1": PASSWORD, "password2": PASSWORD, "language": "ru"},
    )
    assert answer.url == "/q/"
    person = User.objects.get(email=said["email"])
    assert (person.roles, person.company) == ({Role.ENGINEER, Role.APPROVER}, None)


def test_an_invitation_to_staff_needs_a_role_and_a_new_address(client, admin):
    there = make_client()
    page = client.post(f"{PEOPLE}invite/", {"email": there.email, "full_name": "А", "roles": []})
    assert "хотя бы одну роль" in page.content.decode()
    said = {"email": there.email, "full_name": "А", "roles": ["engineer"]}
    page = client.post(f"{PEOPLE}invite/", said)
    assert "уже есть учётная запись" in page.content.decode()
    said["email"] = "new@podbor.example"
    client.post(f"{PEOPLE}invite/", said)
    assert "уже приглашён" in client.post(f"{PEOPLE}invite/", said).content.decode()
    said["roles"] = ["client"]
    assert client.post(f"{PEOPLE}invite/", said).status_code == 200
    assert Invitation.objects.count() == 1


def test_the_administrator_sends_again_and_revokes_any_invitation(client, admin):
    row = make_invitation()
    assert row.email in listed(client)
    assert client.post(f"/accounts/invitations/{row.pk}/again/").url == PEOPLE
    assert has_link(letter_to(row.email))
    assert client.post(f"/accounts/invitations/{row.pk}/revoke/").url == PEOPLE
    row.refresh_from_db()
    assert row.revoked_at


def test_roles_are_granted_and_taken_back_at_once_with_a_trace(client, admin):
    person = make_user(Role.ENGINEER)
    theirs = Client()
    theirs.force_login(person)
    url = f"{PEOPLE}{person.pk}/"
    assert client.post(url, {"roles": ["manager"]}).url == url
    assert theirs.get("/m/").status_code == 200
    assert theirs.get("/q/").status_code == 403
    page = client.get(url).content.decode()
    assert "даны роли: менеджер" in page
    assert "сняты роли: инженер" in page
    events = AuditEvent.objects.filter(actor=admin).values_list("action", flat=True)
    assert list(events) == ["account.grant", "account.revoke"]


def test_a_client_stays_one_whatever_the_form_says(client, admin):
    person = make_client()
    client.post(f"{PEOPLE}{person.pk}/", {"roles": []})
    assert set(person.grants.values_list("role", flat=True)) == {"client"}
    client.post(f"{PEOPLE}{person.pk}/", {"roles": ["client", "administrator"]})
    assert set(person.grants.values_list("role", flat=True)) == {"client"}


def test_a_person_switched_off_can_do_nothing_until_switched_on(client, admin):
    person = make_client()
    theirs = Client()
    theirs.force_login(person)
    assert client.post(f"{PEOPLE}{person.pk}/off/").status_code == 302
    assert theirs.get("/requisitions/").status_code == 302
    said = {"username": person.email, "password": "long-enough-password"}
    assert theirs.post("/accounts/sign-in/", said).status_code == 200
    assert client.post(f"{PEOPLE}{person.pk}/off/").status_code == 409
    assert client.post(f"{PEOPLE}{person.pk}/on/").status_code == 302
    assert theirs.get("/requisitions/").status_code == 302  # the old session stays ended
    assert theirs.post("/accounts/sign-in/", said).status_code == 302
    actions = AuditEvent.objects.filter(subject=f"accounts.user:{person.pk}")
    assert [e.action for e in actions] == ["account.switch-off", "account.switch-on"]


def test_whom_a_person_switched_off_had_invited_does_not_come_in(client, admin):
    leaving, manager = make_client(), make_user(Role.MANAGER)
    theirs, contact = make_invitation(leaving), make_invitation(manager, company=make_company())
    colleagues = make_invitation(make_client(company=leaving.company))
    for person in (leaving, manager):
        services.person_switch_off(person=person, actor=admin)
    still_open = set(Invitation.objects.acceptable())
    assert still_open == {contact, colleagues}
    assert client.get(f"/accounts/invitation/{links.token_of(theirs)}/").status_code == 410


def test_the_last_administrator_stays(client, admin):
    url = f"{PEOPLE}{admin.pk}/"
    page = client.post(url, {"roles": []})
    assert "последний администратор" in page.content.decode()
    assert client.post(f"{url}off/").status_code == 403
    other = make_user(Role.ADMINISTRATOR)
    services.person_switch_off(person=other, actor=admin)
    with pytest.raises(LastAdministrator):
        services.roles_set(person=admin, roles=[], actor=admin)
    services.person_switch_on(person=other, actor=admin)
    assert client.post(url, {"roles": []}).status_code == 302
    assert client.get(PEOPLE).status_code == 403


def test_a_contact_is_neither_switched_nor_given_roles(client, admin):
    contact = services.contact_create(
        company=make_company(), email="c@vostok.example", full_name="К", actor=admin
    )
    page = client.get(f"{PEOPLE}{contact.pk}/").content.decode()
    assert "когда человек примет приглашение" in page
    for switch in (services.person_switch_off, services.person_switch_on):
        with pytest.raises(Conflict):
            switch(person=contact, actor=admin)


def test_only_an_administrator_changes_people():
    manager, person = make_user(Role.MANAGER), make_user(Role.ENGINEER)
    deeds = (
        lambda: services.roles_set(person=person, roles=[Role.MANAGER], actor=manager),
        lambda: services.person_switch_off(person=person, actor=manager),
        lambda: services.person_switch_on(person=person, actor=manager),
        lambda: services.staff_invite(
            email="a@x.example", full_name="А", roles=[Role.ENGINEER], actor=manager
        ),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed):
            deed()


def test_an_unknown_person_is_not_found(client, admin):
    for url in ("999999/", "999999/off/", "999999/on/"):
        assert client.post(f"{PEOPLE}{url}").status_code == 404


def test_the_list_takes_a_fixed_number_of_queries(client, admin, django_assert_max_num_queries):
    for _ in range(12):
        make_client()
    with django_assert_max_num_queries(14):
        client.get(PEOPLE)
