"""A measured run goes from the answers into the frozen input, and from there into the engine."""

import json

import pytest

from apps.estimation.inputs import COUNTED, context_of, value_in, with_values
from apps.estimation.models import Calculation
from apps.estimation.services import engine_input
from apps.questionnaire.answers import RawAnswer, evaluate
from tests.review.samples import ANSWERS, make_estimating

pytestmark = pytest.mark.django_db
MEASURED = {
    "measured_run": RawAnswer("yes"),
    "measured_card": RawAnswer("NVIDIA A100-SXM4-80GB"),
    "measured_gpus": RawAnswer("8"),
    "measured_layout": RawAnswer("fsdp"),
    "measured_allocated": RawAnswer("36 GiB"),
}


def test_the_card_is_named_as_the_catalog_names_it():
    (run,) = context_of(evaluate(ANSWERS | MEASURED), {})["measured"]
    assert (run["card"], run["accelerator"]) == ("NVIDIA A100-SXM4-80GB", "A100-SXM4-80")
    assert run["counted"]


def test_a_card_that_nobody_knows_stays_in_the_clients_words():
    answers = ANSWERS | MEASURED | {"measured_card": RawAnswer("A100")}
    (run,) = context_of(evaluate(answers), {})["measured"]
    assert (run["card"], run["accelerator"]) == ("A100", None)


def test_the_engineers_word_reaches_the_runs_and_not_the_task():
    (run,) = context_of(evaluate(ANSWERS | MEASURED), {COUNTED: False})["measured"]
    assert not run["counted"]
    assert with_values({"schema": "podbor.task/1"}, {COUNTED: False}) == {"schema": "podbor.task/1"}
    assert value_in({}, COUNTED) is True


def test_the_engine_works_with_the_run():
    make_estimating(**MEASURED)
    calculation = Calculation.objects.get()
    assert "measured" not in json.loads(calculation.input_text)["task"]
    _task, catalog, platforms = engine_input(calculation)
    (own,) = catalog.measured.runs
    assert own.findings[0].figure == "allocated_gib"
    assert platforms


def test_without_a_run_the_catalog_is_the_published_one():
    make_estimating()
    assert engine_input(Calculation.objects.get())[1].measured is None
