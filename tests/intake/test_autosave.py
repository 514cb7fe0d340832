"""Saving by itself while one types, and two people at once."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.factories import make_client
from tests.intake.pages import section_url, stored, url

HTMX = {"HX-Request": "true"}


def autosave(browser, draft, section, form, **query):
    return browser.post(url("autosave", draft, section, **query), form, headers=HTMX)


@pytest.fixture
def colleague(draft) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_client(company=draft.requisition.company, full_name="Igor"))
    return client


def test_a_change_is_saved_and_the_page_is_told_when(browser, draft):
    form = {"asked": ["sequence_length"], "sequence_length": "8 192"}
    response = autosave(browser, draft, "recipe", form, page="batch")
    html = response.content.decode()
    assert stored(draft)["sequence_length"] == "8 192"
    assert "Saved at" in html
    assert "= 8,192 tokens" in html.replace("\u00a0", " ")
    assert 'name="sequence_length-version" value="1"' in html


def test_an_unreadable_value_is_saved_and_explained(browser, draft):
    form = {"asked": ["sequence_length"], "sequence_length": "8k"}
    html = autosave(browser, draft, "recipe", form, page="batch").content.decode()
    assert stored(draft)["sequence_length"] == "8k"
    assert "Write the number in full" in html


def test_an_answer_brings_its_questions_onto_the_page_and_takes_them_away(browser, draft):
    form = {"asked": ["strategy", "method", "stage"], "method": "freeze"}
    html = autosave(browser, draft, "method", form, page="method").content.decode()
    assert re.search(r'<div class="q" id="slot-trainable_params" hx-swap-oob="true">', html)
    asked = [*form["asked"], "trainable_params"]
    form = {"asked": asked, "method": "lora", "method-version": "1"}
    html = autosave(browser, draft, "method", form, page="method").content.decode()
    assert '<span class="q-slot" id="slot-trainable_params" hidden hx-swap-oob="true">' in html


def test_a_stale_save_overwrites_nothing_and_says_so(browser, colleague, draft):
    form = {"asked": ["business_task"], "business_task-version": "0"}
    autosave(browser, draft, "task", form | {"business_task": "первый"})
    html = autosave(colleague, draft, "task", form | {"business_task": "второй"}).content.decode()
    assert stored(draft)["business_task"] == "первый"
    assert "Not everything is saved" in html
    assert "This was changed meanwhile, by somebody else or in another tab" in html
    assert 'name="business_task-version"' not in html


def test_the_same_value_again_is_no_clash(browser, colleague, draft):
    form = {"asked": ["business_task"], "business_task": "то же", "business_task-version": "0"}
    autosave(browser, draft, "task", form)
    assert "Saved at" in autosave(colleague, draft, "task", form).content.decode()


def test_a_late_save_of_one_field_does_not_hurt_another(browser, colleague, draft):
    autosave(browser, draft, "task", {"business_task": "а"})
    autosave(colleague, draft, "task", {"success_criterion": "б"})
    assert stored(draft)["business_task"] == "а"
    assert stored(draft)["success_criterion"] == "б"


def test_two_answers_are_both_shown_and_either_can_be_kept(browser, colleague, draft):
    address = section_url(draft, "task", page="task")
    first = {"asked": ["business_task"], "business_task": "мой", "business_task-version": "0"}
    browser.post(address, first)
    theirs = first | {"business_task": "чужой <b>", "success_criterion": "85 %"}
    page = colleague.post(address, theirs)
    html = page.content.decode()
    assert page.status_code == 409
    assert "чужой &lt;b&gt;" in html
    assert "мой" in html
    assert "Анна Верещагина" in html
    assert stored(draft)["business_task"] == "мой"
    assert stored(draft)["success_criterion"] == "85 %"

    version = re.search(r'name="business_task-version" value="(\d+)"', html)
    assert version
    choice = theirs | {"business_task-version": version[1]}
    colleague.post(address, choice | {"choose-business_task": "stored"})
    assert stored(draft)["business_task"] == "мой"
    colleague.post(address, choice | {"choose-business_task": "mine"})
    assert stored(draft)["business_task"] == "чужой <b>"


def test_unknown_against_an_answer_is_a_clash_too(browser, colleague, draft):
    address = section_url(draft, "recipe", page="adapters")
    browser.post(section_url(draft, "method"), {"method": "lora"})
    browser.post(address, {"lora_rank": "16", "lora_rank-version": "0"})
    page = colleague.post(address, {"lora_rank-unknown": "1", "lora_rank-version": "0"})
    assert page.status_code == 409
    assert "I do not know" in page.content.decode()


def test_after_the_session_has_ended_an_autosave_says_what_to_do(browser, draft):
    Session.objects.all().delete()
    browser.logout()
    response = autosave(browser, draft, "task", {"business_task": "x"})
    assert response.status_code == 200
    assert response["X-Saved"] == "none"
    assert "You are signed out" in response.content.decode()
    assert "business_task" not in stored(draft)


def test_what_was_typed_comes_back_after_signing_in_again(browser, owner, draft):
    browser.logout()
    address = section_url(draft, "task", page="task")
    form = {"asked": ["business_task"], "business_task": "набрано <вчера>", "action": "continue"}
    refused = browser.post(address, form)
    assert refused["Location"].startswith(reverse("accounts:sign-in"))
    credentials = {"username": owner.email, "password": "long-enough-password"}
    entered = browser.post(refused["Location"], credentials)
    assert entered["Location"] == address
    html = browser.get(address).content.decode()
    assert "набрано &lt;вчера&gt;" in html
    assert "You signed in again" in html
    assert "business_task" not in stored(draft)
    assert "You signed in again" not in browser.get(address).content.decode()


def test_what_comes_back_does_not_overwrite_what_was_saved_meanwhile(
    browser, owner, colleague, draft
):
    address = section_url(draft, "task", page="task")
    browser.logout()
    form = {"asked": ["business_task"], "business_task": "моё", "business_task-version": "0"}
    browser.post(address, form)
    colleague.post(address, form | {"business_task": "коллеги"})
    browser.force_login(owner)
    html = browser.get(address).content.decode()
    assert 'name="business_task-version" value="0"' in html
    assert browser.post(address, form).status_code == 409


def test_what_somebody_typed_is_not_shown_to_whoever_signs_in_next(draft, owner):
    client = Client()
    form = {"asked": ["business_task"], "business_task": "тайна"}
    client.post(section_url(draft, "task"), form)
    client.force_login(make_client())
    assert client.get(section_url(draft, "task")).status_code == 404


def test_typed_text_does_not_wait_for_ever(browser, draft, monkeypatch):
    browser.logout()
    browser.post(section_url(draft, "task"), {"business_task": "старое"})
    browser.force_login(draft.requisition.owner)
    monkeypatch.setattr("apps.intake.access.time.time", lambda: 4_102_444_800.0)
    assert "старое" not in browser.get(section_url(draft, "task")).content.decode()


def test_what_a_page_itself_has_sent_unheard_is_no_clash(browser, draft):
    form = {"asked": ["business_task"], "business_task-version": "0"}
    autosave(browser, draft, "task", form | {"business_task": "раз"})
    on = form | {"business_task": "раз два", "business_task-unheard": ["р", "раз"]}
    assert autosave(browser, draft, "task", on)["X-Saved"] == "all"
    assert stored(draft)["business_task"] == "раз два"
    stale = form | {"business_task": "раз", "business_task-unheard": ["р"]}
    assert autosave(browser, draft, "task", stale)["X-Saved"] == "part"
    assert stored(draft)["business_task"] == "раз два"


def test_the_end_of_a_line_is_no_change(browser, draft):
    form = {"asked": ["business_task"], "business_task-version": "0"}
    autosave(browser, draft, "task", form | {"business_task": "первая\nвторая"})
    again = autosave(browser, draft, "task", form | {"business_task": "первая\r\nвторая"})
    assert again["X-Saved"] == "all"
    assert draft.answers.get(key="business_task").version == 1
