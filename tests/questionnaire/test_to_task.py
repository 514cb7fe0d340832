"""Answers become the engine's task document, and what is not known goes out as null."""

from datetime import date

import pytest
from hypothesis import given, settings

from apps.core.canonical import canonical_json
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.question import Kind
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS, to_context, to_task
from apps.sizing.task_reader import parse_task
from apps.sizing.vocabulary import PARTS, TOP, Words
from tests.questionnaire.answers import REFERENCE, raw_answer_sets

REFERENCE_TASK = {
    "schema": "podbor.task/1",
    "id": "ЗС-0047",
    "strategy": "finetune",
    "method": "lora",
    "model": {"name": "Llama-3.1-8B", "kind": "decoder", "params_billion": 8.03},
    "recipe": {
        "stage": "sft",
        "framework": "trl",
        "precision": "bf16-mixed",
        "quantization": "none",
        "optimizer": "adamw",
        "lora_rank": None,
        "lora_targets": "all-linear",
        "modules_to_save": None,
        "sequence_length": 2048,
        "average_length": None,
        "packing": None,
        "micro_batch": 4,
        "grad_accumulation": 8,
        "global_batch": None,
        "activation_checkpointing": "full",
        "attention": None,
        "fused_cross_entropy": None,
        "offload": None,
        "epochs": 3,
        "steps": None,
        "save_every_steps": None,
        "saves_kept": None,
        "save_kind": None,
    },
    "data": {
        "bytes": 200_000_000_000,
        "kind": "text",
        "samples": None,
        "tokens": None,
        "location": "local",
        "preprocessing": None,
        "prepared_per_s": None,
        "regenerated": None,
        "unpacked_bytes": None,
        "intermediate_bytes": None,
    },
    "cycle": {
        "target_hours": 72,
        "scope": "run",
        "hard": False,
        "runs_per_quarter": None,
        "parallel_runs": 1,
    },
    "horizon": {"use": "one-off", "sharing": "team"},
    "site": {
        "kw_usable": 5,
        "feeds": 2,
        "cooling": None,
        "rack_units": 12,
        "depth_mm": None,
        "floor_kg": None,
    },
}


def test_the_reference_request_becomes_exactly_this_task():
    assert to_task(evaluate(REFERENCE), "ЗС-0047") == REFERENCE_TASK


def test_the_reference_request_keeps_its_context():
    context = to_context(evaluate(REFERENCE))
    assert context["acquisition"] == {
        "acquisition": "rent",
        "own_rack": True,
        "data_may_leave": None,
        "wanted_date": "2026-12-15",
        "budget": "до 600 тыс. ₽ за месяц, с НДС",
        "sku": None,
        "hardware_wish": None,
        "measured_step": True,
        "rent_hours": 720,
        "rent_days": 30,
    }
    assert context["gate"] == {"outcome": "continue", "continue_reason": None}
    assert context["storage"]["checkpoint_reserve"] is True
    assert context["task"]["held_out_set"] is True
    assert canonical_json(context)


@settings(deadline=None)
@given(raw_answer_sets())
def test_the_engine_accepts_whatever_was_answered(raw):
    evaluated = evaluate(raw, today=date(2026, 11, 30))
    document = to_task(evaluated, "ЗС-0001")
    parse_task(document)
    assert canonical_json(document)
    assert canonical_json(to_context(evaluated))


def test_nothing_answered_is_a_task_of_unknowns():
    task = parse_task(to_task(evaluate({})))
    assert task.method is None
    assert task.recipe.sequence_length is None


def test_a_hidden_answer_is_not_in_the_task_at_all():
    raw = {**REFERENCE, "method": RawAnswer("full")}
    assert "lora_rank" not in to_task(evaluate(raw))["recipe"]


def test_an_answer_that_contradicts_another_goes_out_as_unknown():
    raw = {**REFERENCE, "average_length": RawAnswer("9000")}
    task = to_task(evaluate(raw))
    assert task["recipe"]["average_length"] is None
    assert task["recipe"]["sequence_length"] == 2048


def test_training_from_scratch_is_full_pretraining_without_being_asked():
    task = to_task(evaluate({"strategy": RawAnswer("from-scratch")}))
    assert task["method"] == "full"
    assert task["recipe"]["stage"] == "pretrain"
    assert task["recipe"]["quantization"] == "none"


def test_only_a_quantised_base_leaves_quantisation_open():
    task = to_task(evaluate({"method": RawAnswer("qlora")}))
    assert task["recipe"]["quantization"] is None
    assert "quantization" not in to_task(evaluate({}))["recipe"]


def test_layers_are_named_as_the_frameworks_name_them():
    def targets(**answers):
        raw = {k: RawAnswer(v) for k, v in answers.items()}
        return to_task(evaluate({"method": RawAnswer("lora"), **raw}))["recipe"]["lora_targets"]

    assert targets(lora_targets="qv") == ["q_proj", "v_proj"]
    assert targets(lora_targets="attention") == ["q_proj", "k_proj", "v_proj", "o_proj"]
    listed = targets(lora_targets="listed", lora_target_list="q_proj, , gate_proj")
    assert listed == ["q_proj", "gate_proj"]
    assert targets(lora_targets="listed") is None


def test_every_field_of_a_question_is_a_field_of_the_task():
    for path in TASK_FIELDS:
        part, _, name = path.rpartition(".")
        assert name in (PARTS[part] if part else TOP)


def test_every_option_is_a_word_of_the_engine():
    for path, key in TASK_FIELDS.items():
        part, _, name = path.rpartition(".")
        field = (PARTS[part] if part else TOP)[name]
        if isinstance(field, Words) and QUESTIONS[key].kind is Kind.CHOICE:
            assert {o.value for o in QUESTIONS[key].options} <= field.allowed, path


@pytest.mark.parametrize(("answer", "link"), [("1x100G", "1x100G"), ("none", None)])
def test_the_network_that_is_there_goes_to_the_engine(answer, link):
    large = {**REFERENCE, "params": RawAnswer("200 млрд"), "acquisition": RawAnswer("buy")}
    task = to_task(evaluate({**large, "node_network": RawAnswer(answer)}))
    assert task["placement"] == {"inter_node_link": link}
