"""A calculation without an account: six fields, an address to share, and no way to overload it."""

import re
import time

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Attempt
from apps.catalog.facts import fixture_catalog
from apps.tryout.figures import _swept
from apps.tryout.views import TRIES

pytestmark = pytest.mark.django_db
TRY = "/try/"
LORA = {
    "model_name": "meta-llama/Meta-Llama-3.1-8B",
    "method": "lora",
    "sequence_length": "4096",
    "micro_batch": "2",
    "activation_checkpointing": "full",
    "gpus": "",
}


@pytest.fixture
def browser() -> Client:
    return Client(headers={"accept-language": "en"})


def page(browser: Client, **fields: str) -> str:
    response = browser.get(TRY, fields)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.one_stack
def test_a_blank_page_asks_and_complains_about_nothing(browser):
    html = page(browser)
    assert 'role="alert"' not in html
    assert html.count("<select") + html.count('<input class="form-control"') == 7  # with the card
    assert "Qwen/Qwen2.5-7B" in html  # the catalog suggests
    assert not Attempt.objects.exists()


@pytest.mark.one_stack
def test_the_form_leads_to_an_address_that_can_be_shared(browser):
    response = browser.post(TRY, LORA)
    assert response.status_code == 302
    stranger = Client(headers={"accept-language": "en"})
    html = stranger.get(response["Location"]).content.decode()
    assert "One GPU is enough on" in html
    assert 'value="4096"' in html


@pytest.mark.one_stack
def test_every_accelerator_has_its_range_capacity_and_verdict(browser):
    html = page(browser, **LORA)
    for card in fixture_catalog().accelerators.values():
        assert card.name in html
    assert html.count('class="range"') == len(fixture_catalog().accelerators)
    assert "price" not in re.sub("Not a price offer|no prices", "", html).lower()
    assert "The software is not stated" in html
    assert "not checked against measurements" in html
    assert "“Optimizer” was not stated" in html


@pytest.mark.one_stack
def test_the_russian_page_is_russian():
    html = Client().get(TRY, LORA).content.decode()
    assert '<html lang="ru"' in html
    assert "GPU" in html


@pytest.mark.one_stack
def test_a_stated_number_of_gpus_is_what_is_shown(browser):
    html = page(browser, **LORA | {"method": "full", "gpus": "8"})
    assert "On 8\N{NO-BREAK SPACE}GPUs it fits on" in html
    assert "FSDP over 8 GPUs" in html


@pytest.mark.one_stack
def test_a_model_can_be_given_by_its_size(browser):
    html = page(browser, **LORA | {"model_name": "8B"})
    assert "One GPU is enough" in html
    assert "The dimensions of the model are guessed from its size." in html


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("model_name", "", "Name the model"),
        ("model_name", "nobody/knows-this", "The catalog does not know this model"),
        ("sequence_length", "long", "8192"),
        ("sequence_length", "-4", "negative"),
        ("micro_batch", "1.5", "whole number"),
        ("method", "magic", "Choose one of the answers"),
        ("gpus", "0", "at least 1"),
        ("gpus", "99999", "4,096"),
        ("gpus", "many", "8"),
    ],
)
@pytest.mark.one_stack
def test_an_error_stands_beside_its_field_and_keeps_what_was_typed(browser, field, text, says):
    html = page(browser, **LORA | {field: text})
    error = re.search(rf'id="t-{field}-error">(.*?)</p>', html, re.DOTALL)
    assert error
    assert says in error[1]
    assert f'href="#t-{field}"' in html
    assert "<title>Error:" in html
    assert 'class="range"' not in html
    if text and field != "method":
        assert f'value="{text}"' in html


@pytest.mark.one_stack
def test_a_wrong_layout_of_a_shared_address_is_an_error_of_ours_to_explain(browser):
    html = page(browser, **LORA | {"file-data_parallel": "sideways"})
    assert "something impossible" in html


@pytest.mark.parametrize(
    "fields",
    [
        {"model_name": "<script>alert(1)</script>"},
        {"model_name": "\0'\"--"},
        {"model_name": "x" * 5000},
        {"model_name": "8B", "sequence_length": "9" * 300},
        {"model_name": "8B", "file-params": "1e400"},
        {"model_name": "8B", "file-lora_rank": "[]", "file-tensor_parallel": "٣"},
        {"model_name": "8B", "gpus": "4", "file-tensor_parallel": "3"},
        {"model_name": "8B", "gpus": "1", "file-tensor_parallel": "99999999"},
        {"model_name": "8B", "gpus": "7", "file-data_parallel": "zero2"},
        {"model_name": "8B", "sequence_length": "100000000", "micro_batch": "1000000"},
        {"file-model_name": "8B", "file-nonsense": "1", "file-": "2"},
        {"model_name": "ResNet-50"},
        {"model_name": "stable-diffusion-xl", "sequence_length": "77"},
    ],
    ids=lambda fields: "+".join(fields)[:40],
)
@pytest.mark.one_stack
def test_hostile_fields_are_answered(browser, fields):
    assert "<script>alert" not in page(browser, **fields)


@pytest.mark.one_stack
def test_the_same_task_is_worked_out_once(browser):
    _swept.cache_clear()
    page(browser, **LORA)
    page(browser, **LORA | {"sequence_length": "4 096 tokens"})  # the same, typed otherwise
    assert _swept.cache_info().misses == 1
    page(browser, **LORA | {"sequence_length": "2048"})
    assert _swept.cache_info().misses == 2


@pytest.mark.one_stack
def test_it_takes_less_than_a_second_of_a_core(browser):
    page(browser, **LORA)  # the catalog and the templates
    _swept.cache_clear()
    started = time.process_time()
    page(browser, **LORA | {"model_name": "meta-llama/Meta-Llama-3.1-70B", "method": "full"})
    assert time.process_time() - started < 1


def test_too_many_calculations_are_refused_politely_and_by_address(browser, settings):
    settings.TRUST_FORWARDED_FOR = True
    here = {"X-Forwarded-For": "192.0.2.1"}
    for _time in range(TRIES.count):
        Attempt.objects.create(key=TRIES.key("192.0.2.1"))
    refused = browser.get(TRY, LORA, headers=here)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "Wait ten minutes" in refused.content.decode()
    assert browser.post(TRY, {"report": "x"}, headers=here).status_code == 429
    assert browser.get(TRY, headers=here).status_code == 200  # the fields alone cost nothing
    assert browser.get(TRY, LORA, headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 200


@pytest.mark.one_stack
def test_the_first_page_and_the_catalog_lead_here(browser):
    for name in ("home", "catalog:list"):
        assert f'href="{TRY}"' in browser.get(reverse(name)).content.decode()
