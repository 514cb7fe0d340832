"""Another way as an end of its own: its document, handing it over, and coming back."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from apps.accounts.models import Role
from apps.core import blobs
from apps.core.errors import Conflict, NotAllowed
from apps.documents.invariants import problems
from apps.documents.models import Document
from apps.documents.selectors import documents_for
from apps.intake import other_ways
from apps.intake.selectors import draft_of
from apps.questionnaire.gate import OUTCOMES
from apps.questionnaire.ways import WAYS as KNOWN
from apps.requisitions.models import Decision
from apps.requisitions.outcomes import OtherWay
from apps.requisitions.workflow import State
from tests.factories import make_client, make_draft, make_user
from tests.helpers import first_everywhere, run_jobs
from tests.intake.pages import answer_all, section_url, stored, url

pytestmark = pytest.mark.django_db

SEARCH = {"purpose": "knowledge", "weights_change": "yes", "alternatives": "not-tested"}
SERVE = {"purpose": "serve", "weights_change": "no"}
UNTESTED = {"purpose": "behaviour", "weights_change": "yes", "alternatives": "not-tested"}
WAYS = [(SEARCH, "rag"), (SERVE, "inference"), (UNTESTED, "pilot")]


def answered(browser: Client, draft: Any, answers: dict[str, str]) -> Any:
    form = answers | {"asked": [*answers, "inference_server"]}
    browser.post(section_url(draft, "goal"), form)
    return draft


def ended(browser: Client, draft: Any, answers: dict[str, str]) -> Any:
    answered(browser, draft, answers)
    assert browser.post(url("another-way", draft)).status_code == 302
    draft.refresh_from_db()
    return draft


def page(browser: Client, name: str, revision: Any) -> str:
    return browser.get(url(name, revision)).content.decode()


@pytest.mark.parametrize(("answers", "way"), WAYS)
def test_the_end_has_a_number_frozen_answers_and_a_document_in_both_languages(
    browser, draft, answers, way
):
    revision = ended(browser, draft, answers)
    assert revision.state == State.REDIRECTED
    assert revision.requisition.display_number == "ЗС-0001"
    assert json.loads(revision.answers_text)["answers"]["purpose"]["value"] == answers["purpose"]
    decision = revision.decisions.get()
    assert (decision.kind, decision.category, decision.comment) == ("redirect", way, "")
    notes = Document.objects.filter(revision=revision)
    assert {(n.kind, n.language, n.calculation) for n in notes} == {
        ("note", "ru", None),
        ("note", "en", None),
    }
    assert problems() == []


@pytest.mark.parametrize(("answers", "way"), first_everywhere(WAYS))
def test_the_document_is_printed_and_downloaded_by_the_client(browser, draft, answers, way):
    revision = ended(browser, draft, answers)
    assert "being made" in page(browser, "status", revision)
    run_jobs()
    html = page(browser, "status", revision)
    note = Document.objects.get(revision=revision, language="en")
    assert reverse("documents:download", args=[note.pk]) in html
    response = browser.get(reverse("documents:download", args=[note.pk]))
    text = " ".join(p.extract_text() for p in PdfReader(BytesIO(response.content)).pages)
    assert "Not a commercial offer" in text
    assert "Chosen by the client".upper() in text.upper()
    assert blobs.read(note.sha256) == response.content
    assert note.file_name == "ЗС-0001-A-en-conclusion.pdf"
    assert problems() == []


def test_staff_gets_the_document_like_a_final_and_strangers_do_not(browser, draft, owner):
    revision = ended(browser, draft, SEARCH)
    for role in (Role.ENGINEER, Role.APPROVER, Role.MANAGER):
        assert documents_for(make_user(role), revision).count() == 2
    assert documents_for(make_client(company=owner.company), revision).count() == 2
    for person in (make_client(), make_user(Role.ADMINISTRATOR)):
        assert not documents_for(person, revision).exists()
        client = Client()
        client.force_login(person)
        note = Document.objects.filter(revision=revision)[0]
        for address in ("documents:download", "documents:data"):
            assert client.get(reverse(address, args=[note.pk])).status_code == 404


def test_the_answers_are_handed_over_as_a_file_without_the_contacts(browser, draft, owner):
    revision = ended(browser, draft, SERVE)
    html = page(browser, "status", revision)
    note = Document.objects.filter(revision=revision)[0]
    address = reverse("documents:data", args=[note.pk])
    assert address in html
    response = browser.get(address)
    handed = json.loads(response.content)
    assert handed["schema"] == "podbor.handover/1"
    assert (handed["number"], handed["category"]) == ("ЗС-0001", "inference")
    assert handed["answers"]["purpose"]["value"] == "serve"
    assert handed["task"]["schema"] == "podbor.task/1"
    assert owner.email not in response.content.decode()
    assert response["Content-Disposition"].startswith("attachment")


def test_the_gate_shows_what_speaks_for_the_way_and_every_way_on(browser, draft):
    answered(browser, draft, SEARCH)
    html = page(browser, "gate", draft)
    assert "Answers over our own documents" in html
    assert "Access rights" in html
    for name in ("another-way", "evidence"):
        assert f'action="{url(name, draft)}"' in html
    assert 'name="continue_reason"' in html
    assert "What the selection of inference starts from" not in html


def test_the_gate_of_inference_tells_what_the_selection_starts_from(browser, draft):
    answered(browser, draft, SERVE)
    html = page(browser, "gate", draft)
    assert "Requests a second at the peak" in html
    assert "to be found out" in html
    assert url("evidence", draft) not in html


def test_a_test_at_the_gate_opens_the_way_to_training(browser, draft):
    answered(browser, draft, SEARCH)
    response = browser.post(url("evidence", draft), {"evidence": "RAG проверен: 61 %, нужно 85 %"})
    assert response["Location"] == url("gate", draft)
    assert "Training looks justified" in page(browser, "gate", draft)
    answers = stored(draft)
    assert answers["alternatives"] == "not-enough"
    assert answers["evidence"] == "RAG проверен: 61 %, нужно 85 %"


@pytest.mark.parametrize("answers", [SEARCH, UNTESTED])
def test_what_ended_is_taken_up_again_with_the_test_and_all_answers(browser, draft, answers):
    revision = ended(browser, draft, answers)
    assert url("evidence", revision) in page(browser, "status", revision)
    browser.post(url("evidence", revision), {"evidence": "Проверено: 61 %, нужно 85 %"})
    following = revision.requisition.revisions.last()
    assert (following.letter, following.state) == ("B", State.DRAFT)
    assert stored(following) == stored(revision) | {
        "alternatives": "not-enough",
        "evidence": "Проверено: 61 %, нужно 85 %",
    }
    assert documents_for(revision.requisition.owner, revision).count() == 2
    assert problems() == []


def test_coming_back_needs_the_result_of_the_test(browser, draft):
    revision = ended(browser, draft, SEARCH)
    response = browser.post(url("evidence", revision), {"evidence": "  "}, follow=True)
    assert "Write what the test has shown" in response.content.decode()
    assert revision.requisition.revisions.count() == 1


def test_nobody_else_brings_it_back(browser, draft):
    revision = ended(browser, draft, SEARCH)
    stranger = Client()
    stranger.force_login(make_client())
    assert stranger.post(url("evidence", revision), {"evidence": "x"}).status_code == 404
    with pytest.raises(NotAllowed):
        other_ways.evidence_give(revision=revision, evidence="x", actor=make_user(Role.ENGINEER))


def test_a_full_requisition_ends_with_the_figures_of_a_pilot(browser, draft, owner):
    answer_all(draft)
    answered(browser, draft, UNTESTED)
    other_ways.requisition_redirect(draft=draft_of(draft), actor=owner)
    note = json.loads(Document.objects.filter(revision=draft)[0].snapshot_text)
    assert note["effort"]["gpus"] >= 1
    assert note["effort"]["device_gib"]["low"] < note["effort"]["device_gib"]["high"]
    assert set(note["effort"]) == {"gpus", "device_gib", "run_gpu_hours", "pilot_gpu_hours"}


def test_a_second_click_ends_it_once(browser, draft, owner):
    read = draft_of(answered(browser, draft, SEARCH))
    other_ways.requisition_redirect(draft=read, actor=owner)
    with pytest.raises(Conflict):
        other_ways.requisition_redirect(draft=read, actor=owner)
    assert Decision.objects.count() == 1
    assert Document.objects.count() == 2


def test_an_end_that_cannot_be_told_does_not_happen(browser, draft, owner, monkeypatch):
    answered(browser, draft, SEARCH)

    def broken(**values: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(other_ways.documents, "notes_create", broken)
    with pytest.raises(OSError, match="no room"):
        other_ways.requisition_redirect(draft=draft_of(draft), actor=owner)
    draft.refresh_from_db()
    assert (draft.state, draft.answers_sha256) == (State.DRAFT, "")
    assert draft.requisition.number is None


def test_a_manager_who_fills_it_in_may_end_it_too():
    owner = make_client()
    draft = make_draft(owner)
    manager = make_user(Role.MANAGER)
    draft.requisition.created_by = manager
    draft.requisition.save()
    client = Client(headers={"accept-language": "en"})
    client.force_login(manager)
    assert ended(client, draft, SEARCH).decisions.get().by == manager


def test_training_first_tests_an_adapter_and_leaves_the_inference_server_alone(browser, draft):
    goal = {"purpose": "behaviour", "weights_change": "yes", "alternatives": "not-enough"}
    browser.post(
        section_url(draft, "goal"),
        goal | {"evidence": "61 %", "inference_server": "yes", "asked": [*goal, "evidence"]},
    )
    html = page(browser, "gate", draft)
    assert "Test an adapter first" in html
    assert "The inference server says nothing about training" in html
    assert url("another-way", draft) not in html


def test_an_open_question_of_the_gate_leads_to_its_field(browser, draft):
    browser.post(section_url(draft, "goal"), {"purpose": "behaviour", "asked": ["purpose"]})
    html = page(browser, "gate", draft)
    assert "What would settle it" in html
    assert "Will the weights of the model change?" in html


def test_every_way_has_a_name_in_the_workflow():
    assert set(KNOWN) == set(OtherWay.values)
    assert {o.way for o in OUTCOMES.values() if o.advised} <= set(KNOWN)
