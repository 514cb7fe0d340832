"""Bad input is never a 500, never executed, and never lost without a word."""

import pytest
from django.utils.html import escape

from apps.accounts.models import Role
from apps.intake.posted import STORED_LENGTH
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.requisitions.workflow import State
from tests.helpers import first_everywhere
from tests.intake.pages import section_url, stored, url

HOSTILE = [
    "\0",
    "1\0",
    "-1",
    "１２",
    "1e999",
    "NaN",
    "9" * 5000,
    "<script>alert(1)</script>",
    "{{ 7*7 }}%(x)s %s",
    "' OR 1=1 --",
    "\u202e\u2066txt",
    "💥" * 100,
    "../../etc/passwd",
    "=cmd|' /C calc'!A0",
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize(
    "section", first_everywhere(["task", "goal", "model", "data", "timing", "recipe", "site"])
)
def test_any_text_in_any_field_is_kept_and_shown_harmlessly(browser, draft, section, text):
    keys = [k for k, s in SECTION_OF.items() if s.key == section]
    response = browser.post(section_url(draft, section), dict.fromkeys(keys, text))
    assert response.status_code == 302
    for address in (section_url(draft, section), url("hub", draft), url("check", draft)):
        page = browser.get(address)
        assert page.status_code in (200, 302), address
        assert b"<script>alert(1)" not in page.content
    values = stored(draft)
    assert all("\0" not in str(values.get(k, "")) for k in keys)


def test_html_is_shown_as_it_was_typed(browser, draft):
    text = "<img src=x onerror=alert(1)>"
    browser.post(section_url(draft, "task"), {"business_task": text})
    assert stored(draft)["business_task"] == text
    assert escape(text) in browser.get(section_url(draft, "task")).content.decode()


def test_a_million_characters_are_shown_back_with_a_reason_instead_of_being_stored(browser, draft):
    text = "я" * 1_000_000
    response = browser.post(section_url(draft, "task"), {"business_task": text})
    assert response.status_code == 422
    html = response.content.decode()
    assert text in html
    assert "Shorten the text" in html
    assert "business_task" not in stored(draft)


def test_a_text_up_to_the_limit_of_storage_is_kept_though_it_is_too_long(browser, draft):
    text = "я" * STORED_LENGTH
    browser.post(section_url(draft, "task"), {"business_task": text})
    assert stored(draft)["business_task"] == text
    assert "Shorten the text" in browser.get(section_url(draft, "task")).content.decode()


def test_only_questions_are_written_whatever_is_posted(browser, draft, owner):
    form = {
        "state": "approved",
        "status": "approved",
        "version": "99",
        "number": "1",
        "company": "1",
        "owner": "1",
        "roles": "administrator",
        "answers_text": "{}",
        "finished_sections": "goal",
        "updated_by": "1",
        "business_task": "Черновик ответа оператору",
    }
    browser.post(section_url(draft, "task"), form)
    draft.refresh_from_db()
    owner.refresh_from_db()
    assert draft.state == State.DRAFT
    assert draft.version == 1
    assert draft.answers_text == ""
    assert draft.finished_sections == []
    assert draft.requisition.number is None
    assert owner.roles == {Role.CLIENT}
    assert set(stored(draft)) <= set(QUESTIONS)


def test_a_question_of_another_section_is_not_taken(browser, draft):
    browser.post(
        section_url(draft, "task"), {"dataset_bytes": "200 ГБ", "asked": ["dataset_bytes"]}
    )
    assert "dataset_bytes" not in stored(draft)


@pytest.mark.parametrize("version", ["-1", "x", "9" * 400, "١", "", "1.5"])
def test_a_senseless_version_is_read_as_the_latest_one(browser, draft, version):
    browser.post(section_url(draft, "task"), {"business_task": "раз"})
    form = {"business_task": "два", "business_task-version": version}
    assert browser.post(section_url(draft, "task"), form).status_code == 302
    assert stored(draft)["business_task"] == "два"


@pytest.mark.parametrize(
    "query", ["page=%00", "page=../x", "return=//evil.example", "page=" + "a" * 5000]
)
def test_a_senseless_query_does_no_harm(browser, draft, query):
    address = section_url(draft, "recipe") + "?" + query
    assert browser.get(address).status_code == 200
    response = browser.post(address, {"framework": "trl", "action": "continue"})
    assert response["Location"].startswith("/r/")


def test_repeated_fields_count_once(browser, draft):
    browser.post(section_url(draft, "method"), {"method": ["lora", "full"]})
    assert stored(draft)["method"] == "full"


def test_a_stranger_to_forms_without_csrf_is_refused(owner, draft):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.post(section_url(draft, "task"), {"business_task": "x"}).status_code == 403
    assert "business_task" not in stored(draft)
