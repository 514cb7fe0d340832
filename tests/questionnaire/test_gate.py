"""The gate may say that no training server is needed."""

import pytest
from hypothesis import given

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.gate import OUTCOMES, gate_outcome, needs_reason
from tests.questionnaire.answers import REFERENCE, raw_answer_sets


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ({}, "undecided"),
        ({"purpose": "behaviour"}, "undecided"),
        ({"purpose": "serve"}, "inference"),
        ({"purpose": "behaviour", "weights_change": False}, "inference"),
        ({"purpose": "knowledge", "weights_change": True}, "rag-first"),
        ({"purpose": "knowledge", "alternatives": "not-tested"}, "rag-first"),
        ({"purpose": "knowledge", "weights_change": True, "alternatives": "enough"}, "rag-first"),
        (
            {"purpose": "knowledge", "weights_change": True, "alternatives": "not-enough"},
            "continue",
        ),
        (
            {"purpose": "knowledge", "weights_change": False, "alternatives": "not-tested"},
            "rag-first",
        ),
        (
            {"purpose": "knowledge", "weights_change": False, "alternatives": "not-enough"},
            "inference",
        ),
        ({"purpose": "behaviour", "weights_change": True, "alternatives": "enough"}, "inference"),
        (
            {"purpose": "behaviour", "weights_change": True, "alternatives": "not-tested"},
            "pilot-first",
        ),
        (
            {"purpose": "behaviour", "weights_change": True, "alternatives": "not-enough"},
            "continue",
        ),
        ({"purpose": "scratch", "weights_change": True}, "continue"),
        ({"purpose": "vision", "weights_change": True, "alternatives": "not-tested"}, "continue"),
    ],
)
def test_the_goal_decides_the_way(answers, outcome):
    assert gate_outcome(answers).key == outcome


def test_another_way_is_advised_with_steps_and_can_be_left_with_a_reason():
    for outcome in OUTCOMES.values():
        assert outcome.advised == bool(outcome.steps)
    assert needs_reason({"purpose": "serve"})
    assert not needs_reason({"purpose": "scratch", "weights_change": True})


def test_against_the_advice_nothing_is_sent_without_a_reason():
    raw = {**REFERENCE, "purpose": RawAnswer("knowledge"), "alternatives": RawAnswer("not-tested")}
    assert "continue_reason" in {p.key for p in evaluate(raw).blockers}
    raw["continue_reason"] = RawAnswer("Поиск по документам проверен, качества не хватает")
    assert "continue_reason" not in {p.key for p in evaluate(raw).blockers}


def test_the_reference_request_goes_on():
    assert evaluate(REFERENCE).gate.key == "continue"


@given(raw_answer_sets())
def test_there_is_always_one_of_the_five_outcomes(raw):
    assert evaluate(raw).gate is OUTCOMES[evaluate(raw).gate.key]
