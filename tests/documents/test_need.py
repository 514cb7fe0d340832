"""The sections about whether training is needed and how to have the server."""

from __future__ import annotations

import re

import pytest

from apps.documents.sheets.memory import memory_drawing
from apps.documents.sheets.need import need_of
from apps.documents.sheets.ownership import ownership_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import variants_of
from apps.documents.snapshot import Snapshot
from apps.questionnaire.answers import RawAnswer
from tests.documents import samples
from tests.documents.test_page import html, words
from tests.questionnaire.answers import REFERENCE


def reading(snapshot: Snapshot) -> Reading:
    return Reading(snapshot=snapshot, kind="draft")


def made(**answers: RawAnswer) -> Snapshot:
    return samples.make_snapshot({**REFERENCE, **answers})


def test_the_first_section_asks_whether_training_is_needed(language: str) -> None:
    text = words(html(samples.rent(), language=language))
    heads = {"en": "Whether training is needed", "ru": "Нужно ли обучение"}
    assert f"1 {heads[language]}" in text
    need = need_of(reading(samples.rent()))
    assert [row.label for row in need.rows][:3] == [
        row.label for row in need_of(reading(samples.full())).rows
    ][:3]


def test_answers_over_documents_are_compared_with_search() -> None:
    need = need_of(reading(made(purpose=RawAnswer("knowledge"))))
    assert need.comparison is not None
    assert need_of(reading(samples.rent())).comparison is None
    text = words(html(made(purpose=RawAnswer("knowledge"))))
    assert "Access rights" in text
    assert "Training is not the only way to add knowledge" in text


def test_what_the_gate_was_told_stands_there_once() -> None:
    source = html(made(alternatives=RawAnswer("not-enough")))
    text = words(source.split('class="sec opens"')[0])  # the appendix has every answer
    assert text.count("61 % верных ответов, нужно 85 %") == 1


def test_a_reason_to_go_on_against_the_advice_is_kept() -> None:
    snapshot = made(
        purpose=RawAnswer("knowledge"),
        alternatives=RawAnswer("not-tested"),
        continue_reason=RawAnswer("Служба поиска запрещена"),
    )
    need = need_of(reading(snapshot))
    assert "Служба поиска запрещена" in [row.value for row in need.rows]
    assert "RAG" in need.conclusion


@pytest.mark.parametrize(("answer", "said"), [("yes", True), ("no", False)])
def test_the_size_of_an_inference_server_is_not_carried_over(answer: str, said: bool) -> None:
    warnings = need_of(reading(made(inference_server=RawAnswer(answer)))).warnings
    assert any("A bigger inference server is not a training server" in w for w in warnings) == said


def test_without_a_held_out_set_nothing_is_scaled_up() -> None:
    warnings = need_of(reading(made(held_out_set=RawAnswer(unknown=True)))).warnings
    assert any("nothing is scaled up" in w for w in warnings)
    assert not any("nothing is scaled up" in w for w in need_of(reading(samples.rent())).warnings)


def test_inference_stands_beside_the_training_as_a_bar_and_is_no_spec() -> None:
    drawing = memory_drawing(variants_of(reading(samples.rent())))
    assert "not a spec" in drawing
    assert re.search(r">15<", drawing)  # 8,03 billion parameters in 16 bits are 15 GiB


def test_who_has_not_decided_reads_own_against_rented() -> None:
    undecided = made(
        acquisition=RawAnswer("undecided"),
        tokens=RawAnswer("400 млн"),
        runs_per_quarter=RawAnswer("6"),
    )
    sheet = ownership_of(reading(undecided))
    assert sheet.view is not None
    assert "of the hours of an own server" in sheet.conclusion
    text = words(html(undecided))
    assert "Own, rented or both" in text
    assert "When it suits" in text
    assert sheet.view.trigger.split(":")[0] in text


def test_without_a_variant_the_ways_are_compared_all_the_same() -> None:
    sheet = ownership_of(reading(samples.vague()))
    assert (sheet.view, bool(sheet.conclusion), bool(sheet.comparison)) == (None, True, True)


def test_who_has_decided_reads_no_comparison() -> None:
    assert ownership_of(reading(samples.rent())).conclusion == ""
    assert "Own, rented or both" not in words(html(samples.rent()))
