"""Naming the model: other alphabets, names that mean several, names that nobody knows."""

import re

import pytest
from django.urls import reverse

from tests.intake.pages import section_url, stored


def echo_of(browser, typed: str) -> str:
    address = reverse("intake:echo", args=["model_name"])
    return browser.get(address, {"model_name": typed}).content.decode().replace("\u00a0", " ")


def picks(html: str) -> list[str]:
    return re.findall(r'name="pick" value="([^"]+)"', html)


@pytest.mark.one_stack
def test_a_known_name_shows_its_dimensions_and_no_other_model(browser):
    html = echo_of(browser, "лама 3.1 8б")
    assert "= Meta-Llama-3.1-8B in the catalog, 8.03 billion parameters" in html
    assert "layers: 32" in html
    assert "vocabulary: 128,256" in html
    assert not picks(html)


@pytest.mark.one_stack
def test_a_name_of_several_models_offers_the_others(browser):
    html = echo_of(browser, "YOLOv8")
    assert "Is it another one?" in html
    assert "ultralytics/yolov8x" in picks(html)


@pytest.mark.one_stack
def test_an_unknown_name_shows_the_nearest_and_the_way_on(browser):
    html = echo_of(browser, "lama 70b")
    assert picks(html)[0] == "meta-llama/Meta-Llama-3-70B"
    assert "Our own architecture" in html
    nothing = echo_of(browser, "Claude <b>")
    assert not picks(nothing)
    assert "give the number of parameters below" in nothing
    assert "<b>" not in nothing


@pytest.mark.one_stack
def test_the_page_itself_offers_the_models_without_a_script(browser, draft):
    address = section_url(draft, "model")
    browser.post(address, {"model_source": "published", "model_name": "lama 70b"})
    html = browser.get(address).content.decode()
    assert "meta-llama/Meta-Llama-3-70B" in picks(html)
    form = {"model_name": "lama 70b", "pick": "meta-llama/Meta-Llama-3-70B"}
    assert browser.post(address, form)["Location"] == address + "?page=model"
    assert stored(draft)["model_name"] == "meta-llama/Meta-Llama-3-70B"


@pytest.mark.parametrize("forged", ["no-such/model", "", "<script>"])
def test_only_a_model_of_the_catalog_is_taken(browser, draft, forged):
    address = section_url(draft, "model")
    browser.post(address, {"model_name": "lama 70b", "pick": forged})
    assert stored(draft)["model_name"] == "lama 70b"


def test_the_size_of_an_own_architecture_is_counted_from_its_dimensions(browser, draft):
    browser.post(section_url(draft, "model"), {"model_source": "own", "model_kind": "decoder"})
    dimensions = {
        "layers": "32",
        "hidden": "4096",
        "heads": "32",
        "kv_heads": "8",
        "ffn": "14336",
        "vocab": "128256",
    }
    browser.post(section_url(draft, "model", page="dimensions"), dimensions)
    html = browser.get(section_url(draft, "model")).content.decode()
    assert "what the dimensions of your architecture make" in html
    browser.post(section_url(draft, "model"), {"take": "params"})
    assert stored(draft)["params"] == "8030257152"
