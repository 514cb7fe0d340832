"""The questions themselves: complete, unique, never renamed."""

import pytest

from apps.questionnaire.influences import NAMES
from apps.questionnaire.question import CHOSEN, Influence, Kind, Question
from apps.questionnaire.sections import QUESTIONS, SECTIONS, section_for

MOST_ON_A_PAGE = 9


def all_questions() -> list[Question]:
    return [q for s in SECTIONS for q in s.questions]


def test_keys_are_unique_and_fit_their_column():
    keys = [q.key for q in all_questions()]
    assert len(keys) == len(set(keys))
    assert all(len(k) <= 40 and k.replace("_", "").isalnum() for k in keys)


def test_sections_are_those_of_the_addresses():
    expected = "goal task method model data timing horizon recipe purchase site files check"
    assert [s.key for s in SECTIONS] == expected.split()
    assert section_for("goal") is SECTIONS[0]
    assert section_for("../goal") is None


def test_a_page_asks_about_one_thing():
    for section in SECTIONS:
        keys = [p.key for p in section.pages]
        assert len(keys) == len(set(keys))
        for page in section.pages:
            assert 0 < len(page.questions) <= MOST_ON_A_PAGE, page.key


@pytest.mark.parametrize("question", all_questions(), ids=lambda q: q.key)
def test_every_question_says_why_it_is_asked_and_what_it_moves(question):
    assert str(question.name)
    assert str(question.label)
    assert str(question.hint)
    assert str(question.why).endswith(".")
    assert question.influences
    assert 1 <= question.weight <= 3


@pytest.mark.parametrize("question", all_questions(), ids=lambda q: q.key)
def test_a_question_has_what_its_kind_needs(question):
    assert bool(question.options) == (question.kind in {Kind.CHOICE, Kind.MULTI})
    values = [o.value for o in question.options]
    assert len(values) == len(set(values))
    if question.numeric:
        assert question.examples
        assert question.limits.low >= 0
    if question.kind is Kind.COUNT:
        assert question.unit is not None
    needs_unit = question.numeric and question.kind not in {Kind.NUMBER, Kind.COUNT}
    assert bool(question.default_unit) == needs_unit
    if question.typical:
        assert question.typical.source
        assert question.kind in CHOSEN or question.numeric


def test_only_what_nobody_can_do_without_is_required():
    required = {q.key for q in all_questions() if q.required}
    against_advice = {"continue_reason"}
    assert (
        required == {"purpose", "business_task", "contact_name", "contact_email"} | against_advice
    )


def test_a_change_of_contact_needs_no_new_estimate():
    cosmetic = {q.key for q in all_questions() if not q.material}
    assert {"contact_name", "contact_email"} <= cosmetic
    assert all(q.material for q in all_questions() if q.field)


def test_every_influence_has_a_name():
    assert set(NAMES) == set(Influence)


def test_questions_are_found_by_key():
    assert list(QUESTIONS) == [q.key for q in all_questions()]
