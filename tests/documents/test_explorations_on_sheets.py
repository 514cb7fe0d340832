"""Methods before hardware, what makes it fit, measured runs; an order of magnitude stays one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.documents.snapshot import Snapshot
from tests.documents import samples
from tests.documents.test_page import html, words


def test_methods_stand_before_the_platforms(language: str) -> None:
    """GEN-14: clarifying the method saves more than a neighbouring card."""
    source = html(samples.full(), language=language)
    titles = re.findall(r'<h1 data-title="\d+\. ([^"]+)"', source)
    names = {
        "ru": ("Методы: полный, LoRA, QLoRA", "Варианты платформы", "Что поможет поместиться"),
        "en": ("Methods: full, LoRA, QLoRA", "Variants of the platform", "What makes it fit"),
    }
    methods, variants, fit = (titles.index(name) for name in names[language])
    assert methods < fit < variants


def test_every_variant_says_reserve_growth_and_what_lifts_an_obstacle() -> None:
    text = words(html(samples.full()))
    for said in ("Left free by the high end", "power of a feed", "GPUs cannot be added", "Growth"):
        assert said in text
    assert "What would lift it" in text
    assert "Each of the 2 feeds has to give" in text


def test_measured_runs_stand_beside_what_the_engine_says() -> None:
    text = words(html(samples.full()))
    assert "Nearest measured runs" in text
    assert "IBM fms-acceleration" in text
    assert "partly comparable" in text


@pytest.mark.parametrize("sample", [samples.vague, samples.failed])
def test_without_figures_there_is_a_reason_or_no_section(sample: object) -> None:
    snapshot: Snapshot = sample()  # type: ignore[operator]
    text = words(html(snapshot))
    if snapshot.result["methods"] is None:
        assert "without the size of the model there is nothing to compare" in text


def test_many_unknowns_give_an_order_of_magnitude_and_a_floor(language: str) -> None:
    snapshot = samples.scratch()
    assert snapshot.result["status"] == "magnitude"
    text = words(html(snapshot, language=language))
    said = {
        "ru": ("только по памяти — не меньше", "Отдельные работы", "Сеть между узлами", "≥ 8"),
        "en": ("by memory alone, no less than", "Work of its own", "network between nodes", "≥ 8"),
    }
    for part in said[language]:
        assert part in text


def test_an_order_of_magnitude_has_no_third_digit(language: str) -> None:
    """No «1 234,5 ч»: of what was calculated, at most two digits reach the reader."""
    source = html(samples.scratch(), language=language)
    unit = r"(?:ГиБ|ч|дн\.|кВт|GiB|h|d|kW)\b"
    # Memory of the cards, nine tenths of one, the deadline as stated.
    cards = fixture_catalog().accelerators.values()
    facts = {f"{card.usable_memory_gib:.3g}" for card in cards} | {"242", "2160"}
    for figure in re.findall(rf"([\d\u202f\u00a0,.]*\d)\u00a0{unit}", source):
        plain = re.sub(r"[\u202f\u00a0]", "", figure)
        plain = plain.replace(",", "" if language == "en" else ".").strip(".")
        digits = plain.replace(".", "").strip("0")
        assert plain in facts or len(digits) <= 2, figure


def test_what_else_there_is_stands_after_the_variants(language: str) -> None:
    source = html(samples.full(), language=language)
    titles = re.findall(r'<h1 data-title="\d+\. ([^"]+)"', source)
    names = {
        "ru": ("Варианты платформы", "Какие ещё варианты есть", "Память"),
        "en": ("Variants of the platform", "What else there is", "Memory"),
    }
    variants, plan, memory = (titles.index(name) for name in names[language])
    assert memory < variants < plan
    said = {
        "ru": ("Ближайшие из отклонённых", "Наименьший из успевающих в срок", "V2 не проходит"),
        "en": (
            "The nearest of the rejected",
            "The smallest that meets the deadline",
            "V2 does not",
        ),
    }
    text = words(source)
    for part in said[language]:
        assert part in text


def test_a_snapshot_from_before_the_plan_prints_without_it() -> None:
    snapshot = samples.full()
    older = replace(snapshot, result={k: v for k, v in snapshot.result.items() if k != "plan"})
    assert "What else there is" not in words(html(older))


def test_open_questions_say_in_figures_what_they_change(language: str) -> None:
    """MEM-19, TIM-08: the drawing and the words stand where the questions stand."""
    source = html(samples.full(), language=language)
    block = source[source.index('class="w-ball"') :]
    said = {"ru": "память одного GPU", "en": "memory of one GPU"}[language]
    drawn = {"ru": "каждый вопрос сам по себе", "en": "each question alone"}[language]
    assert said in words(block)
    assert drawn in words(source)
