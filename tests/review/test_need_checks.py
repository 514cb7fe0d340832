"""What is asked before approval about training at all, and about paying a rent."""

import pytest

from apps.questionnaire.answers import RawAnswer
from apps.requisitions.models import Revision
from apps.review.check import Check
from apps.review.checks import checks_of
from apps.review.dossier import dossier_of
from apps.review.services import question_assign
from tests.review.samples import make_engineer, make_in_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def engineer():
    return make_engineer()


def found(revision: Revision, actor) -> dict[str, Check]:
    return {check.key: check for check in checks_of(dossier_of(revision), actor)}


def test_an_inference_server_without_a_recipe_is_no_specification(engineer):
    revision = make_in_review(
        engineer, inference_server=RawAnswer("yes"), micro_batch=RawAnswer(unknown=True)
    )
    check = found(revision, engineer)["foreign-size"]
    assert check.state == "tight"
    assert "Micro-batch" in check.sub
    assert check.href


def test_with_the_recipe_it_is_only_said_that_its_size_is_not_carried_over(engineer):
    revision = make_in_review(engineer, inference_server=RawAnswer("yes"))
    assert found(revision, engineer)["foreign-size"].state == "ok"


def test_without_any_server_named_nothing_is_asked(engineer):
    revision = make_in_review(engineer, sku=RawAnswer(""), inference_server=RawAnswer("no"))
    assert "foreign-size" not in found(revision, engineer)


def test_a_rent_without_a_held_out_set_waits_for_a_person_and_a_day(engineer):
    revision = make_in_review(
        engineer, acquisition=RawAnswer("rent"), held_out_set=RawAnswer(unknown=True)
    )
    check = found(revision, engineer)["held-out-for-rent"]
    assert check.state == "blocked"
    question = revision.open_questions.get(key="held_out_set")
    assert check.href.endswith(f"#q-{question.pk}")
    question_assign(question=question, actor=engineer, owner_name="Анна", due_text="4 декабря")
    assert "held-out-for-rent" not in found(revision, engineer)


@pytest.mark.parametrize(("acquisition", "known"), [("buy", ""), ("rent", "yes"), ("hybrid", "no")])
def test_a_purchase_and_an_answer_are_no_obstacle(engineer, acquisition, known):
    said = RawAnswer(known) if known else RawAnswer(unknown=True)
    revision = make_in_review(engineer, acquisition=RawAnswer(acquisition), held_out_set=said)
    assert "held-out-for-rent" not in found(revision, engineer)
