"""The gate comes first and may say that no training server is needed."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.requisitions.models import Requisition
from apps.requisitions.workflow import State
from tests.factories import make_client
from tests.intake.pages import section_url, send, stored, url

SEARCH = {"purpose": "knowledge", "weights_change": "yes", "alternatives": "not-tested"}


@pytest.fixture
def searching(browser, draft):
    """A draft whose goal is answered better by search over documents."""
    browser.post(section_url(draft, "goal"), SEARCH)
    return draft


def test_a_new_requisition_begins_with_the_goal(browser, owner):
    html = browser.get(reverse("intake:new")).content.decode()
    assert 'name="purpose"' in html
    assert Requisition.objects.count() == 0
    assert 'name="target_time"' in html
    goal = {"purpose": "scratch", "weights_change": "yes", "target_time": "3 дня"}
    response = browser.post(reverse("intake:new"), goal)
    requisition = Requisition.objects.get()
    assert requisition.owner == owner
    assert response["Location"] == reverse("intake:section", args=[requisition.pk, "task"])


def test_an_empty_goal_makes_no_draft_and_says_what_is_missing(browser):
    empty = {"asked": ["purpose", "weights_change", "alternatives"]}
    html = browser.post(reverse("intake:new"), empty, follow=True).content.decode()
    assert "First state the goal" in html
    assert Requisition.objects.count() == 0
    html = browser.post(reverse("intake:new"), {"weights_change": "yes"}, follow=True)
    assert "First state the goal" in html.content.decode()
    assert stored(Requisition.objects.get().revisions.get())["weights_change"] == "yes"


def test_the_contact_is_the_person_who_opens_it(browser, owner):
    browser.post(reverse("intake:new"), {"purpose": "scratch", "weights_change": "yes"})
    answers = stored(Requisition.objects.get().revisions.get())
    assert answers["contact_name"] == owner.full_name
    assert answers["contact_email"] == owner.email


def test_the_rack_is_taken_over_from_the_requisition_before_with_its_number(browser, draft):
    send(browser, draft)
    browser.post(reverse("intake:new"), {"purpose": "scratch", "weights_change": "yes"})
    following = Requisition.objects.get(number=None).revisions.get()
    rack = following.answers.get(key="kw_usable")
    assert (rack.value, rack.provenance, rack.note) == ("5 кВт", "earlier", "ЗС-0001")
    assert "dataset_bytes" not in stored(following)
    html = browser.get(section_url(following, "site")).content.decode()
    assert "taken from requisition" in html
    assert "ЗС-0001" in html


def test_nobody_gets_the_rack_of_another_company(browser, draft):
    send(browser, draft)
    client = Client()
    client.force_login(make_client())
    client.post(reverse("intake:new"), {"purpose": "scratch", "weights_change": "yes"})
    assert "kw_usable" not in stored(Requisition.objects.get(number=None).revisions.get())


def test_a_goal_typed_before_the_session_ended_comes_back(owner):
    client = Client(headers={"accept-language": "en"})
    refused = client.post(reverse("intake:new"), {"asked": ["purpose"], "purpose": "vision"})
    assert Requisition.objects.count() == 0
    client.force_login(owner)
    html = client.get(reverse("intake:new")).content.decode()
    assert refused["Location"].startswith(reverse("accounts:sign-in"))
    assert 'value="vision" checked' in html


def test_other_sections_wait_for_the_goal(browser, draft):
    html = browser.get(url("hub", draft)).content.decode()
    assert html.count("Not available yet") == 11
    assert browser.get(url("check", draft))["Location"] == url("hub", draft)
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    assert browser.get(url("hub", draft)).content.decode().count("Not available yet") == 1


def test_search_over_documents_is_advised_before_training(browser, searching):
    form = SEARCH | {
        "asked": [*SEARCH, "target_time", "inference_server", "continue_reason"],
        "action": "continue",
        **{f"{key}-version": "1" for key in SEARCH},
    }
    assert browser.post(section_url(searching, "goal"), form)["Location"] == url("gate", searching)
    html = browser.get(url("gate", searching)).content.decode()
    assert "First check search over documents" in html
    assert "Collect 100–200 real questions" in html


def test_the_other_way_is_a_valid_end_that_keeps_the_answers(browser, searching):
    response = browser.post(url("another-way", searching))
    assert response["Location"] == url("status", searching)
    searching.refresh_from_db()
    assert searching.state == State.REDIRECTED
    assert stored(searching)["purpose"] == "knowledge"
    html = browser.get(url("status", searching)).content.decode()
    assert "First check search over documents" in html
    browser.post(url("open-next", searching))
    following = searching.requisition.revisions.last()
    assert following.is_draft
    assert stored(following)["purpose"] == "knowledge"


def test_the_steps_of_the_other_way_stay_on_the_page_after_the_end(browser, searching):
    browser.post(url("another-way", searching))
    html = browser.get(url("status", searching)).content.decode()
    assert "Collect 100–200 real questions with the right answers." in html
    assert "First check search over documents (RAG)" in html
    assert "not sent yet" not in html
    listed = browser.get(reverse("intake:list")).content.decode()
    assert "Answers over our own documents" in listed


def test_going_on_needs_a_reason(browser, searching):
    assert browser.post(url("gate", searching), {"continue_reason": " "})["Location"] == url(
        "gate", searching
    )
    reason = {"continue_reason": "RAG проверен: 61 %, нужно 85 %"}
    assert browser.post(url("gate", searching), reason)["Location"] == url("hub", searching)
    assert stored(searching)["continue_reason"] == reason["continue_reason"]
    form = SEARCH | {
        "asked": [*SEARCH, "target_time", "inference_server", "continue_reason"],
        **reason,
    }
    onward = browser.post(section_url(searching, "goal"), form | {"action": "continue"})
    assert onward["Location"] == section_url(searching, "task")


def test_there_is_no_other_way_when_training_is_justified(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    assert browser.post(url("another-way", draft)).status_code == 409
    draft.refresh_from_db()
    assert draft.state == State.DRAFT
    assert "Training looks justified" in browser.get(url("gate", draft)).content.decode()


def test_only_the_client_goes_another_way(searching):
    client = Client()
    client.force_login(make_client())
    assert client.post(url("another-way", searching)).status_code == 404
    searching.refresh_from_db()
    assert searching.state == State.DRAFT
