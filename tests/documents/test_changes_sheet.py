"""The section of a later letter that says what changed since the one its client has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from apps.documents.page import html_of
from apps.documents.sheets.changes import changes_of
from apps.documents.sheets.reading import Reading
from apps.documents.snapshot import Changes, Snapshot
from apps.questionnaire.answers import RawAnswer
from tests.documents import samples

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]

LOAD = {"low": 8.0, "typical": 9.5, "high": 10.2}
RESULT: dict[str, Any] = {
    "variants": [
        {
            "key": "V3",
            "state": "changed",
            "hardware": {
                "old": {"server": None, "accelerator": "H100-SXM5-80", "gpus": 4, "nodes": 1},
                "new": {"server": None, "accelerator": "H200-SXM-141", "gpus": 8, "nodes": 1},
            },
            "figures": [
                {"path": "rack.power.load_kw", "old": None, "new": LOAD, "apart": False},
                {
                    "path": "memory.device_gib",
                    "old": {"low": 50, "typical": 60, "high": 70},
                    "new": {"low": 20, "typical": 30, "high": 40},
                    "apart": True,
                },
            ],
            "verdicts": [{"part": "rack", "old": "does-not-fit", "new": "fits"}],
        }
    ],
    "closed": ["recipe.micro_batch"],
    "opened": ["site.kw_usable"],
    "conclusions": [
        {
            "key": "change.rack-opened.power",
            "params": {
                "gpu_count": 8,
                "accelerator": "H200-SXM-141",
                "available_kw": 12.0,
                "before_kw": 5.0,
            },
        },
        {"key": "change.confidence", "params": {"confidence": "B", "old_confidence": "C"}},
    ],
}


def answer(key: str, old: RawAnswer | None, new: RawAnswer | None, state: str) -> dict[str, Any]:
    raw = {"old": old.as_dict() if old else None, "new": new.as_dict() if new else None}
    return {"key": key, "state": state, **raw}


def changed(**overrides: Any) -> Snapshot:
    values: dict[str, Any] = {
        "since": "A",
        "answers": (
            answer("kw_usable", RawAnswer("5 кВт"), RawAnswer("12 кВт"), "changed"),
            answer("depth_mm", RawAnswer(unknown=True), RawAnswer("1200 мм"), "learned"),
        ),
        "result": RESULT,
    }
    return replace(samples.rent(), letter="B", changes=Changes(**values | overrides))


def test_it_survives_freezing() -> None:
    snapshot = changed()
    assert Snapshot.read(snapshot.text()) == snapshot


def test_a_document_made_before_there_were_changes_can_be_read() -> None:
    text = samples.rent().text().replace('"changes":null,', "")
    assert "changes" not in text
    assert Snapshot.read(text) == samples.rent()


def test_a_first_letter_has_no_such_section() -> None:
    snapshot = samples.rent()
    assert changes_of(Reading(snapshot=snapshot, kind="final")).conclusion == ""
    assert "Changes since revision" not in html_of(snapshot, kind="final", language="en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Changes since revision A",
                "any more: 12 kW are available instead of 5 kW",
                "8× NVIDIA H200 SXM",
                "now known",
                "outside the earlier range",
                "No question any more:",
                "New open questions:",
                "it was 4×",
            ],
        ),
        ("ru", ["Изменения с редакции A", "доступно 12 кВт вместо 5 кВт", "теперь известно"]),
    ],
)
def test_what_it_says(language: str, said: list[str]) -> None:
    with translation.override(language):
        html = html_of(changed(), kind="final", language=language).replace("\xa0", " ")
    assert [words for words in said if words not in html] == []


def test_without_figures_to_compare_it_counts_the_answers() -> None:
    sheet = changes_of(Reading(snapshot=changed(result=None), kind="final"))
    assert sheet.conclusion == "2 answers changed."
    nothing = changes_of(Reading(snapshot=changed(result=None, answers=()), kind="final"))
    assert nothing.conclusion == "No answer changed."


def test_a_long_list_and_a_long_answer_are_cut() -> None:
    long = answer("business_task", RawAnswer("было"), RawAnswer("стало " * 900), "changed")
    sheet = changes_of(Reading(snapshot=changed(answers=(long,) * 20), kind="final"))
    assert len(sheet.rows) == 16
    assert sheet.rest == "4 more answers changed."
    assert len(sheet.rows[0].new) < 400
    hostile = answer("business_task", RawAnswer("<script>"), RawAnswer("<b>жирно</b>"), "changed")
    html = html_of(changed(answers=(hostile,)), kind="final", language="ru")
    assert "<script>" not in html
    assert "<b>жирно" not in html
