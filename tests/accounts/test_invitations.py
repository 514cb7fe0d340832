"""The only way into an existing company."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts import links, services
from apps.accounts.errors import AddressTaken, LinkSpent
from apps.accounts.models import Invitation, Role, User
from apps.audit.models import AuditEvent
from apps.core.errors import NotAllowed
from apps.requisitions.services import requisition_create
from tests.accounts.letters import PASSWORD, has_link, letter_to, letters_to, link_in, seen
from tests.factories import make_client, make_company, make_invitation, make_user

pytestmark = pytest.mark.django_db
COMPANY = "/accounts/company/"
NEW = "new@vostok.example"


def invite(client: Client, inviter: User, email: str = NEW):
    client.force_login(inviter)
    return client.post(COMPANY, {"email": email})


def accept(client: Client, path: str, **said):
    defaults = {
        "full_name": "Николай",
        "password1": PASSWORD,
        "password2": PASSWORD,
        "language": "en",
    }
    return client.post(path, defaults | said)


def test_a_colleague_comes_in_through_the_letter(client):
    inviter = make_client()
    assert invite(client, inviter).url == COMPANY
    assert not User.objects.filter(email=NEW).exists()
    letter = letter_to(NEW)
    assert inviter.email in letter.body
    guest = Client()
    page = guest.get(link_in(letter)).content.decode()
    assert inviter.company.name in page
    assert accept(guest, link_in(letter)).url == "/requisitions/"
    person = User.objects.get(email=NEW)
    assert (person.company, person.roles) == (inviter.company, {Role.CLIENT})
    assert (person.full_name, person.language) == ("Николай", "en")
    assert person.full_name in client.get(COMPANY).content.decode()
    actions = list(AuditEvent.objects.values_list("action", "actor_name"))
    assert actions == [("account.invite", str(inviter)), ("account.join", "Николай")]


def test_opening_the_link_does_nothing_and_using_it_twice_makes_one_account(client):
    row = make_invitation(email=NEW)
    path = f"/accounts/invitation/{links.token_of(row)}/"
    for _ in range(3):
        assert Client().get(path).status_code == 200
    assert not User.objects.filter(email=NEW).exists()
    assert accept(client, path).status_code == 302
    for answer in (Client().get(path), accept(Client(), path, full_name="Чужой")):
        assert answer.status_code == 200
        assert "Приглашение уже принято" in answer.content.decode()
    assert User.objects.get(email=NEW).full_name == "Николай"


def test_an_empty_form_says_what_each_field_waits_for(client):
    path = f"/accounts/invitation/{links.token_of(make_invitation(email=NEW))}/"
    answer = accept(Client(), path, full_name="", password1="", password2="")
    page = answer.content.decode()
    for told in ("Напишите имя", "Придумайте пароль.", "Повторите пароль."):
        assert told in page
    assert "Обязательное поле" not in page


def test_an_old_a_revoked_and_a_forged_invitation_open_nothing(client):
    old = make_invitation(expires_at=timezone.now() - timedelta(minutes=1))
    revoked = make_invitation(revoked_at=timezone.now())
    for row in (old, revoked):
        path = f"/accounts/invitation/{links.token_of(row)}/"
        assert client.get(path).status_code == 410
        assert accept(client, path).status_code == 410
    assert client.get("/accounts/invitation/abc/").status_code == 404
    assert not User.objects.filter(email__in=[old.email, revoked.email]).exists()


def test_an_address_with_an_account_is_not_moved_and_the_inviter_learns_nothing(client):
    there = make_client()
    before = there.company
    inviters = [make_client(), make_client()]
    answers = []
    for inviter, address in zip(inviters, (there.email, NEW), strict=True):
        client = Client(headers={"accept-language": "ru"})
        client.force_login(inviter)
        page = seen(client, COMPANY, address)
        for own in (inviter.full_name, inviter.email, inviter.company.name):
            page = (*page[:2], page[2].replace(own, "OWN"), page[3])
        invitation = Invitation.objects.get(email=address)
        answers.append((*page[:2], page[2].replace(str(invitation.pk), "ID"), page[3]))
    assert answers[0] == answers[1]
    letter = letter_to(there.email)
    assert "уже есть учётная запись" in letter.body
    assert not has_link(letter)
    there.refresh_from_db()
    assert there.company == before
    row = Invitation.objects.get(email=there.email)
    answer = accept(Client(), f"/accounts/invitation/{links.token_of(row)}/")
    assert answer.status_code == 409
    there.refresh_from_db()
    assert there.company == before
    assert Invitation.objects.get(pk=row.pk).accepted_at is None


def test_somebody_who_is_a_colleague_already_is_not_invited(client):
    inviter = make_client()
    colleague = make_client(company=inviter.company)
    page = invite(client, inviter, colleague.email)
    assert "уже в вашей компании" in page.content.decode()
    assert not Invitation.objects.exists()


def test_sending_again_gives_the_full_time_and_revoking_ends_it(client):
    inviter = make_client()
    row = make_invitation(inviter, email=NEW, expires_at=timezone.now() - timedelta(days=1))
    client.force_login(make_client(company=inviter.company))
    assert client.post(f"/accounts/invitations/{row.pk}/again/").url == COMPANY
    row.refresh_from_db()
    assert row.is_open
    assert has_link(letter_to(NEW))
    assert client.post(f"/accounts/invitations/{row.pk}/revoke/").url == COMPANY
    assert NEW not in client.get(COMPANY).content.decode().replace(f"на {NEW}", "")
    assert client.post(f"/accounts/invitations/{row.pk}/again/").status_code == 404
    assert client.get(f"/accounts/invitation/{links.token_of(row)}/").status_code == 410


@pytest.mark.parametrize("deed", ["again", "revoke"])
def test_another_company_cannot_touch_an_invitation(client, deed):
    row = make_invitation()
    for stranger in (make_client(), make_user(Role.ENGINEER), make_user(Role.MANAGER)):
        client.force_login(stranger)
        assert client.post(f"/accounts/invitations/{row.pk}/{deed}/").status_code == 404
    row.refresh_from_db()
    assert row.is_open


def test_a_letter_whose_invitation_was_revoked_meanwhile_is_not_sent(client):
    invite(client, make_client())
    services.invitation_revoke(invitation=Invitation.objects.get(), actor=make_client())
    assert letters_to(NEW) == []


def test_a_client_who_left_the_company_or_works_elsewhere_invites_nobody():
    with pytest.raises(NotAllowed):
        services.invitation_create(company=make_company(), email=NEW, actor=make_client())
    with pytest.raises(NotAllowed):
        services.invitation_create(
            company=make_company(), email=NEW, actor=make_user(Role.ENGINEER)
        )


def test_one_person_makes_us_send_thirty_letters_an_hour_at_most(client):
    inviter = make_client()
    client.force_login(inviter)
    for number in range(30):
        answer = client.post(COMPANY, {"email": f"a{number}@vostok.example"})
        assert answer.status_code == 302
    assert client.post(COMPANY, {"email": NEW}).status_code == 429
    row = Invitation.objects.first()
    assert client.post(f"/accounts/invitations/{row.pk}/again/").status_code == 429


def test_a_contact_of_the_house_owns_a_requisition_before_coming_in(client):
    manager, company = make_user(Role.MANAGER), make_company()
    contact = services.contact_create(
        company=company, email=" New@Vostok.example", full_name="Анна", actor=manager
    )
    assert not contact.is_active
    assert not contact.has_usable_password()
    assert contact.roles == {Role.CLIENT}
    draft = requisition_create(company=company, owner=contact, actor=manager)
    said = {"username": NEW, "password": PASSWORD}
    assert client.post("/accounts/sign-in/", said).status_code == 200
    assert accept(client, link_in(letter_to(NEW))).url == "/requisitions/"
    contact.refresh_from_db()
    assert contact.is_active
    assert User.objects.filter(email=NEW).count() == 1
    assert client.get(f"/r/{draft.requisition.pk}/").status_code == 200


def test_the_house_may_know_that_an_address_belongs_elsewhere():
    manager, company = make_user(Role.MANAGER), make_company()
    with pytest.raises(AddressTaken):
        services.contact_create(
            company=company, email=make_client().email, full_name="А", actor=manager
        )
    colleague = make_client(company=company)
    found = services.contact_create(
        company=company, email=colleague.email, full_name="А", actor=manager
    )
    assert found == colleague
    assert not Invitation.objects.exists()


def test_a_contact_goes_with_the_invitation_unless_a_requisition_is_theirs():
    manager, company = make_user(Role.MANAGER), make_company()
    for email, owns in (("a@vostok.example", False), ("b@vostok.example", True)):
        contact = services.contact_create(
            company=company, email=email, full_name="К", actor=manager
        )
        if owns:
            requisition_create(company=company, owner=contact, actor=manager)
        services.invitation_revoke(invitation=Invitation.objects.get(email=email), actor=manager)
        assert User.objects.filter(email=email).exists() is owns
    owner = User.objects.get(email="b@vostok.example")
    assert not owner.is_active
    again = services.contact_create(
        company=company, email=owner.email, full_name="К", actor=manager
    )
    assert again == owner


def test_a_colleague_and_the_house_invite_the_same_person_once():
    colleague, manager = make_client(), make_user(Role.MANAGER)
    first = services.invitation_create(company=colleague.company, email=NEW, actor=colleague)
    contact = services.contact_create(
        company=colleague.company, email=NEW, full_name="К", actor=manager
    )
    row = Invitation.objects.get()
    assert (row, row.person) == (first, contact)
    person = services.invitation_accept(
        invitation=row, full_name="К", password=PASSWORD, language="ru"
    )
    assert person == contact
    with pytest.raises(LinkSpent):
        services.invitation_accept(invitation=row, full_name="Л", password=PASSWORD, language="ru")


def test_names_are_escaped_in_pages_and_absent_from_letters(client):
    inviter = make_client(full_name="<script>alert(1)</script>", company=make_company(name="<b>А"))
    invite(client, inviter)
    letter = letter_to(NEW)
    assert "script" not in letter.subject + letter.body
    page = Client().get(link_in(letter)).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>А" not in client.get(COMPANY).content.decode()


def test_staff_are_told_why_the_companys_page_is_not_for_them(client):
    client.force_login(make_user(Role.ENGINEER))
    answer = client.get(COMPANY)
    assert answer.status_code == 403
    assert "компании-клиента" in answer.content.decode()
