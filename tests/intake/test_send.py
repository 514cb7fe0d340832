"""Checking the answers and sending them, once."""

import json
import re

import pytest

from apps.core.canonical import sha256_of
from apps.estimation.selectors import latest_calculation, task_of
from apps.intake.selectors import draft_of
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.summary import open_questions
from apps.requisitions.models import OpenQuestion, Requisition
from apps.requisitions.workflow import State
from tests.intake.pages import answer_all, section_url, send, stored, url
from tests.questionnaire.answers import REFERENCE


def draft_text(draft) -> str:
    draft.refresh_from_db()
    return draft.answers_text


def page(browser, address) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_the_check_page_lists_what_nobody_has_answered_and_marks_it_at_once(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "scratch", "weights_change": "yes"})
    task = {"business_task": "Распознавание дефектов на фото линии"}
    contact = {"contact_name": "Мария", "contact_email": "maria@onega.example"}
    browser.post(section_url(draft, "task"), task | contact)
    html = page(browser, url("check", draft))
    assert "Without an answer: " in html
    assert "It cannot be sent yet" in html
    assert 'name="seen"' not in html
    gaps = re.search(r'<dl class="gaps">(.*?)</dl>', html, re.DOTALL)
    assert gaps is not None
    assert gaps.group(1).index("<dt>Task</dt>") < gaps.group(1).index("<dt>Model</dt>")
    assert "q-sequence_length" in gaps.group(1)
    browser.post(url("check", draft))
    html = page(browser, url("check", draft))
    assert "Without an answer" not in html
    assert "Send for assessment" in html


@pytest.mark.parametrize(
    ("name", "asked"), [("Llama-3.1-8B", set()), ("Nobody-9B", {"params", "model_kind"})]
)
def test_what_the_catalog_knows_of_a_model_is_no_open_question(browser, draft, name, asked):
    unknown = {"params": RawAnswer(unknown=True), "model_kind": RawAnswer(unknown=True)}
    answer_all(draft, {**REFERENCE, "model_name": RawAnswer(name), **unknown})
    assert {row.key for row in open_questions(draft_of(draft).evaluated)} & set(unknown) == asked
    browser.post(url("submit", draft))
    questions = OpenQuestion.objects.filter(revision=draft, key__in=unknown)
    assert {q.key for q in questions} == asked
    assert json.loads(draft_text(draft))["answers"]["params"]["unknown"]


def test_what_stops_sending_is_listed_with_links(browser, draft):
    answer_all(draft, {**REFERENCE, "business_task": RawAnswer(""), "micro_batch": RawAnswer("8k")})
    html = page(browser, url("check", draft))
    assert "<title>Error: " in html
    link = section_url(draft, "task", page="task").replace("?", "?") + "&amp;return=check"
    assert f'href="{link}#q-business_task"' in html
    assert "Write the number in full" in html
    response = browser.post(url("submit", draft))
    assert response["Location"] == url("check", draft)
    draft.refresh_from_db()
    assert draft.state == State.DRAFT


def test_doubts_are_shown_and_stop_nothing(browser, draft):
    answer_all(draft, {**REFERENCE, "disk_bytes": RawAnswer("200 ГБ", note="чекпойнты на NFS")})
    html = page(browser, url("check", draft))
    assert "no room for checkpoints" in html
    assert "чекпойнты на NFS" in html
    assert "Send for assessment" in html


def test_sending_freezes_the_answers_that_count_and_starts_the_estimators(browser, draft):
    answer_all(draft, {**REFERENCE, "quantization": RawAnswer("nf4")})
    assert "quantization" in stored(draft)
    assert browser.post(url("submit", draft))["Location"] == url("status", draft)
    draft.refresh_from_db()
    assert draft.state == State.ESTIMATING
    assert draft.requisition.display_number == "ЗС-0001"
    frozen = json.loads(draft.answers_text)["answers"]
    assert draft.answers_sha256 == sha256_of(draft.answers_text)
    assert frozen["dataset_bytes"]["value"] == "200 ГБ"
    assert frozen["sequence_length"]["note"] == "train.yaml:14"
    assert "quantization" not in frozen, "what is not asked never reaches an estimate"
    calculation = latest_calculation(draft)
    assert calculation is not None
    task = task_of(calculation)
    assert task["id"] == "ЗС-0001 A"
    assert task["recipe"]["lora_rank"] is None
    assert task["data"]["bytes"] == 200 * 10**9
    context = json.loads(calculation.input_text)["context"]
    assert context["acquisition"]["rent_days"] == 30
    questions = OpenQuestion.objects.filter(revision=draft, key="lora_rank")
    assert questions.get().owner_name == "Анна"


def test_pressing_twice_sends_once(browser, draft):
    send(browser, draft)
    for _ in range(3):
        assert browser.post(url("submit", draft))["Location"] == url("status", draft)
    assert Requisition.objects.count() == 1
    assert draft.calculations.count() == 1
    assert draft.requisition.revisions.count() == 1


def test_what_was_checked_is_what_is_sent(browser, draft):
    answer_all(draft)
    seen = re.search(r'name="seen" value="(\w+)"', page(browser, url("check", draft)))
    assert seen
    browser.post(section_url(draft, "recipe"), {"micro_batch": "16"})
    response = browser.post(url("submit", draft), {"seen": seen[1]})
    assert response["Location"] == url("check", draft)
    draft.refresh_from_db()
    assert draft.state == State.DRAFT
    assert "The answers have changed" in page(browser, url("check", draft))


def test_without_its_calculation_nothing_is_sent(browser, draft, monkeypatch):
    answer_all(draft)

    def broken(**_kwargs):
        raise OSError("disk full")

    monkeypatch.setattr("apps.intake.services.calculation_start", broken)
    browser.raise_request_exception = False
    assert browser.post(url("submit", draft)).status_code == 500
    draft.refresh_from_db()
    assert draft.state == State.DRAFT
    assert draft.answers_sha256 == ""
    assert draft.requisition.number is None
