"""The client's own runs in the result document: shown first, counted, doubted, never swallowed."""

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.measured import measured_catalog, runs_from
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from tests.sizing.engine import LLAMA_8B

A100, H100 = "A100-SXM4-80", "H100-SXM5-80"
TASK = parse_task(
    {
        "method": "lora",
        "model": LLAMA_8B,
        "recipe": {
            "framework": "hf-trainer",
            "precision": "bf16-mixed",
            "optimizer": "adamw",
            "sequence_length": 2048,
            "micro_batch": 2,
            "grad_accumulation": 4,
            "activation_checkpointing": "full",
            "lora_rank": 16,
            "lora_targets": "all-linear",
        },
        "placement": {"accelerator": A100, "gpus": 1},
    }
)


def result_of(*runs, task=TASK):
    catalog = measured_catalog(fixture_catalog(), task, runs_from(runs))
    platforms = candidate_platforms(task, catalog)
    outputs = estimate_all(task, catalog, platforms)
    return assemble(task, catalog, platforms, outputs, {"explore": False})


@pytest.fixture(scope="module")
def plain():
    return result_of()


def near(plain, by=1.0):
    return {
        "accelerator": A100,
        "gpus": 1,
        "allocated_gib": plain["memory"]["allocated_gib"]["typical"] * by,
        "step_s": plain["time"]["step_s"]["typical"] * by,
        "origin": "pilot",
        "source": "run.log",
    }


def keys(result):
    return [m["key"] for m in result["assumptions"] if m["key"].startswith("measured.")]


def fields(result):
    return [q["field"] for q in result["open_questions"]]


def test_without_a_run_nothing_is_said_of_one(plain):
    assert plain["evidence"]["own"] == []
    assert keys(plain) == []
    assert plain["confidence"] == "B"


def test_a_near_run_is_shown_with_what_the_engine_said_and_raises_the_confidence(plain):
    result = result_of(near(plain))
    (own,) = result["evidence"]["own"]
    assert own["origin"] == "pilot"
    assert own["source"] == "run.log"
    said = {f["figure"]: f["said"] for f in own["figures"]}
    assert said["allocated_gib"] == plain["memory"]["allocated_gib"]
    assert said["step_s"] == plain["time"]["step_s"]
    assert own["closeness"]["memory"] > 0.9
    assert result["confidence"] == "A"
    assert result["readiness"] != "after-pilot"
    assert keys(result) == [
        "measured.memory.counted",
        "measured.step.counted",
        "measured.memory.agrees",
        "measured.step.agrees",
    ]


def test_what_differs_moves_the_result_and_says_by_how_much(plain):
    result = result_of(near(plain, by=1.04))
    assert result["memory"]["device_gib"]["typical"] > plain["memory"]["device_gib"]["typical"]
    raised = [m for m in result["assumptions"] if m["key"] == "measured.step.raised"]
    ratio = result["time"]["step_s"]["typical"] / plain["time"]["step_s"]["typical"]
    assert raised[0]["params"]["change_ratio"] == pytest.approx(ratio - 1)


def test_what_tells_the_parts_apart_is_said(plain):
    parts = plain["memory"]["components_gib"]
    rest = parts["weights"] + parts["optimizer"]
    run = near(plain) | {"rest_gib": rest}
    assert "measured.parts-at-rest" in keys(result_of(run))
    assert "measured.parts-contradict" in keys(result_of(run | {"rest_gib": 79.0}))


def test_memory_alone_raises_a_guess_by_one_grade_only(plain):
    guessed = parse_task(
        {
            "method": "lora",
            "model": LLAMA_8B,
            "recipe": {"sequence_length": 2048, "micro_batch": 2, "precision": "bf16-mixed"}
            | {"optimizer": "adamw", "activation_checkpointing": "full"},
            "placement": {"accelerator": A100, "gpus": 1},
        }
    )
    before = result_of(task=guessed)
    run = near(before)
    run.pop("step_s")
    assert (before["confidence"], result_of(run, task=guessed)["confidence"]) == ("C", "B")


def test_another_card_is_no_pilot(plain):
    result = result_of(near(plain) | {"accelerator": H100, "step_s": 1.0})
    assert result["confidence"] == "B"
    assert result["evidence"]["own"][0]["closeness"]["step"] < 0.5


def test_a_contradiction_becomes_an_open_question_and_is_no_pilot(plain):
    result = result_of(near(plain) | {"step_s": plain["time"]["step_s"]["typical"] * 3})
    assert "measured.step.contradicts" in keys(result)
    assert fields(result)[0] == "measured"
    assert "measured" in result["critical_questions"]
    assert result["confidence"] == "B"
    assert result["time"]["step_s"]["high"] > plain["time"]["step_s"]["high"]


def test_more_than_the_card_has_is_refused_and_asked_about(plain):
    result = result_of(near(plain) | {"allocated_gib": 95.0})
    assert "measured.memory.impossible" in keys(result)
    assert "measured" in fields(result)
    assert result["memory"]["device_gib"] == plain["memory"]["device_gib"]


def test_what_an_engineer_set_aside_is_shown_and_neither_counted_nor_asked_about(plain):
    result = result_of(near(plain, by=5) | {"counted": False})
    assert keys(result) == ["measured.set-aside"]
    assert "measured" not in fields(result)
    assert result["memory"] == plain["memory"]
    assert not result["evidence"]["own"][0]["counted"]


def test_what_says_nothing_of_the_recommended_platform_says_so(plain):
    far = near(plain) | {"gpus": 8, "data_parallel": "fsdp", "accelerator": H100}
    result = result_of(far | {"sequence_length": 32_768, "step_s": 100.0, "allocated_gib": 60.0})
    assert "measured.step.too-far" in keys(result)
    assert result["time"] == plain["time"]


def test_waiting_for_data_and_an_unknown_card_are_said(plain):
    waiting = near(plain) | {"data_wait_ratio": 0.3}
    waiting["step_s"] /= 0.7
    assert "measured.data-wait" in keys(result_of(waiting))
    assert keys(result_of({"accelerator": "unknown", "step_s": 1.0})) == ["measured.not-understood"]
