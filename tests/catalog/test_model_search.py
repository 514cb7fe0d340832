"""Models found by what people type: other alphabets, slips, half a name."""

import pytest

from apps.catalog import model_search
from apps.catalog.facts import fixture_catalog
from apps.sizing.architectures import find_architecture
from apps.sizing.task import Model


@pytest.fixture(autouse=True)
def _fixture_catalog(monkeypatch):
    monkeypatch.setattr(model_search, "known_catalog", fixture_catalog)


def likeliest(text: str) -> str:
    found = model_search.models_like(text, 5)
    return found[0].name if found else ""


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("лама 3 8б", "meta-llama/Meta-Llama-3-8B"),
        ("Лама 3.1 8Б", "meta-llama/Meta-Llama-3.1-8B"),
        ("квен 2.5 7b", "Qwen/Qwen2.5-7B"),
        ("квен 2,5 7 млрд", "Qwen/Qwen2.5-7B"),
        ("мистраль 7б", "mistralai/Mistral-7B-v0.1"),
        ("гемма 2 9б", "google/gemma-2-9b"),
        ("llama-3.1-8b-instruct", "meta-llama/Meta-Llama-3.1-8B"),
        ("unsloth/Meta-Llama-3.1-8B-bnb-4bit", "meta-llama/Meta-Llama-3.1-8B"),
    ],
)
def test_a_name_in_another_spelling_is_the_models(typed, name):
    found = find_architecture(Model(name=typed), fixture_catalog())
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("lama 70b", "meta-llama/Meta-Llama-3-70B"),
        ("qwenn 14b", "Qwen/Qwen-14B"),
        ("гигачат", "ai-sage/GigaChat-20B-A3B-base"),
        ("яндекс гпт", "yandex/YandexGPT-5-Lite-8B-pretrain"),
        ("mistral nemo", "mistralai/Mistral-Nemo-Base-2407 (12B)"),
        ("т-лайт", "t-tech/T-lite-it-1.0"),
        ("Llama-4 Scout", "meta-llama/Llama-4-Scout-17B-16E (text part)"),
    ],
)
def test_what_is_near_a_name_comes_first(typed, name):
    assert likeliest(typed) == name


@pytest.mark.parametrize(
    "typed", ["", "7b", "Claude", "наша модель", "my-own-model", "x", "?" * 500]
)
def test_a_name_of_nothing_finds_nothing(typed):
    assert model_search.models_like(typed, 5) == ()
    assert find_architecture(Model(name=typed), fixture_catalog()) is None


def test_every_model_is_found_by_its_own_name():
    for name in fixture_catalog().architectures:
        short = name.rsplit("/", maxsplit=1)[-1]
        names = [a.name for a in model_search.models_like(short, 30)]
        assert not names or name in names, name


def test_words_that_all_fit_are_told_from_those_that_do_not():
    names = [a.name for a in model_search.models_fully_like("YOLOv8", 9)]
    assert {"ultralytics/yolov8n", "ultralytics/yolov8x"} <= set(names)
    assert all("yolov8" in n for n in names)
