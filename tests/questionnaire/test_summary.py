"""Answers as rows, in the language of the reader."""

import pytest
from django.utils import translation
from hypothesis import given, settings

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.checks import ModelFacts
from apps.questionnaire.echo import display, echo, exact
from apps.questionnaire.influences import influence_names
from apps.questionnaire.parsing import parse
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import headline, open_questions, summarise
from tests.questionnaire.answers import REFERENCE, raw_answer_sets


def said(text: str) -> str:
    """Without the marks that keep a number and its unit on one line."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def rows(raw=REFERENCE):
    return {row.key: row for s in summarise(evaluate(raw)) for row in s.rows}


def test_rows_show_values_as_people_read_them():
    shown = rows()
    assert said(shown["dataset_bytes"].value) == "200 GB (186 GiB)"
    assert said(shown["sequence_length"].value) == "2,048 tokens"
    assert said(shown["target_time"].value) == "72 h (3 days)"
    assert said(shown["kw_usable"].value) == "5 kW"
    assert said(shown["wanted_date"].value) == "15 December 2026"
    assert shown["method"].value == "LoRA adapters"
    assert shown["own_rack"].value == "Yes"


def test_an_unknown_keeps_who_and_when():
    row = rows()["lora_rank"]
    assert row.unknown
    assert (row.who, row.when, row.value) == ("Анна", "4 декабря", "")


def test_a_value_keeps_where_it_came_from():
    assert rows()["sequence_length"].provenance == "file"
    assert rows()["sequence_length"].note == "train.yaml:14"


def test_an_unreadable_answer_is_shown_as_typed_with_its_error():
    row = rows({**REFERENCE, "sequence_length": RawAnswer("<b>8k</b>")})["sequence_length"]
    assert row.value == "<b>8k</b>"
    assert row.error is not None


def test_what_is_not_asked_is_not_there_and_an_optional_blank_is_left_out():
    assert "quantization" not in rows()
    assert "sku" not in rows()
    assert rows()["tokens"].missing


def test_open_questions_begin_with_what_moves_the_result_most():
    raw = {
        **REFERENCE,
        "sequence_length": RawAnswer(unknown=True),
        "deadline_hard": RawAnswer(unknown=True),
    }
    assert [r.key for r in open_questions(evaluate(raw))] == [
        "sequence_length",
        "lora_rank",
        "deadline_hard",
    ]


def test_a_requisition_is_named_by_method_model_and_length():
    assert said(headline(evaluate(REFERENCE))) == "LoRA adapters, Llama-3.1-8B, 2,048 tokens"
    assert headline(evaluate({})) == "New requisition"
    assert headline(evaluate({"purpose": RawAnswer("serve")})) == "Run a ready model for users"
    assert said(headline(evaluate({"params": RawAnswer("7 млрд")}))) == "7 B parameters"
    assert said(headline(evaluate({"params": RawAnswer("86 млн")}))) == "86 M parameters"


def test_what_the_catalog_knows_of_the_model_is_not_said_to_be_missing():
    facts = ModelFacts(name="Llama-3.1-8B", kind="decoder", params_count=8.03e9)
    raw = {**REFERENCE, "params": RawAnswer(), "model_kind": RawAnswer(unknown=True)}

    def model_rows(published):
        sections = summarise(evaluate(raw, published=published))
        return {row.key: row for section in sections for row in section.rows}

    known, unheard = model_rows({"Llama-3.1-8B": facts}.get), model_rows(None)
    for key in ("params", "model_kind"):
        row = known[key]
        assert (row.value, row.provenance, row.unknown) == ("as in the catalog", "catalog", False)
        assert unheard[key].value == ""


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("dataset_bytes", "200 ГБ", "= 200,000,000,000 bytes (186 GiB)"),
        ("dataset_bytes", "1 байт", "= 1 byte (1 B)"),
        ("params", "7 млрд", "= 7,000,000,000 parameters"),
        ("target_time", "36 ч", "= 36 h"),
        ("target_time", "2 недели", "= 336 h (14 days)"),
        ("kw_usable", "7500 Вт", "= 7.5 kW"),
        ("average_length", "900,1255", "= 900.1255 tokens"),
        ("wanted_date", "15.12.2026", "= 15 December 2026"),
        ("sku", "SYS", ""),
        ("cycle_share", "12,5 %", "= 12.5%"),
    ],
)
def test_the_echo_says_what_was_understood(key, text, expected):
    question = QUESTIONS[key]
    assert said(echo(question, parse(question, text))) == expected


def test_the_echo_of_nothing_is_nothing():
    assert echo(QUESTIONS["params"], None) == ""
    assert echo(QUESTIONS["lora_rank"], 16) == ""  # said back it would be the same two digits
    assert said(echo(QUESTIONS["hidden"], 4096)) == "= 4,096"


@pytest.mark.parametrize(
    ("value", "russian", "english"),
    [
        (0.125, "0,125", "0.125"),
        (8192, "8\u202f192", "8,192"),
        (1234.5678, "1\u202f234,5678", "1,234.5678"),
    ],
)
def test_a_figure_of_the_client_is_never_rounded(value, russian, english):
    assert exact(value) == english
    with translation.override("ru"):
        assert exact(value) == russian


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("8,03 млрд", "8.03 billion parameters"),
        ("350M", "350 million parameters"),
        ("1,2 трлн", "1.2 trillion parameters"),
        ("8 030 261 248", "8,030,261,248 parameters"),
        ("500 тыс", "500,000 parameters"),
    ],
)
def test_a_large_count_is_said_in_words_only_if_that_loses_nothing(text, shown):
    question = QUESTIONS["params"]
    assert said(display(question, parse(question, text))) == shown


def test_influences_are_named_in_words():
    assert influence_names(QUESTIONS["fused_cross_entropy"]) == "memory"


@settings(deadline=None)
@given(raw_answer_sets())
def test_every_answer_can_be_shown(raw):
    evaluated = evaluate(raw)
    for key, value in evaluated.effective.items():
        assert display(QUESTIONS[key], value)
    assert all(str(row.label) for s in summarise(evaluated) for row in s.rows)
    assert headline(evaluated)
