"""The appendix of a document: how the figures of the recommended variant came about."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from django.utils import translation

from apps.documents.page import html_of
from apps.documents.sheets.derivation import derivation_sheet_of
from apps.documents.sheets.reading import Reading
from apps.documents.snapshot import OverrideFact, Snapshot
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
    assert sheet.view is not None
    assert "memory" in {part.key for part in sheet.view.parts}
    assert "rack" not in {part.key for part in sheet.view.parts}


def test_an_order_of_magnitude_has_no_third_digit() -> None:
    snapshot = samples.make_snapshot(samples.SCRATCH)
    assert snapshot.result["status"] == "magnitude"
    with translation.override("en"):
        sheet = derivation_sheet_of(Reading(snapshot=snapshot, kind="final"))
    assert sheet.view is not None
    for part in sheet.view.parts:
        for line in part.lines:
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
