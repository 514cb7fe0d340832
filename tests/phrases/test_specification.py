"""The specification holds all that was asked in eleven fields, and nothing that was not said."""

import io
import json
import re
import zipfile
from datetime import date
from xml.etree import ElementTree

import pytest
from django.utils import translation

from apps.intake.words import lexicon
from apps.phrases.docx import as_docx
from apps.phrases.found import Sure
from apps.phrases.outputs import SCHEMA, as_json, as_markdown
from apps.phrases.papers import text_of
from apps.phrases.reading import read_request
from apps.phrases.sentence import request_sentence
from apps.phrases.specification import (
    CONTACTS,
    PARTS,
    Specification,
    questions_of,
    specification_of,
)
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.sections import QUESTIONS
from tests.questionnaire.answers import REFERENCE

_TEXT = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}t"


def specified(answers=REFERENCE, language="en") -> Specification:
    with translation.override(language):
        return specification_of(
            evaluate(answers),
            language=language,
            number="ЗС-0042",
            letter="A",
            company="Ладога",
            day=date(2026, 12, 1),
        )


def value_of(said: Specification, key: str) -> str:
    return next(line.value for field in said.fields for line in field.lines if line.key == key)


def docx_texts(content: bytes, part: str = "word/document.xml") -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return [t.text or "" for t in ElementTree.fromstring(archive.read(part)).iter(_TEXT)]


def test_there_are_eleven_fields_and_every_question_stands_in_one():
    assert len(PARTS) == 11
    listed = [key for part in PARTS for key in questions_of(part)] + list(CONTACTS)
    assert sorted(listed) == sorted(QUESTIONS)
    assert all(part.always <= set(part.questions) for part in PARTS)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_an_empty_draft_says_of_each_field_that_it_is_not_specified(language):
    said = specified({}, language)
    assert [field.number for field in said.fields] == list(range(1, 12))
    assert all(field.lines for field in said.fields)
    for key in ("precision", "optimizer", "sequence_length", "save_every_steps", "target_time"):
        assert value_of(said, key) in ("not specified", "не указано")
    assert said.request == ""


def test_what_the_requirements_name_stands_in_it():
    said = specified()
    for key in (
        *("model_name", "sequence_length", "precision", "optimizer", "dataset_bytes"),
        *("disk_bytes", "save_every_steps", "target_time", "deadline_hard", "budget"),
        *("wanted_date", "measured_step", "success_criterion"),
    ):
        assert value_of(said, key)


def test_a_question_that_does_not_concern_the_task_has_no_line():
    rented = {**REFERENCE, "acquisition": RawAnswer("rent"), "own_rack": RawAnswer("no")}
    site = next(f for f in specified(rented).fields if f.key == "site")
    assert [line.key for line in site.lines] == ["own_rack"]
    assert not any(line.key == "cycle_every" for f in specified().fields for line in f.lines)


def test_an_unknown_is_an_open_question_with_who_may_know_it():
    unknown = RawAnswer(unknown=True, who="Игорь", when="в пятницу")
    said = specified({**REFERENCE, "lora_rank": unknown})
    line = next(x for f in said.fields for x in f.lines if x.key == "lora_rank")
    assert (line.state, line.source) == ("unknown", "Игорь, в пятницу")
    assert ("lora_rank", "Игорь") in {(one.key, one.who) for one in said.open_questions}


def test_an_answer_taken_from_words_says_so():
    taken = RawAnswer("200 GB", provenance="words", note="«200 ГБ»")
    said = specified({**REFERENCE, "dataset_bytes": taken})
    line = next(x for f in said.fields for x in f.lines if x.key == "dataset_bytes")
    assert line.source == "from the text of the request: «200 ГБ»"


def test_no_card_is_named_that_the_client_did_not_name():
    quiet = {
        k: a for k, a in REFERENCE.items() if k not in ("sku", "hardware_wish", "measured_card")
    }
    for text in (as_markdown(specified(quiet)), as_json(specified(quiet))):
        words = set(re.findall(r"[a-z]+\d+[a-z]?", text.casefold()))
        assert not words & lexicon().cards
        assert not any(server in text.casefold() for server in lexicon().servers)


def test_a_card_of_the_client_is_a_wish():
    said = specified({**REFERENCE, "hardware_wish": RawAnswer("8×H200")})
    line = next(x for f in said.fields for x in f.lines if x.key == "hardware_wish")
    assert "no choice of ours" in line.source


def test_json_holds_the_whole_and_its_version():
    document = json.loads(as_json(specified()))
    assert document["schema"] == SCHEMA
    assert [field["key"] for field in document["fields"]] == [part.key for part in PARTS]
    assert document["open_questions"]
    assert {"value", "state", "provenance", "source"} <= set(document["fields"][0]["lines"][0])


def test_markup_of_a_client_is_text_in_markdown_and_in_word():
    hostile = RawAnswer("<script>|*x*| [a](http://b)\n\x0b# heading & ]]>")
    said = specified({**REFERENCE, "business_task": hostile, "budget": RawAnswer("<w:p/>")})
    markdown = as_markdown(said)
    assert "<script>" not in markdown
    assert "\\<script\\>\\|\\*x\\*\\| \\[a\\](http://b)" in markdown
    assert not re.search(r"^# heading", markdown, re.MULTILINE)
    assert "<w:p/>" in docx_texts(as_docx(said))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_word_document_is_whole_and_always_the_same(language):
    said = specified(language=language)
    content = as_docx(said)
    assert content == as_docx(said)
    texts = docx_texts(content)
    for field in said.fields:
        assert f"{field.number}. {field.title}" in texts
    assert said.request in texts
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))
        assert b"http://" not in archive.read("word/_rels/document.xml.rels").replace(
            b"http://schemas.openxmlformats.org", b""
        )


def test_the_sentence_is_read_back_as_the_answers_it_was_made_of():
    evaluated = evaluate(REFERENCE)
    sentence = request_sentence(evaluated)
    found = {f.key: f.value for f in read_request(sentence, lexicon())}
    again = evaluate({key: RawAnswer(value) for key, value in found.items()}).effective
    for key in ("strategy", "method", "model_name", "dataset_bytes", "sequence_length"):
        assert again[key] == evaluated.effective[key], sentence


@pytest.mark.parametrize("language", ["ru", "en"])
def test_our_own_specification_is_read_back_without_a_wrong_answer(language):
    evaluated = evaluate(REFERENCE)
    text = text_of("tz.docx", as_docx(specified(language=language)))
    found = [f for f in read_request(text, lexicon()) if f.sure is Sure.STATED]
    read = evaluate({f.key: RawAnswer(f.value) for f in found}).answers
    wrong = {
        key: (answer.parsed, evaluated.effective[key])
        for key, answer in read.items()
        if answer.parsed is not None
        and key in evaluated.effective
        and str(answer.parsed).casefold() != str(evaluated.effective[key]).rstrip(".").casefold()
    }
    assert wrong == {}
    assert len(found) >= 10


def test_a_line_of_a_form_that_is_left_blank_says_nothing():
    text = "Пересчёт активаций: не указано\nГотовая модель и поиск (RAG): не указано\nGradient checkpointing: no"
    found = {f.key: f.value for f in read_request(text, lexicon())}
    assert found == {"activation_checkpointing": "none"}


def test_nothing_is_said_while_next_to_nothing_is_known():
    assert request_sentence(evaluate({"purpose": RawAnswer("behaviour")})) == ""
    assert "8 billion" in request_sentence(evaluate({"params": RawAnswer("8 billion")}))
