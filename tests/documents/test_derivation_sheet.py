"""The appendix of a document: how the figures of the recommended variant came about."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from django.utils import translation

from apps.catalog.calibration_reader import EVIDENCE
from apps.catalog.releases import fixture_contents
from apps.demo.stories import told_stories
from apps.documents.page import html_of
from apps.documents.sheets.derivation import (
    DerivationSheet,
    closed_sheet,
    derivation_sheet_of,
)
from apps.documents.sheets.reading import Reading
from apps.documents.snapshot import OverrideFact, Snapshot
from apps.estimation.explained import explained
from apps.estimation.presenters.derivation import derivation_of
from apps.estimation.presenters.formula_sources import SourceBook
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.to_task import to_task
from apps.sizing.explain.explanation import PARTS, explain
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from tests.documents import samples

TITLE = {"en": "How the figures came about", "ru": "Как получены цифры"}


def text_of(snapshot: Snapshot, language: str = "en") -> str:
    with translation.override(language):
        html = html_of(snapshot, kind="final", language=language)
    plain = re.sub(r"<[^>]+>", "", html)
    return plain.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_appendix_stands_in_both_languages(language: str) -> None:
    text = text_of(samples.full(), language)
    assert TITLE[language] in text
    assert "W = P × bw ÷ S = 8" in text
    assert "Mpeak = max(Mfwd; Mbwd; Mstep)" in text


def test_no_line_of_the_appendix_ends_inside_a_unit() -> None:
    appendix = text_of(samples.full(), "ru").rpartition(TITLE["ru"])[2]
    assert "ГБ/\u2060с" in appendix
    assert "ГБ/с" not in appendix


def test_a_document_from_before_has_no_appendix_and_keeps_its_hash() -> None:
    old = replace(samples.full(), derivation=None)
    assert TITLE["en"] not in text_of(old)
    assert "derivation" not in json.loads(old.text())
    assert Snapshot.read(old.text()).facts_sha256() == old.facts_sha256()


def test_it_is_read_back_as_it_was_kept() -> None:
    snapshot = samples.full()
    assert text_of(Snapshot.read(snapshot.text())) == text_of(snapshot)


def test_a_rented_node_has_no_rack_to_explain() -> None:
    with translation.override("en"):
        sheet = derivation_sheet_of(Reading(snapshot=samples.rent(), kind="final"))
    names = [part.name for part in sheet.parts]
    assert "Memory" in names
    assert "Rack" not in names


def assert_closed(sheet: DerivationSheet) -> None:
    """Every symbol is defined, every input is used, and no symbol stands for two things."""
    told = [told for part in sheet.parts for told in part.lines]
    lines = [line for one in told for line in (one.figure, *one.where)]
    used = {key for line in lines for key in line.uses}
    inputs = {one.key for one in sheet.inputs}
    assert lines
    assert used <= {line.key for line in lines} | inputs
    assert inputs <= used
    marks = Counter([*(line.symbol for line in lines), *(one.symbol for one in sheet.inputs)])
    assert [mark for mark, count in marks.items() if count > 1] == []
    named = {one.source for one in sheet.inputs if one.source}
    assert {source.number for source in sheet.sources} == named


@pytest.mark.parametrize("name", ["full", "rent", "scratch", "failed"])
def test_the_appendix_of_a_document_is_closed(name: str) -> None:
    snapshot = getattr(samples, name)()
    assert_closed(derivation_sheet_of(Reading(snapshot=snapshot, kind="final")))


@pytest.mark.parametrize(
    "key", ["lora", "from-scratch", "defects", "queue", "waiting-approval", "rejected"]
)
def test_the_appendix_of_a_demo_story_is_closed(key: str) -> None:
    answers = {
        name: RawAnswer(value if isinstance(value, str) else tuple(value))
        for name, value in told_stories()[key].answers.items()
    }
    contents = fixture_contents()
    task = parse_task(to_task(evaluate(answers)))
    platform = candidate_platforms(task, contents.catalog)[0]
    explanation = explain(task, contents.catalog, platform).as_dict()
    view = derivation_of(
        explanation,
        rows=SourceBook.of(contents, explanation),
        blocks={part: {"given": 1} for part in PARTS},
        stated={},
        rough=False,
    )
    assert_closed(closed_sheet(view, key))


def test_the_appendix_of_a_published_run_is_closed() -> None:
    published = json.loads(EVIDENCE.read_text(encoding="utf-8"))["runs"]
    runs = {run["task"]["recipe"].get("framework"): run for run in published}
    for run in runs.values():
        assert_closed(closed_sheet(explained(json.dumps(run["task"])).view(), run["id"]))


def test_an_order_of_magnitude_has_no_third_digit() -> None:
    snapshot = samples.make_snapshot(samples.SCRATCH)
    assert snapshot.result["status"] == "magnitude"
    with translation.override("en"):
        sheet = derivation_sheet_of(Reading(snapshot=snapshot, kind="final"))
    assert sheet.parts
    given = {one.symbol for one in sheet.inputs}
    for part in sheet.parts:
        for line in (one for told in part.lines for one in (told.figure, *told.where)):
            if line.formula in given:
                continue  # as exact as the number it is
            digits = re.sub(r"·10.*", "", line.result.split("\u00a0")[0])
            significant = re.sub(r"\D", "", digits).strip("0")
            assert len(significant) <= 2, (line.name, line.result)


def test_the_engineers_value_is_marked_as_his() -> None:
    snapshot = samples.full()
    override = OverrideFact(
        field="recipe.micro_batch",
        value=snapshot.task["recipe"]["micro_batch"],
        reason="Мерили",
        author="С. Дымов",
        at="2026-12-01T09:00:00+00:00",
    )
    with translation.override("en"):
        marked = derivation_sheet_of(
            Reading(snapshot=replace(snapshot, overrides=(override,)), kind="final")
        )
        plain = derivation_sheet_of(Reading(snapshot=snapshot, kind="final"))
    assert {one.provenance for one in marked.inputs if one.symbol == "b"} == {"engineer"}
    assert {one.provenance for one in plain.inputs if one.symbol == "b"} == {"client"}


def test_too_little_has_nothing_to_explain() -> None:
    snapshot = samples.make_snapshot(samples.VAGUE)
    assert snapshot.derivation is None
    assert TITLE["en"] not in text_of(snapshot)
