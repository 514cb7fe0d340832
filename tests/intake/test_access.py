"""Whose requisition it is decides who gets a page; everybody else gets 404."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role
from apps.requisitions.models import Requisition
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft, make_in_state, make_user
from tests.intake.pages import section_url, stored, url

PAGES = ["hub", "gate", "files", "check", "status"]
POSTS = ["another-way", "submit", "withdraw", "open-next", "attach"]


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def addresses(revision) -> list[str]:
    return [url(name, revision) for name in PAGES] + [section_url(revision, "goal")]


def test_the_owner_gets_every_page_of_a_draft(browser, draft):
    for address in addresses(draft):
        assert browser.get(address).status_code in (200, 302), address


def test_a_colleague_works_on_the_same_draft(draft):
    colleague = make_client(company=draft.requisition.company)
    response = signed_in(colleague).post(
        section_url(draft, "task"), {"sku": "x", "business_task": "Черновик ответа"}
    )
    assert response.status_code == 302
    assert stored(draft)["business_task"] == "Черновик ответа"


@pytest.mark.parametrize(
    "stranger", ["other company", "engineer", "approver", "manager", "administrator"]
)
def test_nobody_else_sees_a_draft_or_changes_it(draft, stranger):
    user = make_client() if stranger == "other company" else make_user(Role(stranger))
    client = signed_in(user)
    before = stored(draft)
    for address in addresses(draft):
        assert client.get(address).status_code == 404, address
    for name in POSTS:
        assert client.post(url(name, draft)).status_code == 404, name
    assert client.post(section_url(draft, "task"), {"business_task": "чужое"}).status_code == 404
    assert client.post(url("autosave", draft, "task"), {"business_task": "x"}).status_code == 404
    draft.refresh_from_db()
    assert draft.state == State.DRAFT
    assert stored(draft) == before


def test_a_stranger_gets_nothing_of_a_sent_requisition(db):
    revision = make_in_state(State.IN_REVIEW)
    client = signed_in(make_client())
    assert client.get(url("status", revision)).status_code == 404
    assert client.get(url("runs", revision)).status_code == 404
    assert client.post(url("withdraw", revision)).status_code == 404


def test_without_sign_in_every_page_asks_for_it(draft):
    client = Client()
    for address in [*addresses(draft), reverse("intake:list"), reverse("intake:new")]:
        response = client.get(address)
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("accounts:sign-in"))
    assert client.get(reverse("home")).status_code == 200


def test_a_requisition_that_does_not_exist_is_404(browser, db):
    for name in PAGES:
        assert browser.get(reverse(f"intake:{name}", args=[uuid.uuid4()])).status_code == 404


def test_reading_pages_change_nothing_and_writing_needs_post(browser, draft):
    for name in POSTS:
        assert browser.get(url(name, draft)).status_code == 405, name
    assert Requisition.objects.count() == 1


def test_a_client_cannot_open_a_requisition_for_another_company(browser, owner):
    other = make_client()
    browser.post(reverse("intake:new"), {"company": str(other.company_id), "purpose": "scratch"})
    assert Requisition.objects.get().company == owner.company


def test_staff_without_a_company_cannot_open_one_for_nobody(db):
    client = signed_in(make_user(Role.ENGINEER))
    assert client.post(reverse("intake:new"), {"purpose": "scratch"}).status_code == 403
    assert Requisition.objects.count() == 0


def test_staff_hears_it_before_anything_is_typed_and_is_led_to_its_own_work(db):
    client = signed_in(make_user(Role.ENGINEER))
    assert client.get(reverse("intake:new")).status_code == 403
    html = client.get(reverse("home")).content.decode()
    assert reverse("intake:new") not in html
    assert f'class="btn btn-primary" href="{reverse("review:queue")}"' in html


def test_two_drafts_filled_in_turn_do_not_mix(browser, owner):
    first, second = make_draft(owner), make_draft(owner)
    browser.post(section_url(first, "task"), {"business_task": "первая"})
    browser.post(section_url(second, "task"), {"business_task": "вторая"})
    assert stored(first)["business_task"] == "первая"
    assert stored(second)["business_task"] == "вторая"
