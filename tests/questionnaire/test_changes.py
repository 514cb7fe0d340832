"""Which answers changed: by meaning, not by spelling."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.changes import AnswerChange, answer_changes
from apps.questionnaire.sections import QUESTIONS
from tests.review.samples import ANSWERS


def changes(**new):
    gone = {key for key, answer in new.items() if answer is None}
    after = {k: a for k, a in (ANSWERS | new).items() if k not in gone}
    return {c.key: c for c in answer_changes(evaluate(ANSWERS), evaluate(after))}


def test_nothing_changed():
    assert changes() == {}


@pytest.mark.parametrize(
    ("key", "text"),
    [("kw_usable", "5,0 кВт"), ("kw_usable", "5000 Вт"), ("dataset_bytes", "46 000 МБ")],
)
def test_the_same_value_in_another_spelling_is_no_change(key, text):
    assert changes(**{key: RawAnswer(text)}) == {}


def test_who_may_know_and_where_it_stood_are_no_part_of_an_answer():
    assert changes(fused_cross_entropy=RawAnswer(unknown=True, who="Игорь")) == {}
    assert changes(micro_batch=RawAnswer("2", note="other.yaml")) == {}


@pytest.mark.parametrize(
    ("key", "answer", "state"),
    [
        ("kw_usable", RawAnswer("12 кВт"), "changed"),
        ("depth_mm", RawAnswer("1200 мм"), "learned"),
        ("micro_batch", RawAnswer(unknown=True), "forgotten"),
        ("micro_batch", RawAnswer(""), "forgotten"),
        ("micro_batch", RawAnswer("много"), "changed"),
        ("budget", RawAnswer("12 млн"), "learned"),
    ],
)
def test_how_it_changed(key, answer, state):
    found = changes(**{key: answer})
    assert {key: state} == {c.key: c.state for c in found.values()}
    assert found[key].new == answer


def test_questions_that_come_up_and_fall_away_with_an_answer():
    """Adapters have a rank; full fine-tuning has none."""
    found = changes(method=RawAnswer("lora"), lora_rank=RawAnswer("16"))
    assert (found["method"].state, found["lora_rank"].state) == ("changed", "asked")
    assert found["lora_rank"].old is None
    back = answer_changes(
        evaluate(ANSWERS | {"method": RawAnswer("lora"), "lora_rank": RawAnswer("16")}),
        evaluate(ANSWERS),
    )
    assert {c.key: c.state for c in back}["lora_rank"] == "dropped"


def test_they_come_in_the_order_of_the_questionnaire_and_survive_freezing():
    found = changes(kw_usable=RawAnswer("12 кВт"), epochs=RawAnswer("1"), tokens=RawAnswer("9"))
    order = list(QUESTIONS)
    assert list(found) == sorted(found, key=order.index)
    for change in found.values():
        frozen = json.loads(json.dumps(change.as_dict()))
        assert AnswerChange.from_dict(frozen) == change


@given(st.sampled_from(sorted(ANSWERS)), st.booleans())
def test_what_changed_one_way_changes_back(key, unknown):
    other = ANSWERS | {key: RawAnswer(unknown=unknown)}
    there = answer_changes(evaluate(ANSWERS), evaluate(other))
    back = answer_changes(evaluate(other), evaluate(ANSWERS))
    assert [(c.key, c.old, c.new) for c in there] == [(c.key, c.new, c.old) for c in back]
