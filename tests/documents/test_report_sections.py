"""Section by section: what the assessment has to say, in both languages, from one table.

A string that is missing fails under its own name. No database: whatever is said comes from the
snapshot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from django.utils import translation

from apps.demo.stories import told_stories
from apps.documents.sheets.checklist import Checklist, checklist_of
from apps.documents.sheets.glossary import glossary_of
from apps.documents.sheets.levers import contrast_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.risk_words import OWNERS, WORDS
from apps.documents.sheets.risks import risks_of
from apps.documents.sheets.variants import variants_of
from apps.documents.snapshot import Snapshot
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from tests.documents import samples
from tests.documents.test_page import html, words
from tests.questionnaire.answers import REFERENCE

# What -> Russian, English. All of it stands in the assessment of a task that is known.
MANDATORY: Final[Mapping[str, tuple[str, str]]] = {
    "notice": ("Не является коммерческим предложением", "Not a commercial offer"),
    "kind": ("предварительная экспертная оценка", "preliminary expert assessment"),
    "readiness": ("Готовность к закупке: после пилота", "Ready to buy after a pilot"),
    "readiness before": ("рано", "too early"),
    "readiness after": ("можно готовить спецификацию", "a specification may be prepared"),
    "obstacles": ("Что мешает", "What stands in the way"),
    "first questions": ("Что узнать первым", "What to find out first"),
    "next step": ("Следующий шаг", "Next step"),
    "ranges": ("низ – типичное – верх", "low – typical – high"),
    "need": ("Нужно ли обучение", "Whether training is needed"),
    "four differences": (
        "Чем обучение отличается от инференса",
        "In what training differs from inference",
    ),
    "input": ("Задача и исходные данные", "Task and input"),
    "triple: what": ("что собрано", "what was collected"),
    "triple: becomes": ("во что превращается", "what it becomes in hardware"),
    "assumptions": ("Допущения", "Assumptions"),
    "confidence": ("Надёжность B", "Confidence B"),
    "grade A": ("A: измерено на пилоте", "A: measured in a pilot"),
    "grade D": ("D: известен только класс задачи", "D: only the class of the task is known"),
    "not counted": ("Не учтено", "Not counted"),
    "methods": ("Методы: полный, LoRA, QLoRA", "Methods: full, LoRA, QLoRA"),
    "memory": ("Память на один GPU", "Memory on one GPU"),
    "lever: recomputation": ("Пересчёт активаций", "Recomputation of activations"),
    "lever: sharding": ("Деление состояний между GPU", "Sharding over GPUs"),
    "lever: accumulation": ("Накопление: меньше микропакет", "Accumulation: smaller micro-batch"),
    "inference": ("Для контраста: инференс той же модели", "For contrast: inference of the same"),
    "inference: cache": ("KV-кэш одного запроса", "KV cache of one request"),
    "multiple": ("к весам, которые на нём лежат", "of the weights that lie there"),
    "time": ("Связь и время", "Exchange and time"),
    "storage": ("Данные и хранение", "Data and storage"),
    "host": ("CPU и RAM", "CPU and RAM"),
    "rack": ("Стойка, питание, охлаждение", "Rack, power, cooling"),
    "variants": ("Варианты платформы", "Variants of the platform"),
    "part number": ("требует подтверждения", "needs confirmation"),
    "risks": ("Риски", "Risks"),
    "risk owner": ("владелец", "owner"),
    "questions": ("Открытые вопросы", "Open questions"),
    "pilot": ("Что измерить", "What to measure"),
    "acceptance": ("Программа приёмки", "Programme of acceptance"),
    "acceptance: shows": ("Показывает: исполнитель", "Shown by: contractor"),
    "acceptance: accepts": ("Принимает: заказчик", "Accepted by: client"),
    "acceptance: launch": ("Запуск из сохранённой конфигурации", "Launch from the saved"),
    "acceptance: loss": ("Корректность функции потерь", "Correctness of the loss"),
    "acceptance: checkpoint": ("восстановление чекпойнта", "restoring a checkpoint"),
    "acceptance: resume": ("Состояние оптимизатора и номер шага", "The state of the optimizer and"),
    "checklist": ("До закупки", "Before the purchase"),
    "offers": ("Сравнение предложений", "Comparison of offers"),
    "offers: rule": ("при одинаковом результате", "at an equal result"),
    "scope": ("Вне рамок", "Out of scope"),
    "approval": ("Согласование и редакции", "Approval and revisions"),
    "answers": ("Все ответы: техническое задание", "All answers: technical specification"),
    "derivation": ("Как получены цифры", "How the figures came about"),
    "sources": ("Источники", "Sources"),
    "glossary": ("Слова этого документа", "Words of this document"),
}
# Said only of a server that is bought.
OF_A_PURCHASE: Final = frozenset({"part number"})
CURRENCY: Final = re.compile(r"[₽$€¥£]|\b(?:руб|USD|EUR|RUB|CNY|доллар|юан|евро)\w*", re.IGNORECASE)
BODY: Final = ("methods", "memory", "fit", "pace", "storage", "rack", "matrix", "risks", "approval")


def known_parts() -> list[Any]:
    return [pytest.param(name, id=name) for name in MANDATORY]


def reading(snapshot: Snapshot) -> Reading:
    return Reading(snapshot=snapshot, kind="draft")


@pytest.mark.parametrize("name", known_parts())
def test_what_is_mandatory_is_said_in_both_languages(name: str) -> None:
    for sample in (samples.full, samples.rent):
        if sample is samples.rent and name in OF_A_PURCHASE:
            continue
        for lang, said in zip(("ru", "en"), MANDATORY[name], strict=True):
            assert said in words(html(sample(), language=lang)), (sample.__name__, lang, said)


def order_of(source: str) -> list[str]:
    """Names of the parts as they stand; the cover and the sheet of the answer have none."""
    return re.findall(r'<section class="sec[^"]*" id="(\w+)"', source)


@pytest.mark.parametrize("sample", [samples.full, samples.rent, samples.scratch])
def test_the_method_comes_first_then_memory_then_the_variants(
    sample: Callable[[], Snapshot],
) -> None:
    """GEN-14; the appendices stand after the body, and open on a sheet of their own."""
    names = order_of(html(sample()))
    assert [name for name in names if name in BODY] == list(BODY)
    assert names[0] == "need"
    assert names[names.index("approval") + 1 :] == [
        "answers_all",
        "derivation",
        "sources",
        "glossary",
    ]
    assert html(sample()).count('class="sec opens"') == 1


def test_without_a_variant_nothing_is_said_that_needs_one() -> None:
    names = set(order_of(html(samples.vague())))
    assert not names & {"memory", "fit", "risks", "acceptance", "checklist", "offers", "scope"}
    assert {"need", "inputs", "grounds", "questions", "answers_all"} <= names


def test_a_link_leads_to_a_part_that_is_there(language: str) -> None:
    """Four points, each with its section (GEN-24); the printer complains of a link to nowhere."""
    for snapshot in (samples.full(), samples.vague(), samples.failed()):
        source = html(snapshot, language=language)
        links = re.findall(r'href="#(\w+)"[^>]*>\D*(\d+)', source)
        assert len(links) in (0, 4)
        for anchor, number in links:
            assert f'id="{anchor}"' in source
            assert order_of(source)[int(number) - 1] == anchor


def test_no_sample_names_a_currency_beside_the_clients_own_budget(language: str) -> None:
    budget = REFERENCE["budget"].text
    for sample in (samples.rent, samples.full, samples.scratch, samples.vague, samples.failed):
        text = words(html(sample(), language=language)).replace(budget, "")
        assert CURRENCY.findall(text) == [], sample.__name__


# Each has answers of its own; the others are these with a word changed.
TOLD: Final = ("lora", "full-finetune", "from-scratch", "defects", "queue", "waiting-approval")


@pytest.mark.slow
@pytest.mark.parametrize("key", TOLD)
def test_no_demo_story_names_a_currency_beside_the_clients_own_budget(key: str) -> None:
    told = told_stories()[key].answers
    answers = {
        name: RawAnswer(tuple(value) if isinstance(value, list) else str(value))
        for name, value in told.items()
        if name in QUESTIONS
    }
    snapshot = samples.make_snapshot(answers)
    for lang in ("ru", "en"):
        text = words(html(snapshot, language=lang)).replace(str(told.get("budget", "")), "")
        assert CURRENCY.findall(text) == [], lang


def test_parts_of_the_memory_add_up_to_the_peak() -> None:
    """What the section prints as five parts is what the engine counted as allocated."""
    for snapshot in (samples.full(), samples.rent(), samples.scratch()):
        for variant in snapshot.result["variants"]:
            block = variant["memory"]
            parts = sum(block["components_gib"].values())
            assert parts == pytest.approx(block["allocated_gib"]["typical"], rel=0.02)


def test_every_risk_has_its_trigger_its_effect_and_an_owner(language: str) -> None:
    with translation.override(language):
        found = reading(samples.full())
        rows = risks_of(found, variants_of(found)).rows
        owners = {str(name) for name in OWNERS.values()}
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        assert row.trigger.endswith(".")
        assert row.effect.endswith(".")
        assert row.mitigation.endswith(".")
        assert row.owner in owners
    assert {word.owner for word in WORDS.values()} == set(OWNERS)


def test_a_risk_follows_what_the_client_leaves_open() -> None:
    def names(section: str, **changed: Any) -> set[str]:
        context = samples.full().context
        other = {**context, section: {**context[section], **changed}}
        found = reading(replace(samples.full(), context=other))
        with translation.override("en"):
            return {row.name for row in risks_of(found, variants_of(found)).rows}

    assert "The gain cannot be shown" not in names("task")
    assert "The gain cannot be shown" in names("task", held_out_set=False)
    assert "The series of runs has no end" not in names("series")
    assert "The series of runs has no end" in names("series", stop_criteria=None)
    assert "The series of runs has no end" in names("series", experiments=1)


def rows_of(snapshot: Snapshot) -> dict[str, str]:
    found = reading(snapshot)
    with translation.override("en"):
        made: Checklist = checklist_of(found, variants_of(found))
    return {row.what: row.state for stack in made.stacks for g in stack for row in g.rows}


def test_the_list_before_a_purchase_follows_the_method() -> None:
    """STR-09, STR-10, SKU-11: ticked where the answers say it, open where they do not."""
    full, lora = rows_of(samples.full()), rows_of(samples.rent())
    assert full["States of the optimizer"] == "ok"
    assert full["Checkpoints: how often and how many"] == "ok"
    assert full["Compatibility of card and chassis"] == "unknown"
    assert lora["Target modules of the adapters"] == "ok"
    assert "States of the optimizer" not in lora
    answers = {k: v for k, v in samples.full().answers.items() if k != "saves_kept"}
    silent = rows_of(replace(samples.full(), answers=answers))
    assert silent["Checkpoints: how often and how many"] == "unknown"


def test_a_list_of_a_run_from_scratch_asks_for_the_budget_and_the_nodes() -> None:
    """STR-11, PAR-22: several nodes bring five things of their own."""
    document = next(v for v in samples.scratch().result["variants"] if v["nodes"] > 1)
    result = {**samples.scratch().result, "variants": [{**document, "recommended": True}]}
    rows = rows_of(replace(samples.scratch(), result=result))
    assert rows["Budget of experiments and when to stop"] == "unknown"
    assert [what for what in rows if rows[what] == "unknown"][-5:] == [
        "Network between nodes",
        "Collective operations: tested on the topology",
        "Shared storage",
        "Loading of data by all nodes",
        "Recovery after the loss of a node",
    ]


def test_inference_is_contrasted_by_three_parts_of_known_size() -> None:
    """8.03 billion weights in 16 bits; 32 layers × 1,024 wide, a key and a value, 8,192 tokens."""
    with translation.override("en"):
        made = contrast_of(reading(samples.full()))
    assert made is not None
    assert made.weights == "15\u00a0GiB"
    assert made.cache == "1\u00a0GiB"
    assert contrast_of(reading(replace(samples.full(), derivation=None))) is None


def test_the_glossary_holds_the_words_of_the_document_only() -> None:
    with translation.override("en"):
        named = {name for name, _text in glossary_of(reading(samples.rent()), ()).terms}
        read = {name for name, _text in glossary_of(reading(samples.vague()), ("uses FSDP",)).terms}
    assert "LoRA" in named
    assert "Offload" not in named
    assert "FSDP, ZeRO" in read
