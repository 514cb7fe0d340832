"""A request in words: nothing is an answer until the client has confirmed it."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.requisitions.models import Answer, Attachment, Requisition
from apps.requisitions.services import Change, answers_save
from tests.factories import make_client
from tests.intake.pages import answer_all, finish_all, section_url, send, stored, url
from tests.phrases.test_papers import docx, paragraph

EXAMPLE = "Нужно дообучить LoRA на Llama 3 8B, датасет 200 ГБ картинок и текстов, аренда на месяц, нужен тест времени шага, бюджет до 600 тыс. рублей."
NEW = reverse("intake:new-written")


def heard_page(browser, text=EXAMPLE) -> tuple[Requisition, str]:
    """Paste a text for a new requisition; the requisition and the page to confirm on."""
    response = browser.post(NEW, {"text": text})
    assert response.status_code == 302
    return Requisition.objects.latest("created_at"), response["Location"]


def take(browser, page, keys, **values):
    form = browser.get(page).context
    shown = {row.key: row.value for row in form["rows"]}
    body = {"take": keys, **{k: values.get(k, shown[k]) for k in keys}}
    body |= {f"{row.key}-version": str(row.version) for row in form["rows"]}
    return browser.post(page, body)


def test_nothing_is_answered_before_it_is_confirmed(browser, owner):
    requisition, page = heard_page(browser)
    html = browser.get(page).content.decode()
    assert "Llama 3 8B" in html
    assert "«аренда на месяц»" in html
    keys = set(requisition.revisions.get().answers.values_list("key", flat=True))
    assert keys <= {"contact_name", "contact_email"}
    assert Attachment.objects.get().kind == Attachment.Kind.SPECIFICATION


def test_what_is_ticked_is_taken_with_the_words_it_comes_from(browser, owner):
    requisition, page = heard_page(browser)
    ticked = [row.key for row in browser.get(page).context["rows"] if row.chosen]
    assert len(ticked) >= 6
    take(browser, page, ticked)
    revision = requisition.revisions.get()
    assert stored(revision)["method"] == "lora"
    answer = Answer.objects.get(revision=revision, key="dataset_bytes")
    assert (answer.value, answer.provenance) == ("200 ГБ", "words")
    assert answer.note == "«датасет 200 ГБ»"
    assert "data_kind" in ticked
    form = browser.get(section_url(revision, "data")).content.decode()
    assert "from the text of the request" in form


def test_a_changed_value_is_the_clients_own_and_what_is_dropped_is_not_taken(browser, owner):
    requisition, page = heard_page(browser)
    take(browser, page, ["method", "dataset_bytes"], dataset_bytes="300 ГБ")
    revision = requisition.revisions.get()
    answer = Answer.objects.get(revision=revision, key="dataset_bytes")
    assert (answer.value, answer.provenance, answer.note) == ("300 ГБ", "client", "")
    assert not revision.answers.filter(key="acquisition").exists()


def test_a_value_that_cannot_be_read_is_shown_back_and_nothing_is_taken(browser, owner):
    requisition, page = heard_page(browser)
    response = take(browser, page, ["method", "dataset_bytes"], dataset_bytes="много")
    assert response.status_code == 422
    html = response.content.decode()
    assert "There is a problem" in html
    assert 'value="много"' in html
    assert not requisition.revisions.get().answers.filter(key="method").exists()


def test_what_contradicts_an_earlier_answer_shows_both_and_is_not_ticked(browser, draft):
    change = Change(key="method", value="full")
    answers_save(revision=draft, changes=[change], actor=draft.requisition.owner)
    page = browser.post(url("written", draft), {"text": EXAMPLE})["Location"]
    response = browser.get(page)
    row = next(row for row in response.context["rows"] if row.key == "method")
    assert (row.differs, row.chosen, row.current) == (True, False, "All weights")
    assert "answered now:" in response.content.decode()
    take(browser, page, ["method"])
    assert stored(draft)["method"] == "lora"


def test_an_answer_given_meanwhile_is_not_overwritten(browser, draft):
    page = browser.post(url("written", draft), {"text": EXAMPLE})["Location"]
    shown = browser.get(page).context["rows"]
    assert any(row.key == "method" for row in shown)
    change = Change(key="method", value="full")
    answers_save(revision=draft, changes=[change], actor=draft.requisition.owner)
    browser.post(page, {"take": ["method"], "method": "lora", "method-version": "0"})
    assert stored(draft)["method"] == "full"


def test_hardware_in_words_stays_a_wish_and_is_asked_back(browser, owner):
    requisition, page = heard_page(
        browser, "Нужен сервер с 8×H200 для полного дообучения Qwen2.5-7B."
    )
    row = next(r for r in browser.get(page).context["rows"] if r.key == "hardware_wish")
    assert "may be one of several" in row.echo
    take(browser, page, ["hardware_wish"])
    answers = stored(requisition.revisions.get())
    assert answers["hardware_wish"] == "8×H200"
    assert "sku" not in answers


def test_search_over_documents_leads_to_the_advice_of_the_gate(browser, owner):
    text = (
        "Сотрудники задают вопросы по внутренним регламентам, думаем про RAG, обучать не планируем."
    )
    requisition, page = heard_page(browser, text)
    response = take(browser, page, ["purpose", "weights_change"])
    assert response["Location"] == reverse("intake:gate", args=[requisition.pk])


def test_a_word_document_is_read_the_same_way(browser, owner):
    content = docx(paragraph("Метод: QLoRA") + paragraph("Датасет: 3 ГБ текстов"))
    response = browser.post(NEW, {"file": SimpleUploadedFile("ТЗ.docx", content)})
    rows = {row.key: row.value for row in browser.get(response["Location"]).context["rows"]}
    assert rows["method"] == "qlora"
    assert rows["dataset_bytes"] == "3 ГБ"


@pytest.mark.parametrize("content", [b"%PDF-1.7", b"PK\x03\x04broken", b""], ids=str)
@pytest.mark.one_stack
def test_a_file_that_cannot_be_read_begins_nothing(browser, owner, content):
    response = browser.post(NEW, {"file": SimpleUploadedFile("tz.docx", content)})
    assert response.status_code == 200
    assert "note-blocked" in response.content.decode()
    assert Requisition.objects.count() == 0


def test_settings_of_a_training_go_to_their_own_page(browser, owner):
    content = (
        b"base_model: NousResearch/Meta-Llama-3-8B\nadapter: lora\nlora_r: 32\nsequence_len: 4096\n"
    )
    response = browser.post(NEW, {"file": SimpleUploadedFile("axolotl.yaml", content)})
    assert response["Location"].endswith("/fill/")


@pytest.mark.one_stack
def test_a_markup_in_the_text_is_only_text(browser, owner):
    _requisition, page = heard_page(browser, "<script>alert(1)</script> датасет 200 ГБ, LoRA")
    html = browser.get(page).content.decode()
    assert "<script>alert(1)" not in html
    assert "&lt;script&gt;" in html


def test_a_request_in_words_reaches_submitted(browser, owner):
    """REQ-06: the words fill in what they say, the client marks the rest unknown and sends."""
    requisition, page = heard_page(browser)
    take(browser, page, [row.key for row in browser.get(page).context["rows"] if row.chosen])
    revision = requisition.revisions.get()
    known = {"purpose": "behaviour", "alternatives": "not-enough", "business_task": EXAMPLE}
    versions = {a.key: a.version for a in revision.answers.all()}
    changes = [Change(key=k, value=v, base_version=versions.get(k, 0)) for k, v in known.items()]
    answers_save(revision=revision, changes=changes, actor=owner)
    browser.post(url("check", revision))
    assert browser.post(url("submit", revision)).status_code == 302
    requisition.refresh_from_db()
    assert requisition.number


class TestDraftFile:
    def download(self, browser, revision) -> bytes:
        response = browser.get(url("draft-file", revision))
        assert response["Content-Disposition"].startswith("attachment")
        return response.content

    def test_a_file_restores_answers_unknowns_notes_and_finished_sections(self, browser, draft):
        answer_all(draft)
        finish_all(draft)
        content = self.download(browser, draft)
        assert json.loads(content)["schema"] == "podbor.draft/1"
        response = browser.post(NEW, {"file": SimpleUploadedFile("draft.json", content)})
        again = Requisition.objects.latest("created_at").revisions.get()
        assert response["Location"] == url("hub", again)
        names = ("key", "value", "unknown", "who", "when", "provenance", "note")
        before, after = (sorted(map(str, r.answers.values(*names))) for r in (draft, again))
        assert before == after
        assert again.finished_sections == sorted(draft.finished_sections)

    @pytest.mark.parametrize(
        "document",
        [
            {"schema": "podbor.draft/2", "answers": {}},
            {"schema": "podbor.draft/1"},
            {"schema": "podbor.draft/1", "answers": {"method": "lora"}},
            {"schema": "podbor.draft/1", "answers": {"method": {"value": 5}}},
            {"schema": "podbor.draft/1", "answers": {"method": {"value": "a\0b"}}},
            {"schema": "podbor.draft/1", "answers": {"method": {"value": "\ud800"}}},
            {"schema": "podbor.draft/1", "answers": {"method": {"value": "x" * 30_000}}},
            {"schema": "podbor.draft/1", "answers": {"method": {"owner": "x"}}},
            {"schema": "podbor.draft/1", "answers": {"method": {"value": "lora", "unknown": 1}}},
        ],
        ids=lambda d: str(d)[:60].encode("ascii", "replace").decode(),
    )
    @pytest.mark.one_stack
    def test_a_hostile_file_is_refused_whole(self, browser, owner, document):
        content = json.dumps(document).encode()
        response = browser.post(NEW, {"file": SimpleUploadedFile("draft.json", content)})
        assert response.status_code == 200
        assert "note-blocked" in response.content.decode()
        assert Requisition.objects.count() == 0

    def test_deep_and_broken_json_is_refused(self, browser, owner):
        for content in (b'{"schema": "podbor.draft/1"' + b"[" * 5000, b'{"podbor.draft/1"'):
            file = io.BytesIO(content)
            file.name = "draft.json"
            assert browser.post(NEW, {"file": file}).status_code == 200
        assert Requisition.objects.count() == 0

    def test_an_engineers_value_comes_back_as_the_clients(self, browser, owner):
        answers = {"method": {"value": "lora", "provenance": "engineer"}, "gone": {"value": "x"}}
        content = json.dumps({"schema": "podbor.draft/1", "answers": answers}).encode()
        page = browser.post(NEW, {"file": SimpleUploadedFile("d.json", content)}, follow=True)
        assert Answer.objects.get(key="method").provenance == "client"
        assert "left out: gone" in page.content.decode()


class TestEarlier:
    def test_answers_of_an_earlier_requisition_name_it(self, browser, draft):
        number = send(browser, draft).display_number
        html = browser.get(NEW).content.decode()
        assert number in html
        browser.post(reverse("intake:new-from-earlier", args=[draft.requisition_id]))
        again = Requisition.objects.latest("created_at").revisions.get()
        answer = again.answers.get(key="dataset_bytes")
        assert (answer.provenance, answer.note) == ("earlier", number)
        keys = set(again.answers.values_list("key", flat=True))
        assert not {"budget", "wanted_date"} & keys
        assert not again.answers.filter(unknown=True).exists()
        form = browser.get(section_url(again, "data")).content.decode()
        assert "taken from requisition" in form

    def test_another_company_begins_with_nothing_of_it(self, browser, draft):
        send(browser, draft)
        stranger = Client(headers={"accept-language": "en"})
        stranger.force_login(make_client())
        address = reverse("intake:new-from-earlier", args=[draft.requisition_id])
        assert stranger.post(address).status_code == 404
        assert draft.requisition.display_number not in stranger.get(NEW).content.decode()
