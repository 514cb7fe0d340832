"""What a training configuration states becomes answers, and the same task comes out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.from_fields import answers_from_fields, number_text
from apps.questionnaire.parsing import parse
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import to_task

STATED = {
    "method": "lora",
    "model": "meta-llama/Llama-3.1-8B",
    "framework": "axolotl",
    "precision": "bf16-mixed",
    "optimizer": "adamw",
    "sequence_length": 4096,
    "micro_batch": 2,
    "grad_accumulation": 8,
    "packing": True,
    "lora_rank": 32,
    "lora_targets": ["q_proj", "v_proj"],
    "epochs": 3,
    "save_every_steps": 500,
    "fused_cross_entropy": False,
}


def found(fields, origin="file"):
    listed = {name: {"value": value, "origin": origin} for name, value in fields.items()}
    return answers_from_fields(listed, source="train.yaml")


def test_what_the_file_states_comes_back_in_the_task():
    answers = found(STATED)
    assert not answers.offered
    assert not answers.unplaced
    task = to_task(evaluate(answers.stated))
    assert task["method"] == "lora"
    assert task["model"]["name"] == "meta-llama/Llama-3.1-8B"
    recipe = {k: v for k, v in STATED.items() if k not in ("method", "model")}
    assert {k: task["recipe"][k] for k in recipe} == recipe


def test_a_value_says_which_file_it_stood_in():
    answer = found({"sequence_length": 4096}).stated["sequence_length"]
    assert answer == RawAnswer("4096", provenance="file", note="train.yaml")


@pytest.mark.parametrize(
    ("origin", "provenance"), [("framework default", "default"), ("guess", "guess")]
)
def test_a_default_and_a_guess_are_only_offered(origin, provenance):
    answers = found({"grad_accumulation": 1}, origin)
    assert not answers.stated
    assert answers.offered["grad_accumulation"].provenance == provenance


def test_sizes_are_written_out_in_full():
    answers = found({"params_billion": 8.03, "trainable_params_million": 41.9}).stated
    assert answers["params"].value == "8030000000"
    assert answers["trainable_params"].value == "41900000"


def test_layers_are_recognised_or_listed():
    assert found({"lora_targets": "all-linear"}).stated["lora_targets"].value == "all-linear"
    attention = {"lora_targets": ["o_proj", "q_proj", "v_proj", "k_proj"]}
    assert found(attention).stated["lora_targets"].value == "attention"
    other = found({"lora_targets": ["q_proj", "up_proj"]}).stated
    assert other["lora_targets"].value == "listed"
    assert other["lora_target_list"].value == "q_proj, up_proj"


def test_modules_saved_whole_are_asked_about_as_embeddings():
    assert found({"modules_to_save": ["lm_head"]}).stated["lora_embeddings"].value == "yes"
    assert found({"modules_to_save": ["score"]}).stated["lora_embeddings"].value == "no"


def test_an_unheard_of_framework_is_another_one():
    assert found({"framework": "our-trainer"}).stated["framework"].value == "other"


@pytest.mark.parametrize(
    "fields",
    [
        {"gpus": 8},
        {"no_such_field": 1},
        {"sequence_length": -1},
        {"sequence_length": True},
        {"method": "no-such"},
        {"packing": "yes please"},
        {"optimizer": None},
    ],
)
def test_what_no_question_can_hold_is_left_out_and_named(fields):
    answers = found(fields)
    assert not answers.stated
    assert answers.unplaced == tuple(fields)


def test_an_origin_nobody_knows_is_left_out():
    assert found({"epochs": 3}, "rumour").unplaced == ("epochs",)


@given(st.floats(0.0001, 1e6, allow_nan=False))
def test_a_number_is_read_back_as_it_was(value):
    question = QUESTIONS["average_length"]
    if value >= 1:
        assert parse(question, number_text(value)) == pytest.approx(value, abs=1e-9)


@given(st.dictionaries(st.sampled_from(sorted(STATED)), st.none() | st.integers() | st.text()))
def test_no_value_breaks_it(fields):
    answers = found(fields)
    assert set(answers.stated) <= set(QUESTIONS)
