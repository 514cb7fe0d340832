"""Pages of questions: whatever is typed is kept, and says what is wrong with it."""

import pytest
from django.urls import reverse

from apps.requisitions.models import Revision
from tests.intake.pages import answer_all, section_url, stored, url


def page(browser, address: str) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_an_answer_is_kept_as_typed_and_shown_again(browser, draft):
    browser.post(section_url(draft, "data"), {"dataset_bytes": "0,2 ТБ"})
    assert stored(draft)["dataset_bytes"] == "0,2 ТБ"
    html = page(browser, section_url(draft, "data"))
    assert 'value="0,2 ТБ"' in html
    assert "= 200,000,000,000 bytes (186 GiB)" in html.replace("\u00a0", " ")


def test_an_unreadable_answer_is_kept_and_the_page_says_how_to_mend_it(browser, draft):
    address = section_url(draft, "recipe", page="batch")
    response = browser.post(address, {"sequence_length": "8k", "action": "continue"})
    assert stored(draft)["sequence_length"] == "8k"
    assert response["Location"] == section_url(draft, "recipe", page="batch")
    html = page(browser, address)
    assert "<title>Error: " in html
    assert 'href="#q-sequence_length"' in html
    assert 'aria-invalid="true"' in html
    assert html.count("Write the number in full") == 2


def test_a_person_who_saw_the_error_may_go_on(browser, draft):
    address = section_url(draft, "recipe", page="batch")
    fields = ["sequence_length", "average_length", "packing", "micro_batch"]
    form = {
        "asked": [*fields, "grad_accumulation", "global_batch"],
        "sequence_length": "8k",
        "action": "continue",
    }
    assert browser.post(address, form)["Location"] == address
    again = form | {"sequence_length-version": "1", "seen-error": ["sequence_length"]}
    assert "page=savings" in browser.post(address, again)["Location"]


def test_unknown_keeps_who_and_by_when(browser, draft):
    form = {
        "sequence_length-unknown": "1",
        "sequence_length-who": "Игорь",
        "sequence_length-when": "пятница",
    }
    browser.post(section_url(draft, "recipe"), form)
    answer = draft.answers.get(key="sequence_length")
    assert (answer.unknown, answer.who, answer.when) == (True, "Игорь", "пятница")
    html = page(browser, section_url(draft, "recipe", page="batch"))
    assert 'value="Игорь"' in html


def test_a_choice_is_unknown_by_its_own_radio(browser, draft):
    browser.post(section_url(draft, "method"), {"method": "?"})
    assert draft.answers.get(key="method").unknown


def test_an_empty_choice_of_a_page_takes_the_answer_back(browser, draft):
    browser.post(section_url(draft, "method"), {"method": "lora"})
    browser.post(section_url(draft, "method"), {"asked": ["method"], "method-version": "1"})
    assert stored(draft)["method"] == ""


def test_a_question_that_must_be_answered_cannot_be_unknown(browser, draft):
    browser.post(section_url(draft, "task"), {"business_task": "x", "business_task-unknown": "1"})
    assert not draft.answers.get(key="business_task").unknown


def test_questions_that_an_answer_brings_up_are_asked_before_going_on(browser, draft):
    form = {"asked": ["strategy", "method", "stage"], "strategy": "finetune", "method": "freeze"}
    response = browser.post(section_url(draft, "method"), form | {"action": "continue"})
    assert response["Location"] == section_url(draft, "method", page="method")
    assert 'name="trainable_params"' in page(browser, response["Location"])


def test_a_hidden_answer_is_kept_and_comes_back_with_its_branch(browser, draft):
    method = section_url(draft, "method")
    adapters = section_url(draft, "recipe", page="adapters")
    browser.post(method, {"method": "lora"})
    browser.post(adapters, {"lora_rank": "64"})
    browser.post(method, {"method": "full"})
    assert 'name="lora_rank"' not in page(browser, section_url(draft, "recipe"))
    assert stored(draft)["lora_rank"] == "64"
    browser.post(method, {"method": "lora"})
    assert 'value="64"' in page(browser, adapters)


def test_the_rest_of_a_section_can_be_marked_unknown_at_once(browser, draft):
    form = {"runs_per_quarter": "6", "action": "unknown-rest"}
    browser.post(section_url(draft, "timing"), form)
    unknown = set(draft.answers.filter(unknown=True).values_list("key", flat=True))
    assert {"time_scope", "deadline_hard", "experiments", "stop_criteria"} <= unknown
    assert "runs_per_quarter" not in unknown
    assert not draft.answers.get(key="runs_per_quarter").unknown


def test_whether_a_section_is_finished_is_the_clients_own_word(browser, draft):
    address = section_url(draft, "horizon")
    browser.post(address, {"use": "one-off"})
    draft.refresh_from_db()
    assert draft.finished_sections == []
    browser.post(address, {"finished": "yes"})
    draft.refresh_from_db()
    assert draft.finished_sections == ["horizon"]
    browser.post(address, {"finished": "no"})
    draft.refresh_from_db()
    assert draft.finished_sections == []


def test_saving_leads_to_the_next_page_or_out(browser, draft):
    address = section_url(draft, "task", page="contact")
    form = {
        "asked": ["contact_name", "contact_email"],
        "contact_name": "А",
        "contact_email": "a@b.ru",
    }
    form |= {"contact_name-version": "1", "contact_email-version": "1"}
    assert browser.post(address, form | {"action": "exit"})["Location"] == url("hub", draft)
    form |= {"contact_name-version": "2", "contact_email-version": "2"}
    onward = browser.post(address, form | {"action": "continue"})["Location"]
    assert onward == section_url(draft, "method")


def test_a_deep_link_from_the_check_page_comes_back_to_it(browser, draft):
    answer_all(draft)
    html = page(browser, url("check", draft))
    link = section_url(draft, "recipe", page="batch").replace("batch", "batch&amp;return=check")
    assert f'href="{link}#q-sequence_length"' in html
    keys = ["sequence_length", "average_length", "packing", "micro_batch", "grad_accumulation"]
    address = section_url(draft, "recipe", page="batch") + "&return=check"
    form = {"asked": [*keys, "global_batch"], "sequence_length": "4096", "micro_batch": "1"}
    response = browser.post(address, form | {"action": "continue"})
    assert response["Location"] == url("check", draft)


def test_a_typical_value_is_offered_and_never_filled_in_by_itself(browser, draft):
    browser.post(section_url(draft, "method"), {"method": "lora"})
    address = section_url(draft, "recipe", page="adapters")
    html = page(browser, address)
    assert "A usual value. Libraries start from 8 or 16" in html
    assert "Source: PEFT: LoraConfig" in html
    assert 'name="take" value="lora_rank"' in html
    assert "lora_rank" not in stored(draft)
    browser.post(address, {"asked": ["lora_rank"], "take": "lora_rank"})
    answer = draft.answers.get(key="lora_rank")
    assert (answer.value, answer.provenance) == ("16", "typical")
    assert answer.note.startswith("PEFT")
    assert 'name="take" value="lora_rank"' not in page(browser, address)
    browser.post(address, {"lora_rank": "32"})
    assert draft.answers.get(key="lora_rank").provenance == "client"


def test_what_the_catalog_knows_of_the_model_is_offered(browser, draft):
    browser.post(section_url(draft, "model"), {"model_name": "Llama-3.1-8B"})
    html = page(browser, section_url(draft, "model"))
    assert "The catalog knows this model" in html
    browser.post(section_url(draft, "model"), {"take": "params"})
    answer = draft.answers.get(key="params")
    assert (answer.value, answer.provenance) == ("8030261248", "catalog")


def test_a_doubtful_value_may_stay_with_a_reason(browser, draft):
    form = {
        "dataset_bytes": "200 ГБ",
        "disk_bytes": "200 ГБ",
        "disk_bytes-note": "чекпойнты на NFS",
    }
    browser.post(section_url(draft, "data"), form)
    assert draft.answers.get(key="disk_bytes").note == "чекпойнты на NFS"
    html = page(browser, section_url(draft, "data", page="reading"))
    assert "no room for checkpoints" in html
    assert 'value="чекпойнты на NFS"' in html


def test_a_value_from_a_file_keeps_its_origin_until_it_is_changed(browser, draft):
    answer_all(draft)
    address = section_url(draft, "recipe", page="batch")
    assert "train.yaml:22" in page(browser, address)
    browser.post(address, {"micro_batch": "4", "sequence_length": "4096"})
    assert draft.answers.get(key="micro_batch").provenance == "file"
    assert draft.answers.get(key="sequence_length").provenance == "client"


def test_a_range_of_memory_appears_once_the_model_has_a_size(browser, draft):
    address = section_url(draft, "recipe", page="batch")
    assert "Name a model of the catalog" in page(browser, address)
    browser.post(section_url(draft, "model"), {"model_name": "Llama-3.1-8B"})
    html = page(browser, address)
    assert "memory, if there is one GPU" in html
    assert "These answers would narrow it most" in html


@pytest.mark.parametrize("section", ["no-such", "purpose", "..", "GOAL"])
def test_a_section_that_is_not_asked_is_404(browser, draft, section):
    address = url("hub", draft) + f"s/{section}/"
    assert browser.get(address).status_code == 404
    assert browser.post(address, {"purpose": "scratch"}).status_code == 404


def test_the_rack_is_not_asked_for_a_plain_rent(browser, draft):
    browser.post(section_url(draft, "purchase"), {"acquisition": "rent", "own_rack": "no"})
    assert browser.get(section_url(draft, "site")).status_code == 404


def test_an_unknown_page_shows_the_first_one(browser, draft):
    html = page(browser, section_url(draft, "recipe", page="no-such"))
    assert 'name="framework"' in html


def test_once_sent_pages_lead_to_the_status_and_saving_is_a_conflict(browser, draft):
    answer_all(draft)
    browser.post(url("submit", draft))
    address = section_url(draft, "task")
    assert browser.get(address)["Location"] == url("status", draft)
    before = Revision.objects.get(pk=draft.pk).answers_sha256
    assert browser.post(address, {"business_task": "поздно"}).status_code == 409
    assert Revision.objects.get(pk=draft.pk).answers_sha256 == before


def test_the_echo_says_what_was_understood_without_storing(browser, draft):
    address = reverse("intake:echo", args=["dataset_bytes"])
    said = browser.get(address, {"dataset_bytes": "1,5 ТБ"}).content.decode()
    assert said.replace("\u00a0", " ") == "= 1,500,000,000,000 bytes (1.36 TiB)"
    wrong = browser.get(address, {"dataset_bytes": "<b>x"}).content.decode()
    assert "Write a number" in wrong
    assert "<b>" not in wrong
    assert browser.get(reverse("intake:echo", args=["no-such"])).status_code == 404
    assert "dataset_bytes" not in stored(draft)
