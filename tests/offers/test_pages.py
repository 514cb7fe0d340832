"""The table of offers through its pages: who reads, who writes, and nothing typed is lost."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.audit.models import AuditEvent
from apps.core.errors import Conflict, NotAllowed
from apps.offers.models import Offer
from apps.offers.services import MOST_OFFERS, offer_add, offer_change
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from tests.factories import make_client, make_in_state, make_user

pytestmark = pytest.mark.django_db

SAID = {"supplier": "Альфа", "composition": "8×H200/2×8558/16×64", "condition": "new"}


@pytest.fixture
def owner() -> User:
    return make_client()


@pytest.fixture
def revision(owner: User) -> Revision:
    return approved(owner)


def approved(owner: User) -> Revision:
    revision = make_in_state(State.APPROVED, owner)
    Revision.objects.filter(pk=revision.pk).update(approved_at=revision.submitted_at)
    revision.refresh_from_db()
    return revision


def browser(person: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


def page(name: str, revision: Revision, *args: Any) -> str:
    return reverse(f"offers:{name}", args=[revision.pk, *args])


def table(person: User, revision: Revision) -> str:
    response = browser(person).get(page("list", revision))
    assert response.status_code == 200
    return response.content.decode()


def test_an_offer_is_written_down_and_its_gaps_become_questions(owner, revision):
    answer = browser(owner).post(page("add", revision), SAID)
    assert answer.status_code == 302
    html = table(owner, revision)
    assert "Альфа" in html
    assert "not given" in html
    assert "What to ask the suppliers" in html
    assert "1,024" in html, "the part code is read"
    assert "Speeds are not compared" in html
    assert AuditEvent.objects.filter(action="offer.add").count() == 1


def test_nothing_yet_says_what_to_do(owner, revision):
    assert "Send the pilot" in table(owner, revision)


def test_a_mistake_keeps_what_was_typed(owner, revision):
    answer = browser(owner).post(
        page("add", revision), SAID | {"supplier": "", "warranty": "3 года"}
    )
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "<title>Error:" in html
    assert "3 года" in html
    assert not Offer.objects.exists()


def test_of_two_who_save_the_second_sees_both(owner, revision):
    client = browser(owner)
    client.post(page("add", revision), SAID)
    offer = Offer.objects.get()
    address = page("change", revision, offer.pk)
    client.post(address, SAID | {"warranty": "первая", "version": 1})
    late = client.post(address, SAID | {"warranty": "вторая", "version": 1})
    assert late.status_code == 409
    html = late.content.decode()
    assert "первая" in html
    assert "вторая" in html
    assert 'name="version" value="2"' in html
    assert client.post(address, SAID | {"warranty": "вторая", "version": 2}).status_code == 302
    offer.refresh_from_db()
    assert offer.warranty == "вторая"
    with pytest.raises(Conflict):
        offer_change(offer=offer, values=SAID, version=1, actor=owner)


def test_a_removed_offer_comes_back(owner, revision):
    client = browser(owner)
    client.post(page("add", revision), SAID)
    offer = Offer.objects.get()
    client.post(page("remove", revision, offer.pk))
    assert "No offers yet" in table(owner, revision)
    client.post(page("restore", revision, offer.pk))
    assert "No offers yet" not in table(owner, revision)
    actions = AuditEvent.objects.filter(action__startswith="offer.").values_list(
        "action", flat=True
    )
    assert list(actions) == ["offer.add", "offer.remove", "offer.restore"]


@pytest.mark.parametrize("role", [Role.MANAGER, Role.ENGINEER])
def test_the_house_helps_to_write_offers_down(revision, role):
    helper = make_user(role)
    assert browser(helper).post(page("add", revision), SAID).status_code == 302
    assert Offer.objects.get().created_by == helper


def test_an_approver_reads_and_does_not_write(owner, revision):
    approver = make_user(Role.APPROVER)
    assert "read only" in table(approver, revision)
    assert browser(approver).get(page("add", revision)).status_code == 404
    assert browser(approver).post(page("add", revision), SAID).status_code == 404
    with pytest.raises(NotAllowed):
        offer_add(revision=revision, values=SAID, actor=approver)
    assert not Offer.objects.exists()


def test_other_companies_and_administrators_see_nothing(revision):
    for person in (make_client(), make_user(Role.ADMINISTRATOR)):
        assert browser(person).get(page("list", revision)).status_code == 404
        assert browser(person).post(page("add", revision), SAID).status_code == 404


@pytest.mark.parametrize("state", [State.IN_REVIEW, State.IN_APPROVAL, State.CHANGES_REQUESTED])
def test_before_an_approval_there_is_no_table(owner, state):
    revision = make_in_state(state, owner)
    assert browser(owner).get(page("list", revision)).status_code == 404


def test_what_was_replaced_is_read_and_not_written(owner, revision):
    offer_add(revision=revision, values=SAID, actor=owner)
    Revision.objects.filter(pk=revision.pk).update(state=State.SUPERSEDED)
    html = table(owner, revision)
    assert "read only" in html
    assert "Альфа" in html
    revision.refresh_from_db()
    assert browser(owner).post(page("add", revision), SAID).status_code == 409
    with pytest.raises(Conflict):
        offer_add(revision=revision, values=SAID, actor=owner)


def test_the_table_ends_where_it_could_not_be_read_any_more(owner, revision):
    for number in range(MOST_OFFERS):
        offer_add(revision=revision, values={"supplier": f"S{number}"}, actor=owner)
    answer = browser(owner).post(page("add", revision), SAID)
    assert answer.status_code == 422
    assert "Remove one first" in answer.content.decode()
    assert "Альфа" in answer.content.decode()


def test_the_file_is_for_spreadsheets_and_holds_no_formula(owner, revision):
    offer_add(revision=revision, values={"supplier": "=HYPERLINK(1)"}, actor=owner)
    text = browser(owner).get(page("csv", revision)).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][1] == "'=HYPERLINK(1)"
    assert {row[1] for row in rows[1:]} == {"not given"}
