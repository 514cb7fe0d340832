"""The short documents as printed: what they say, what they do not, and that machines can read them."""

from __future__ import annotations

import json
import re
from io import BytesIO

import pytest
from django.utils import translation
from pypdf import PdfReader

from apps.catalog.facts import fixture_catalog
from apps.documents.notes.page import note_sheet, note_title
from apps.documents.notes.snapshot import Note
from apps.documents.press import print_pdf
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.ways import WAYS
from tests.documents.conftest import note_document
from tests.documents.notes import OUTCOMES, SEARCH, make_note, printed, sample, text_of
from tests.questionnaire.answers import REFERENCE

NAMES = sorted(OUTCOMES)
CURRENCY = re.compile(r"[₽$€£]|\bруб|\bUSD\b|\bEUR\b|\bRUB\b")
NOTICE = {"ru": "Не является коммерческим предложением", "en": "Not a commercial offer"}


def reader(name: str, language: str) -> PdfReader:
    return PdfReader(BytesIO(printed(name, language).content))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_one_sheet_or_two_in_both_languages(name: str) -> None:
    for language in ("ru", "en"):
        made = printed(name, language)
        assert made.page_count <= 2
        assert (made.refused, made.warnings) == ((), ())


@pytest.mark.parametrize("name", NAMES)
def test_it_is_tagged_titled_and_in_its_language(name: str, language: str) -> None:
    root = reader(name, language).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]).startswith(language)
    xmp = root["/Metadata"].get_object().get_data().decode()
    assert "pdfaid:part" in xmp
    title = str(reader(name, language).metadata["/Title"])
    assert "ЗС-0042" in title


@pytest.mark.parametrize("name", NAMES)
def test_every_sheet_says_what_it_is_not(name: str, language: str) -> None:
    for page in reader(name, language).pages:
        text = " ".join(page.extract_text().split())
        assert NOTICE[language] in text
        assert "ЗС-0042" in text


@pytest.mark.parametrize("name", NAMES)
def test_it_says_the_outcome_and_the_words_of_who_decided(name: str, language: str) -> None:
    note, text = sample(name), text_of(printed(name, language))
    assert " ".join(note_title(note.kind, note.category).split()) in text
    assert note.reason in text
    if note.kind == "redirect":
        way = WAYS[note.category]
        for said in (*way.steps, *way.reopens):
            assert " ".join(str(said).split()) in text


@pytest.mark.parametrize("name", NAMES)
def test_it_names_no_hardware_and_no_price(name: str, language: str) -> None:
    """Nothing is approved, so nothing is named; the cards of the catalog would be in the result."""
    text, catalog = text_of(printed(name, language)), fixture_catalog()
    named = {*catalog.accelerators, *catalog.servers, "H100", "H200", "L40", "A100", "MI300"}
    assert [slug for slug in named if slug in text] == []
    assert not CURRENCY.search(text)


@pytest.mark.parametrize("name", NAMES)
def test_the_answers_travel_with_it_without_the_contacts(name: str) -> None:
    attached = reader(name, "ru").attachments
    answers = json.loads(attached["answers.json"][0])
    task = json.loads(attached["task.json"][0])
    assert answers["answers"]["purpose"]["value"] == sample(name).answers["purpose"]["value"]
    assert task["schema"] == "podbor.task/1"
    assert "anna@ladoga.example" not in text_of(printed(name, "ru"))


def test_the_note_of_a_search_compares_it_with_training(language: str) -> None:
    text = text_of(printed("rag", language))
    comparison = WAYS["rag"].comparison
    assert comparison is not None
    for row in comparison.rows:
        assert str(row.label) in text
        for cell in row.cells:
            assert " ".join(str(cell.text).split()) in text


def test_the_note_of_inference_tells_what_is_known_from_what_is_not() -> None:
    with translation.override("en"):
        text = text_of(printed("inference", "en"))
    assert "Llama-3.1-8B" in text
    assert re.search(r"[^;]+: Rent; [^;]+: 5 kW; [^;]+: 12 rack units", text)
    assert text.count("to be found out") == 6


def test_the_note_of_a_pilot_gives_hours_by_the_estimate_and_the_rule_to_stop() -> None:
    with translation.override("en"):
        text = text_of(printed("pilot", "en"))
    effort = sample("pilot").effort
    assert effort is not None
    run, pilot = effort["run_gpu_hours"], effort["pilot_gpu_hours"]
    assert pilot["typical"] == pytest.approx(0.3 * run["typical"] + 8)
    assert re.search(r"One run of your recipe [\d.]+ – [\d.]+ – [\d.]+ GPU-h", text)
    assert "not checked by an engineer" in text
    assert "No gain on held-out data: do not scale up." in text


def test_without_an_estimate_a_pilot_is_rented_by_the_day() -> None:
    with translation.override("en"):
        note = make_note("redirect", "pilot", {**SEARCH, "purpose": RawAnswer("behaviour")}, "")
        text = text_of(print_pdf(note_sheet(note_document(note, "en"))))
    assert note.effort is None
    assert "The pilot by the day" in text
    assert "not known yet" in text


def test_the_note_of_an_undecided_place_sets_runs_against_hours() -> None:
    with translation.override("en"):
        text = text_of(printed("cloud", "en"))
    load = sample("cloud").load
    assert load is not None
    assert all("accelerator" not in row for row in load["rows"])
    assert "2,190 GPU-h" in text  # what one GPU has in a quarter
    assert "Both prices are yours." in text


def test_what_lacks_for_the_hours_is_named() -> None:
    raw = {**REFERENCE, "acquisition": RawAnswer("undecided")}
    with translation.override("en"):
        note = make_note("redirect", "cloud", raw, "x")
        text = text_of(print_pdf(note_sheet(note_document(note, "en"))))
    assert "Still to be answered for it:" in text


def test_the_frozen_text_is_read_back_as_it_was() -> None:
    note = sample("pilot")
    assert Note.read(note.text()) == note
    with pytest.raises(ValueError, match=r"podbor\.snapshot/1"):
        Note.read('{"schema": "podbor.snapshot/1"}')


def test_the_same_facts_are_the_same_bytes() -> None:
    again = print_pdf(note_sheet(note_document(sample("reject"), "ru")))
    assert again.content == printed("reject", "ru").content


def test_hostile_words_are_printed_literally_and_fetch_nothing() -> None:
    words = "<b>x</b><img src=file:///etc/passwd>" + "щ" * 5000
    note = make_note("reject", "other", REFERENCE, words, client="<i>y</i>")
    made = print_pdf(note_sheet(note_document(note)))
    text = text_of(made).replace(" ", "")
    assert "<b>x</b><imgsrc=file:///etc/passwd>" in text
    assert "<i>y</i>" in text
    assert made.refused == ()
    assert made.page_count <= 3


def test_an_engineers_advice_does_not_speak_for_the_client() -> None:
    """The client tested the ready model; the advice says nothing else."""
    with translation.override("en"):
        note = make_note("redirect", "pilot", REFERENCE, "Прирост ещё никто не видел.")
        text = text_of(print_pdf(note_sheet(note_document(note, "en"))))
    assert "A short run on rented GPUs costs days" in text
    assert "has not been tested on your task yet" not in text
