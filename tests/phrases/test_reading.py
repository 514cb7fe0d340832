"""Requests as people write them: what is found is right, and what is doubtful is said so."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from apps.intake.words import lexicon
from apps.phrases.found import Found, Lexicon, Sure
from apps.phrases.reading import read_request
from apps.questionnaire.parsing import parse
from apps.questionnaire.sections import QUESTIONS

HERE = Path(__file__).parent
REQUESTS: list[dict[str, Any]] = [
    request
    for name in ("requests.json", "unseen.json", "traps.json")
    for request in json.loads((HERE / name).read_text(encoding="utf-8"))
]
_ANY = "*"


def read(text: str) -> dict[str, Found]:
    return {found.key: found for found in read_request(text, lexicon())}


def certain(text: str) -> dict[str, str]:
    """What is offered as an answer, without what is only asked."""
    return {k: f.value for k, f in read(text).items() if f.sure is not Sure.DOUBT}


def same(key: str, value: str, wanted: str) -> bool:
    if key == "hardware_wish":
        return wanted.casefold() in value.casefold()
    parsed = [parse(QUESTIONS[key], text) for text in (value, wanted)]
    folded = [p.casefold().replace(" ", "-") if isinstance(p, str) else p for p in parsed]
    return folded[0] == folded[1]


def wrong_in(request: dict[str, Any]) -> dict[str, str]:
    """What was found and is neither wanted nor allowed."""
    allowed: dict[str, str] = {**request.get("also", {}), **request["find"]}
    return {
        key: value
        for key, value in certain(request["text"]).items()
        if allowed.get(key) != _ANY
        and (key not in allowed or not same(key, value, allowed[key]))
        and not (key in request.get("also", {}) and request["also"][key] == _ANY)
    }


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: r["id"])
def test_nothing_is_found_that_is_not_there(request_):
    assert wrong_in(request_) == {}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: r["id"])
def test_what_stands_in_the_text_is_found(request_):
    found = certain(request_["text"])
    missed = {
        key: wanted
        for key, wanted in request_["find"].items()
        if key not in found or not same(key, found[key], wanted)
    }
    assert missed == {}


@pytest.mark.parametrize(
    ("text", "key"),
    [(r["text"], key) for r in REQUESTS for key in r.get("doubt", ())],
)
def test_two_readings_are_a_doubt(text, key):
    assert read(text)[key].sure is Sure.DOUBT


def test_the_example_request_fills_more_than_six_answers():
    example = next(r for r in REQUESTS if r["id"] == "example")
    found = certain(example["text"])
    assert len(found) >= 6
    assert {"method", "dataset_bytes", "rent_period", "measured_step"} <= set(found)


def test_every_answer_names_the_words_it_comes_from():
    text = "Дообучаем Qwen2.5-7B, LoRA, датасет 200 ГБ картинок и текстов."
    for found in read_request(text, lexicon()):
        assert found.quote.endswith(" ".join(text[found.start : found.end].split()))
        assert found.quote in text


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("Сервер с 512 ГБ оперативной памяти", "dataset_bytes"),
        ("На карте 80 ГБ памяти", "dataset_bytes"),
        ("A100 80 ГБ", "dataset_bytes"),
        ("Не LoRA", "method"),
        ("LoRA не рассматриваем", "method"),
        ("We do not need QLoRA", "method"),
        ("Аренда не нужна", "acquisition"),
        ("Стойка 42U", "rack_units"),
        ("Письмо от 12.11.2026", "wanted_date"),
        ("Гарантия 3 года, поставка за 2 месяца", "target_time"),
        ("Опыт команды 5 лет", "use"),
        ("Энергопотребление 120 кВт·ч в сутки", "kw_usable"),
        ("У нас 6000 документов", "hardware_wish"),
        ("Нужна H200", "sku"),
        ("Llama хорошая модель", "model_name"),
        ("Сканер A4", "hardware_wish"),
        ("Инференс не нужен, обучаем", "purpose"),
        ("Есть сервер для инференса, обучаем на нём", "purpose"),
        ("Скорость 3000 токенов в секунду", "sequence_length"),
        ("Видеокарта с видеопамятью 24 ГБ", "data_kind"),
        ("Файлы по 200 МБ", "dataset_bytes"),
    ],
)
def test_what_only_looks_like_an_answer_is_none(text, absent):
    assert absent not in certain(text)


def test_without_a_catalog_no_name_is_known():
    found = read_request("LoRA на Llama 3 8B, 8×H200", Lexicon())
    assert {f.key for f in found} >= {"method"}
    assert not {"model_name", "hardware_wish", "sku"} & {f.key for f in found}


@pytest.mark.parametrize(
    "text",
    ["", " \n", "a" * 200_000, "1 " * 20_000, "не " * 20_000, "200 ГБ, " * 2_000],
    ids=["empty", "blank", "long word", "numbers", "denials", "volumes"],
)
def test_no_text_takes_long(text):
    """The work grows with the length, not with its square."""
    begun = time.process_time()
    found = read_request(text, lexicon())
    assert time.process_time() - begun < 10
    assert len(found) <= len(QUESTIONS)
