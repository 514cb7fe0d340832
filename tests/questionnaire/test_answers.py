"""Evaluating answers: what is read, what is wrong, what is open, what stops sending."""

from datetime import date

import pytest
from hypothesis import given, settings

from apps.core.canonical import canonical_json
from apps.questionnaire.answers import RawAnswer, evaluate, raw_answers
from apps.questionnaire.checks import ModelFacts
from apps.questionnaire.question import UNKNOWN
from apps.questionnaire.sections import QUESTIONS
from tests.questionnaire.answers import REFERENCE, raw_answer_sets


def reference(**changes: str | RawAnswer) -> dict[str, RawAnswer]:
    """The reference request with some answers changed."""
    made = {k: v if isinstance(v, RawAnswer) else RawAnswer(v) for k, v in changes.items()}
    return {**REFERENCE, **made}


def warned(raw: dict[str, RawAnswer], **context) -> dict[str, str]:
    return {p.key: str(p.message) for p in evaluate(raw, **context).warnings}


def wrong(raw: dict[str, RawAnswer]) -> dict[str, str]:
    return {p.key: str(p.message) for p in evaluate(raw).errors}


def test_the_reference_request_is_understood():
    evaluated = evaluate(REFERENCE, today=date(2026, 11, 30))
    assert not evaluated.errors
    assert not evaluated.warnings
    assert evaluated.unknown == ("lora_rank",)
    assert evaluated.effective["dataset_bytes"] == 200 * 10**9
    assert evaluated.effective["rent_period"] == 720
    assert "site" in evaluated.sections


def test_an_answer_that_cannot_be_read_is_an_error_and_stops_sending():
    evaluated = evaluate(reference(sequence_length="8k"))
    assert evaluated.answers["sequence_length"].raw.value == "8k"
    assert "sequence_length" not in evaluated.effective
    assert [p.key for p in evaluated.errors] == ["sequence_length"]
    assert "sequence_length" in {p.key for p in evaluated.blockers}
    assert evaluated.sections["recipe"].errors == 1


def test_unknown_is_an_answer_and_wins_over_what_stands_in_the_field():
    evaluated = evaluate(reference(sequence_length=RawAnswer("8k", unknown=True)))
    assert not evaluated.errors
    assert "sequence_length" in evaluated.unknown
    assert "sequence_length" not in {p.key for p in evaluated.blockers}
    assert "data_kind" in evaluate(reference(data_kind=UNKNOWN)).unknown


def test_what_is_required_cannot_be_left_unknown():
    evaluated = evaluate(reference(business_task=RawAnswer(unknown=True)))
    assert "business_task" in {p.key for p in evaluated.blockers}


def test_a_blank_answer_stops_sending_until_it_is_marked_unknown():
    blank = evaluate(reference(optimizer=""))
    assert "optimizer" in blank.missing
    assert "optimizer" in {p.key for p in blank.blockers}
    marked = evaluate(reference(optimizer=RawAnswer(unknown=True)))
    assert "optimizer" not in {p.key for p in marked.blockers}


def test_an_optional_question_may_stay_blank():
    assert "sku" not in evaluate(REFERENCE).missing


def test_a_file_value_and_a_typed_one_are_read_alike():
    assert evaluate(reference(micro_batch="4")).effective["micro_batch"] == 4
    assert evaluate(REFERENCE).answers["micro_batch"].raw.provenance == "file"


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"average_length": "4000"}, "average_length"),
        ({"model_kind": "moe-decoder", "active_params": "9 млрд"}, "active_params"),
        ({"method": "freeze", "trainable_params": "9 млрд"}, "trainable_params"),
        ({"model_source": "own", "heads": "8", "kv_heads": "9"}, "kv_heads"),
    ],
)
def test_two_answers_that_cannot_both_be_true_are_an_error(changes, key):
    assert "Correct one of them" in wrong(reference(**changes))[key]


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({"disk_bytes": "200 ГБ"}, "disk_bytes", "no room for checkpoints"),
        ({"disk_bytes": "400 ГБ", "unpacked_bytes": "300 ГБ"}, "disk_bytes", "no room"),
        ({"tokens": "1 трлн"}, "tokens", "more tokens than bytes"),
        ({"saves_kept": "0"}, "saves_kept", "none is kept"),
        ({"micro_batch": "2048"}, "micro_batch", "through one GPU at once"),
        ({"steps": "100", "save_every_steps": "500"}, "save_every_steps", "before the first save"),
        ({"params": "8 млн"}, "params", "speaks of"),
        ({"business_task": "нужна мощная видеокарта"}, "business_task", "Facts help more"),
        ({"business_task": "Нужен лучший сервер " * 5}, "business_task", "Facts help more"),
        ({"experiments": "1"}, "experiments", "not the budget"),
        ({"use": "3-5y", "growth": "1"}, "growth", "Without any reserve"),
        (
            {"use": "1-2y", "growth": "1", "future_scenarios": "32B"},
            "growth",
            "no growth is stated",
        ),
        ({"use": "1-2y", "future_scenarios": "32B"}, "growth", "no growth is stated"),
        ({"data_may_leave": "no"}, "data_may_leave", "may not leave"),
        ({"held_out_set": "no"}, "held_out_set", "Before paying"),
        ({"sequence_length": "1000000", "micro_batch": "1"}, "sequence_length", "Unusually large"),
        ({"kw_usable": "0,1 кВт"}, "kw_usable", "Unusually small"),
    ],
)
def test_a_doubtful_answer_is_a_warning_that_stops_nothing(changes, key, said):
    raw = reference(**changes)
    assert said in warned(raw)[key]
    before = {p.key for p in evaluate(REFERENCE).blockers}
    assert {p.key for p in evaluate(raw).blockers} - before <= {"growth", "future_scenarios"}


def test_a_disk_with_room_to_spare_is_not_warned_about():
    assert "disk_bytes" not in warned(reference(disk_bytes="1 ТБ"))


def test_a_day_that_has_passed_is_noticed_only_by_a_calendar():
    raw = reference(wanted_date="15.12.2025")
    assert "already passed" in warned(raw, today=date(2026, 11, 30))["wanted_date"]
    assert "wanted_date" not in warned(raw)


def test_the_catalog_knows_how_long_a_model_can_read():
    facts = ModelFacts("Llama-3.1-8B", "decoder", 8.03e9, max_sequence_length=1024)
    known = {"Llama-3.1-8B": facts}
    assert "1,024\u00a0tokens" in warned(dict(REFERENCE), published=known.get)["sequence_length"]
    assert "params" in warned(reference(params="70 млрд"), published=known.get)


def test_what_the_catalog_knows_of_a_model_need_not_be_answered():
    told = {"model_source", "params", "model_kind"}
    blank = reference(model_source="", params="", model_kind="")
    assert told <= set(evaluate(blank).missing)
    facts = ModelFacts("Llama-3.1-8B", "decoder", 8.03e9)
    known = evaluate(blank, published={"Llama-3.1-8B": facts}.get)
    assert not told & set(known.missing)
    assert not told & {p.key for p in known.blockers}


def test_stored_answers_come_back_as_they_were():
    document = {k: v.as_dict() for k, v in REFERENCE.items()}
    assert raw_answers(document) == dict(REFERENCE)
    assert canonical_json(document)


def test_a_damaged_store_is_read_without_an_exception():
    document = {
        "purpose": {"value": 7, "unknown": "yes", "who": None, "provenance": "nobody"},
        "no-such-question": {"value": "x"},
        "sku": {"value": ["a", 1, "b"]},
    }
    read = raw_answers(document)
    assert read["purpose"] == RawAnswer()
    assert read["sku"].value == ("a", "b")
    assert "no-such-question" not in read
    assert evaluate(read).answers["sku"].parsed == "a, b"


@settings(deadline=None)
@given(raw_answer_sets())
def test_whatever_is_answered_the_counts_add_up(raw):
    evaluated = evaluate(raw, today=date(2026, 11, 30))
    for section in evaluated.sections.values():
        assert section.answered + section.unknown + section.missing <= section.asked
    assert sum(s.asked for s in evaluated.sections.values()) == len(evaluated.answers)
    assert set(evaluated.effective) <= set(evaluated.answers) <= set(QUESTIONS)
    assert all(str(p.message) for p in (*evaluated.blockers, *evaluated.warnings))
